"""The written-out ledger as an accountant reads it: book by book, dated by the book's own days, by the chart's accounts.

A book is a casino's, or the network's own (`-`), whose days are those of UTC and are never closed. What is added to an
account of the house's ledger is a credit, what is taken from it a debit.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import cached_property
from types import MappingProxyType
from typing import Any, TypeAlias

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Date,
    DateTime,
    Select,
    Text,
    cast,
    func,
    literal,
    null,
    select,
    true,
    union_all,
)

from backoffice.domain.accounts import NETWORK_BOOK, Account
from backoffice.domain.days.events import DayClosed, days_stream
from backoffice.kernel.calendar import Days, calendar
from backoffice.projections.entries import ENTRIES, entries
from backoffice.reports.books.booking import Booking, Closing, Span
from backoffice.reports.books.chart import BadChart, Chart
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading

Query: TypeAlias = CompoundSelect[Any]
NEEDS = (ENTRIES,)
FILTERS: Mapping[str, str] = MappingProxyType({"currency": "one currency"})
_NETWORK_DAYS = calendar("UTC")
_DAY = timedelta(days=1)
_NEVER = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True)
class Ledger:
    """What was asked for of a reading, by a chart."""

    reading: Reading
    chart: Chart

    @cached_property
    def books(self) -> tuple[str, ...]:
        """The books asked for, in order: one casino's, the network's own, or all of them. Raises UnknownCasino."""
        asked = self.reading.asked.casino
        if asked == NETWORK_BOOK:
            return (NETWORK_BOOK,)
        return self.reading.casinos if asked is not None else (NETWORK_BOOK, *self.reading.casinos)

    @cached_property
    def bookings(self) -> Mapping[str, Booking]:
        """By which days each book is kept."""
        return {book: self._booking(book) for book in self.books}

    @cached_property
    def spans(self) -> Mapping[str, Span]:
        """The days asked for, or those from the first to the last fact, by book; a book without any is missing."""
        asked = self.reading.asked
        if asked.first is not None:
            last = asked.last or asked.first
            return {book: self.bookings[book].span(asked.first, last) for book in self.books}
        lived = func.min(entries.c.happened_at), func.max(entries.c.happened_at), func.max(entries.c.position)
        query = select(entries.c.casino, *lived).where(self._asked()).group_by(entries.c.casino)
        found = sorted(map(tuple, self.reading.connection.execute(query)))
        return {book: self._lived(self.bookings[book], *lived) for book, *lived in found}

    def asks_for(self, currency: str) -> bool:
        """Whether a currency is asked for: all are, unless one is."""
        return self.reading.asked.only.get("currency", currency) == currency

    def refuse_unmapped(self) -> None:
        """Raise BadChart, naming the account, where the chart takes no account that these books have."""
        columns = entries.c.kind, entries.c.owner, entries.c.holder
        lacking = select(*columns).where(self._asked(), self.chart.number_of(entries).is_(None))
        first = self.reading.connection.execute(lacking.order_by(*columns).limit(1)).first()
        if first is not None:
            raise BadChart(f"no account of the chart takes {Account(*first)}")

    def lines(self) -> Query:
        """Every posting of these days with its day and its account of the chart; in no order."""
        return self._each_book(self._lines)

    def opening(self) -> Query:
        """What every account held before, if anything, in the shape of a line: dated the first day, at position 0."""
        return self._each_book(self._opening)

    def _each_book(self, query: Callable[[str, Span], Select[Any]]) -> Query:
        nothing = self._lines(self.books[0], Span(date.max, (_NEVER, _NEVER))).where(~true())
        return union_all(nothing, *(query(book, span) for book, span in self.spans.items()))

    def _lines(self, book: str, span: Span) -> Select[Any]:
        day = self._day(book, span)
        return select(
            entries.c.casino,
            day.label("day"),
            entries.c.position,
            entries.c.line,
            self.chart.number_of(entries).label("number"),
            entries.c.kind,
            entries.c.owner,
            entries.c.holder,
            entries.c.currency,
            entries.c.amount_minor,
            entries.c.type,
            entries.c.round,
            entries.c.happened_at,
            entries.c.recorded_at,
        ).where(
            self._asked(),
            entries.c.casino == book,
            ~self._before(book, span),
            entries.c.happened_at < span.begins[-1],
            day <= span.last,
        )

    def _opening(self, book: str, span: Span) -> Select[Any]:
        number = self.chart.number_of(entries)
        total = cast(func.sum(entries.c.amount_minor), BigInteger)
        nothing = cast(null(), Text)
        return (
            select(
                entries.c.casino,
                literal(span.first, Date),
                literal(0, BigInteger),
                literal(0, BigInteger),
                number,
                literal("", Text),
                literal("", Text),
                literal("", Text),
                entries.c.currency,
                total,
                literal("opening balance", Text),
                nothing,
                cast(literal(span.begins[0], DateTime(timezone=True)), DateTime(timezone=True)),
                cast(null(), DateTime(timezone=True)),
            )
            .where(self._asked(), entries.c.casino == book, self._before(book, span))
            .group_by(entries.c.casino, number, entries.c.currency)
            .having(total != 0)
        )

    def _asked(self) -> ColumnElement[bool]:
        only = self.reading.asked.only.get("currency")
        books = entries.c.casino.in_(self.books)
        return books if only is None else books & (entries.c.currency == only)

    def _day(self, book: str, span: Span) -> ColumnElement[date]:
        """As `Booking.day_of` has it; whatever is before the span is on the day before it."""
        begins = literal(list(span.begins), ARRAY(DateTime(timezone=True)))
        since_first = func.width_bucket(entries.c.happened_at, begins) - 1
        day = cast(literal(span.first, Date) + since_first, Date)
        closings = self.bookings[book].closings
        if not closings:
            return day
        # Days are closed one after the other: as many of them as were closed before a posting came, so late is it booked.
        uptos = literal([closing.upto for closing in closings], ARRAY(BigInteger))
        closed = func.nullif(func.width_bucket(entries.c.position - 1, uptos), 0)
        return func.greatest(day, cast(literal(closings[0].day, Date) + closed, Date))

    def _before(self, book: str, span: Span) -> ColumnElement[bool]:
        """Whether a posting is booked before the span."""
        upto = self.bookings[book].too_late(span.first)
        earlier = entries.c.happened_at < span.begins[0]
        return earlier if upto is None else earlier & (entries.c.position <= upto)

    def _booking(self, book: str) -> Booking:
        days = self.reading.asked.days
        if book == NETWORK_BOOK:
            return Booking(_NETWORK_DAYS, days)
        closings = self._closings(book) if days is Days.GAMING else ()
        return Booking(self.reading.calendars[book], days, tuple(closings))

    def _closings(self, casino: str) -> Iterator[Closing]:
        for recorded in self.reading.log.read_stream(days_stream(casino)):
            closed = decoded(self.reading.codec, recorded)
            assert isinstance(closed, DayClosed)
            if recorded.position <= self.reading.place.position:
                yield Closing(closed.day, closed.upto)

    @staticmethod
    def _lived(booking: Booking, begin: datetime, end: datetime, position: int) -> Span:
        first, last = booking.calendar.day_of(begin, booking.days), booking.day_of(position, end)
        return booking.span(first, max(first, last))
