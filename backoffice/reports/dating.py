"""Which day a taking belongs to, and in which it is reported, as SQL over one casino's rows.

A taking of a round's result belongs to the day of the round's first settlement or cancellation; any other to the day it
happened on. It is reported in that day, unless the day was closed without it: then in the one that was open, as a line
about a prior period (design.md, 2.10; see `domain.days`).
"""

from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    CompoundSelect,
    DateTime,
    Select,
    and_,
    case,
    cast,
    func,
    select,
    union,
)

from backoffice.kernel.calendar import Bounds, Days, days_from
from backoffice.projections.cases import cases
from backoffice.projections.rounds import rounds
from backoffice.projections.takings import takings
from backoffice.reports.closes import Closes, closes_of
from backoffice.reports.reading import Reading

_OF_CASE = cases.alias("of_case")
ABOUT_ROUND = func.coalesce(takings.c.round, _OF_CASE.c.round)
BELONGS_AT: ColumnElement[datetime] = func.coalesce(
    case((takings.c.of_round, rounds.c.ended_at)), takings.c.happened_at
)
_SOURCE = takings.outerjoin(_OF_CASE, _OF_CASE.c.case_id == takings.c.case_id).outerjoin(
    rounds, rounds.c.round == ABOUT_ROUND
)


@dataclass(frozen=True, slots=True)
class Dated:
    """One casino's takings with their days: the query to go on from, and how its numbers of days are read."""

    query: Select[Any]
    """Of no columns yet; only what is reported in the days asked for."""
    belongs: ColumnElement[int]
    reported: ColumnElement[int]
    first: date
    """Day number 1."""

    def where(self, condition: ColumnElement[bool]) -> "Dated":
        """Those of them that are so."""
        return replace(self, query=self.query.where(condition))

    def day(self, number: int) -> date:
        """The day of a number."""
        return self.first + timedelta(days=number - 1)


def dated(reading: Reading, casino: str, *, as_known: bool) -> Dated | None:
    """The takings of `casino` reported in the days asked for; `as_known`: those that belong to them. None: no takings at all.

    Days of other kinds than gaming days are never closed.
    """
    days = reading.asked.days
    closes = Closes(()) if as_known or days is not Days.GAMING else closes_of(reading, casino)
    query = select().select_from(_SOURCE).where(takings.c.casino == casino)
    bounds = reading.bounds(casino)
    if bounds is not None:
        query = query.where(takings.c.position.in_(_candidates(bounds, _known_by(reading, closes))))
    span = _span(reading, casino, query)
    if span is None:
        return None
    first, last = span
    calendar = reading.calendars[casino]
    begins = [calendar.begin(day, days) for day in days_from(first, last)]
    belongs = func.width_bucket(BELONGS_AT, cast(begins, ARRAY(DateTime(timezone=True))))
    reported = _reported(belongs, closes, first)
    if reading.asked.first is not None:
        begin, end = reading.asked.first, reading.asked.last or reading.asked.first
        query = query.where(reported.between((begin - first).days + 1, (end - first).days + 1))
    return Dated(query, belongs, reported, first)


def _candidates(bounds: Bounds, known_by: int | None) -> CompoundSelect[Any]:
    """The positions of what belongs to some days, and of what came too late for the days before; each by an index."""
    position = select(takings.c.position)
    ended = and_(rounds.c.ended_at >= bounds.begin, rounds.c.ended_at < bounds.end)
    happened = and_(takings.c.happened_at >= bounds.begin, takings.c.happened_at < bounds.end)
    of_rounds = position.join(rounds, rounds.c.round == takings.c.round).where(takings.c.of_round, ended)
    beside = position.where(~takings.c.of_round, happened)
    if known_by is None:
        return union(of_rounds, beside)
    return union(of_rounds, beside, position.where(takings.c.position > known_by))


def _known_by(reading: Reading, closes: Closes) -> int | None:
    """The position behind which what belongs to a day before those asked for came too late for it; None: nothing does."""
    first = reading.asked.first
    before = None if first is None else closes.of(first - timedelta(days=1))
    return None if before is None else before.upto


def _span(reading: Reading, casino: str, query: Select[Any]) -> tuple[date, date] | None:
    """The days of the first and the last taking of a query."""
    first, last = reading.connection.execute(
        query.add_columns(func.min(BELONGS_AT), func.max(BELONGS_AT))
    ).one()
    if first is None:
        return None
    calendar, days = reading.calendars[casino], reading.asked.days
    return calendar.day_of(first, days), calendar.day_of(last, days)


def _reported(belongs: ColumnElement[int], closes: Closes, first: date) -> ColumnElement[int]:
    """A taking behind the close of its day is reported in the day behind the last one closed by then."""
    if not closes.days:
        return belongs
    behind = cast([close.upto + 1 for close in closes.days], ARRAY(BigInteger))
    closed = func.width_bucket(takings.c.position, behind)
    open_day = (closes.days[0].day - first).days + 1 + closed
    return case((closed == 0, belongs), else_=func.greatest(belongs, open_day))
