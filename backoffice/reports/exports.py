"""Tables for whoever asks: CSV or JSON Lines, the same rows in the same order, to the byte (FORMAT.md).

PostgreSQL writes the amounts and sorts the written rows, so a table of millions of rows goes out in flat
memory, and the order is that of the strings, not of the numbers behind them.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from types import MappingProxyType
from typing import BinaryIO

from psycopg.sql import SQL, Composable, Identifier
from psycopg.sql import Literal as Value
from sqlalchemy import Connection, Table

from backoffice.kernel.currencies import exponent
from backoffice.log.checkpoints import load
from backoffice.log.envelope import Head
from backoffice.log.statements import raw
from backoffice.projections.balances import BALANCES, balances
from backoffice.projections.cases import CASES, cases
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.projections.jackpot_shares import JACKPOT_SHARES, jackpot_shares
from backoffice.projections.projection import SCHEMA, Projection
from backoffice.projections.reading import log_head
from backoffice.projections.round_lines import ROUND_LINES, round_lines


@dataclass(frozen=True, slots=True)
class Said:
    """A column as it is stored."""

    source: str


@dataclass(frozen=True, slots=True)
class Count:
    """A whole number, or nothing."""

    source: str


@dataclass(frozen=True, slots=True)
class Amount:
    """Minor units, written with all the digits of the currency that stands in another column."""

    source: str
    currency: str = "currency"


Cell = Said | Count | Amount


@dataclass(frozen=True, slots=True)
class Export:
    """One table of FORMAT.md: what it is made from and its columns, in their order."""

    projection: Projection
    table: Table
    columns: Mapping[str, Cell]
    only: Mapping[str, str | None] = field(default_factory=dict)
    """Only rows whose columns say this, or nothing."""

    @property
    def currency_columns(self) -> set[str]:
        """The columns that say in which currency an amount is."""
        return {cell.currency for cell in self.columns.values() if isinstance(cell, Amount)}


class UnknownExport(Exception):
    """There is no export of this name, or not in this format."""


def _said(*names: str) -> dict[str, Cell]:
    return {name: Said(name) for name in names}


EXPORTS: Mapping[str, Export] = MappingProxyType(
    {
        "round-lines": Export(
            ROUND_LINES,
            round_lines,
            {
                **_said("round", "seat", "casino", "player", "currency", "bet"),
                "stake": Amount("stake_minor"),
                "result": Said("result"),
                "odds": Count("odds"),
                "payout": Amount("payout_minor"),
            },
            only={"replaced_at": None},
        ),
        "balances": Export(
            BALANCES,
            balances,
            {**_said("casino", "player", "currency"), "balance": Amount("balance_minor")},
        ),
        "jackpot-meters": Export(
            JACKPOT_METERS,
            jackpot_meters,
            {
                **_said("jackpot", "casino", "currency"),
                "contributed": Amount("contributed_minor"),
                "refunded": Amount("refunded_minor"),
                "paid_out": Amount("paid_out_minor"),
                "balance": Amount("balance_minor"),
            },
        ),
        "jackpot-shares": Export(
            JACKPOT_SHARES,
            jackpot_shares,
            {
                **_said("jackpot", "round", "seat", "casino", "player", "currency"),
                "share_base": Amount("share_base_minor", currency="base_currency"),
                "rate": Said("rate"),
                "amount": Amount("amount_minor"),
            },
            only={"reversed_at": None},
        ),
        "compensation-cases": Export(
            CASES,
            cases,
            {
                **_said("round", "seat", "casino", "player", "currency", "hand"),
                "suggested": Amount("suggested_minor"),
            },
            only={"kind": "compensation"},
        ),
    }
)


def refuse_unknown(name: str, form: str) -> None:
    """Raise UnknownExport for a name or a form that there is not."""
    if name not in EXPORTS or form not in _WRITERS:
        raise UnknownExport(
            f"no export {name} as {form}: there are {', '.join(EXPORTS)} as {', '.join(_WRITERS)}"
        )


def write_export(connection: Connection, name: str, form: str, stream: BinaryIO) -> Head:
    """Write an export to `stream` and say up to where in which log it tells.

    Takes a connection that is in no transaction; everything is read in one snapshot, which is over at the
    end. Raises UnknownExport, and CheckpointAhead or CheckpointElsewhere where the rows stem from a log
    that this one is not.
    """
    refuse_unknown(name, form)
    export = EXPORTS[name]
    snapshot = connection.execution_options(isolation_level="REPEATABLE READ")
    with snapshot.begin():
        upto = _told_upto(snapshot, export.projection)
        stream.writelines(_WRITERS[form](snapshot, export))
    return upto


def _told_upto(connection: Connection, projection: Projection) -> Head:
    return log_head(connection) if projection.inline else load(connection, projection.checkpoint)


def _csv(connection: Connection, export: Export) -> Iterator[bytes]:
    """As PostgreSQL writes it: a header, LF, quotes only where a field needs them, nothing for nothing."""
    command = SQL("copy ({}) to stdout (format csv, header, encoding 'UTF8')").format(
        _rows(connection, export)
    )
    with raw(connection).cursor() as cursor, cursor.copy(command) as copy:
        yield from map(bytes, copy)


def _jsonl(connection: Connection, export: Export) -> Iterator[bytes]:
    """An object a row: amounts are strings, counts numbers, nothing is null."""
    command = SQL("copy ({}) to stdout (encoding 'UTF8')").format(_rows(connection, export))
    names = list(export.columns)
    counts = [name for name, cell in export.columns.items() if isinstance(cell, Count)]
    with raw(connection).cursor() as cursor, cursor.copy(command) as copy:
        for row in copy.rows():
            said = dict(zip(names, row, strict=True))
            said.update({name: None if said[name] is None else int(said[name]) for name in counts})
            yield json.dumps(said, ensure_ascii=False, separators=(",", ":")).encode() + b"\n"


_WRITERS: dict[str, Callable[[Connection, Export], Iterator[bytes]]] = {"csv": _csv, "jsonl": _jsonl}


def _rows(connection: Connection, export: Export) -> Composable:
    """The query: every cell as text, ordered by all of them as they are written, byte by byte."""
    units = _units(connection, export)
    cells = [
        SQL("{} as {}").format(_written(cell, units), Identifier(name))
        for name, cell in export.columns.items()
    ]
    return SQL("select * from (select {} from {} where {}) as written order by {}").format(
        SQL(", ").join(cells),
        Identifier(SCHEMA, export.table.name),
        _chosen(export),
        SQL(", ").join(
            SQL("coalesce({}, '') collate \"C\"").format(Identifier(name)) for name in export.columns
        ),
    )


def _written(cell: Cell, units: Mapping[str, Decimal]) -> Composable:
    if isinstance(cell, Amount):
        # Times 0.01, not by 100: a product is exact and has the digits of the unit, a quotient is rounded.
        unit = _case(Identifier(cell.currency), units)
        return SQL("({} * {})::text").format(Identifier(cell.source), unit)
    return SQL("{}::text").format(Identifier(cell.source))


def _case(currency: Composable, units: Mapping[str, Decimal]) -> Composable:
    if not units:
        return SQL("1")
    whens = (SQL("when {} then {}").format(Value(code), Value(unit)) for code, unit in units.items())
    return SQL("case {} {} end").format(currency, SQL(" ").join(whens))


def _units(connection: Connection, export: Export) -> dict[str, Decimal]:
    """One minor unit of every currency that is told of, in major ones."""
    found: set[str] = set()
    for column in export.currency_columns:
        query = SQL("select distinct {} from {} where {}").format(
            Identifier(column), Identifier(SCHEMA, export.table.name), _chosen(export)
        )
        found.update(code for (code,) in raw(connection).execute(query))
    return {code: Decimal(1).scaleb(-exponent(code)) for code in sorted(found)}


def _chosen(export: Export) -> Composable:
    conditions = [
        SQL("{} is not distinct from {}").format(Identifier(name), Value(value))
        for name, value in export.only.items()
    ]
    return SQL(" and ").join([SQL("true"), *conditions])
