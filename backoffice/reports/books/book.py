"""The books being written into a journal: transactions and ends of days as they stream by, counted and added up."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from heapq import merge
from typing import TypeAlias

from sqlalchemy import select, union_all

from backoffice.kernel.currencies import format_minor
from backoffice.reports.books.day_ends import DayEnd, day_ends
from backoffice.reports.books.journal import Transaction, transactions
from backoffice.reports.books.ledger import Ledger

Entry: TypeAlias = Transaction | DayEnd


@dataclass
class Book:
    """What a journal is written from. Go through `entries` once, then ask for what they came to."""

    ledger: Ledger
    particulars: Mapping[str, str]
    """What the journal says about itself."""
    rows: int = 0
    """The postings that went by."""
    _sums: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    @cached_property
    def currencies(self) -> tuple[str, ...]:
        """The currencies of all that is to come, in order."""
        return tuple(sorted({*self.moved_currencies, *(end.currency for end in self.ends)}))

    @cached_property
    def moved_currencies(self) -> tuple[str, ...]:
        """The currencies of the transactions to come, in order."""
        lines = union_all(self.ledger.opening(), self.ledger.lines()).subquery()
        query = select(lines.c.currency).distinct().order_by(lines.c.currency)
        return tuple(self.ledger.reading.connection.scalars(query))

    @cached_property
    def ends(self) -> list[DayEnd]:
        """What each day is to end with."""
        return list(day_ends(self.ledger))

    def entries(self) -> Iterator[Entry]:
        """Transactions in the order of their days, each day's end behind its last transaction."""
        in_order: list[Iterator[Entry]] = [self.transactions(), iter(self.ends)]
        yield from merge(*in_order, key=_place)

    def transactions(self) -> Iterator[Transaction]:
        """The transactions alone."""
        for transaction in transactions(self.ledger):
            self._count(transaction)
            yield transaction

    def totals(self) -> Iterator[Mapping[str, str]]:
        """Debits and credits of the transactions that went by, by book and currency; without what was held before."""
        for (book, currency), (debit, credit) in sorted(self._sums.items()):
            yield {
                "casino": book,
                "currency": currency,
                "debit": format_minor(debit, currency),
                "credit": format_minor(credit, currency),
            }

    def _count(self, transaction: Transaction) -> None:
        if not transaction.position:
            return
        for leg in transaction.legs:
            self.rows += 1
            sums = self._sums.setdefault((transaction.book, leg.currency), [0, 0])
            sums[leg.minor < 0] += abs(leg.minor)


def _place(entry: Entry) -> tuple[object, bool]:
    return entry.day, isinstance(entry, DayEnd)
