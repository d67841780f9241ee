"""The entries of one account: every posting to it, oldest first."""

from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, select

from backoffice.domain.accounts import Account, book_of
from backoffice.kernel.currencies import format_minor
from backoffice.projections.entries import ENTRIES, entries
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, read_page
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.scope import OutOfScope, Scope


class LedgerEntry(Shown):
    """An amount onto the account, or off it when negative."""

    entry_position: int = Field(description="The event that it comes from.", examples=[4711])
    line: int = Field(description="Counts the postings of that event.", examples=[1])
    account: str = Field(examples=["player:tallinn:p-1"])
    currency: str = Field(examples=["EUR"])
    amount: str = Field(examples=["-20.00"])
    type: str = Field(examples=["round.ante_placed"])
    round: str | None = Field(examples=["live-1-0017"])
    happened_at: datetime = Field(description="By the table's time.")
    recorded_at: datetime = Field(description="By the log's time.")


def account_entries(
    connection: Connection, scope: Scope, account: Account, asked: Asked
) -> Page[LedgerEntry]:
    """A page of an account's entries. Raises OutOfScope for one that stands in another casino's book, or the network's."""
    if not scope.whole and not scope.covers(book_of(account)):
        raise OutOfScope(f"account {account} is not in a book that is yours to see")
    query = select(entries).where(
        entries.c.kind == account.kind, entries.c.owner == account.owner, entries.c.holder == account.holder
    )
    return read_page(
        connection,
        query,
        Order((entries.c.position, entries.c.line)),
        asked,
        told_upto(connection, ENTRIES),
        ("entries", scope, account),
        _entry,
        entries.c.position,
    )


def _entry(row: Row[Any]) -> LedgerEntry:
    return LedgerEntry(
        entry_position=row.position,
        line=row.line,
        account=str(Account(row.kind, row.owner, row.holder)),
        currency=row.currency,
        amount=format_minor(row.amount_minor, row.currency),
        type=row.type,
        round=row.round,
        happened_at=row.happened_at,
        recorded_at=row.recorded_at,
    )
