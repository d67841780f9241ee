"""The books as transactions: what one fact did to one book, with every leg, in the order of days and of the log."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from sqlalchemy import RowMapping, select, union_all

from backoffice.domain.accounts import Account
from backoffice.reports.books.chart import Chart, ChartAccount
from backoffice.reports.books.ledger import Ledger

_PLACE = itemgetter("day", "position", "casino")
_EVE = timedelta(days=1)


class Leg(NamedTuple):
    """One posting: `minor` units onto an account of the chart where above zero, as a debit, else as a credit."""

    line: int
    account: ChartAccount
    of: str
    """The account of the house's own ledger; empty for what was held before."""
    currency: str
    minor: int


class Transaction(NamedTuple):
    """What the fact at `position` did to a book; at 0, what the book held when the days asked for began."""

    book: str
    day: date
    position: int
    type: str
    round: str | None
    happened_at: datetime
    recorded_at: datetime | None
    legs: tuple[Leg, ...]

    @property
    def narration(self) -> str:
        """What happened, in words: `Ante placed`."""
        return self.type.rpartition(".")[2].replace("_", " ").capitalize()


def transactions(ledger: Ledger) -> Iterator[Transaction]:
    """Every transaction, balanced in each currency. What was held before comes first, dated the day before."""
    lines = union_all(ledger.opening(), ledger.lines()).subquery()
    order = lines.c.day, lines.c.position, lines.c.casino, lines.c.line, lines.c.number, lines.c.currency
    for (day, position, book), group in groupby(
        ledger.reading.stream(select(lines).order_by(*order)), _PLACE
    ):
        first, *more = group
        legs = tuple(_leg(ledger.chart, line) for line in (first, *more))
        dated = day if position else day - _EVE
        happened_at, recorded_at = first["happened_at"], first["recorded_at"]
        yield Transaction(
            book, dated, position, first["type"], first["round"], happened_at, recorded_at, legs
        )


def _leg(chart: Chart, line: RowMapping) -> Leg:
    return Leg(
        line["line"],
        chart.by_number[line["number"]],
        str(Account(line["kind"], line["owner"], line["holder"])),
        line["currency"],
        -line["amount_minor"],
    )
