"""What wallets hold and what their owners owe, by casino, player and currency."""

from typing import Any

from pydantic import Field
from sqlalchemy import Connection, Row, Table, select

from backoffice.kernel.currencies import format_minor
from backoffice.projections.balances import BALANCES, balances
from backoffice.projections.debts import DEBTS, debts
from backoffice.projections.projection import Projection
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, read_page
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.scope import Scope


class Wallet(Shown):
    """Whose money."""

    casino: str = Field(examples=["tallinn"])
    player: str = Field(description="The casino's own pseudonym.", examples=["p-1"])
    currency: str = Field(examples=["EUR"])


class Balance(Wallet):
    """What a wallet holds."""

    balance: str = Field(examples=["120.50"])


class Debt(Wallet):
    """What a wallet's owner owes the casino since a reversal."""

    owed: str = Field(examples=["20.00"])


def read_balances(connection: Connection, scope: Scope, player: str | None, asked: Asked) -> Page[Balance]:
    """Every wallet that ever moved, also at zero."""
    return _read(connection, BALANCES, balances, scope, player, asked, _balance)


def read_debts(connection: Connection, scope: Scope, player: str | None, asked: Asked) -> Page[Debt]:
    """Every debt there ever was, also at nought."""
    return _read(connection, DEBTS, debts, scope, player, asked, _debt)


def _read(
    connection: Connection,
    projection: Projection,
    table: Table,
    scope: Scope,
    player: str | None,
    asked: Asked,
    show: Any,
) -> Page[Any]:
    query = select(table).where(scope.holds(table.c.casino))
    if player is not None:
        query = query.where(table.c.player == player)
    search = (table.name, scope, player)
    position = told_upto(connection, projection)
    return read_page(
        connection, query, Order(tuple(table.primary_key.columns)), asked, position, search, show
    )


def _balance(row: Row[Any]) -> Balance:
    return Balance(**_whose(row), balance=format_minor(row.balance_minor, row.currency))


def _debt(row: Row[Any]) -> Debt:
    return Debt(**_whose(row), owed=format_minor(row.owed_minor, row.currency))


def _whose(row: Row[Any]) -> dict[str, str]:
    return {"casino": row.casino, "player": row.player, "currency": row.currency}
