"""A player's money: what was there, every movement with its round, what was there then.

Time is that of the table (`by=happened`) or that of the log (`by=booked`): the first is what the player remembers, the
second what the house could know. With `at` the statement ends at that moment, so its last lines are the balances then.
"""

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from itertools import groupby
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, Select, func, select

from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.filters import moment_asked
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

HAPPENED, BOOKED = "happened", "booked"
_ACCOUNTS: Mapping[str, str] = MappingProxyType(
    {"player": "balance", "receivable": "debt", "held": "held win"}
)
"""A player's accounts. A debt is below zero by what is owed; a held win waits for a second person."""
_ENDLESS = datetime.max.replace(tzinfo=UTC)
_EVER = datetime.min.replace(tzinfo=UTC)


def _rows(reading: Reading) -> Iterator[Row]:
    player = reading.asked.only["player"]
    begin, end = _span(reading)
    movements = reading.stream(_movements(reading, player, end))
    for (currency, kind), moved in groupby(movements, itemgetter("currency", "kind")):
        yield from _of_account(currency, kind, begin, moved)


def _of_account(currency: str, kind: str, begin: datetime, moved: Iterator[RowMapping]) -> Iterator[Row]:
    """What was there, what moved, what is there."""
    line = partial(_line, currency, _ACCOUNTS[kind])
    balance, told = 0, False
    for movement in moved:
        if movement["at"] >= begin and not told:
            yield line("carried forward", balance)
            told = True
        balance += int(movement["amount"])
        if told:
            yield line(movement["type"], balance, movement)
    if not told:
        yield line("carried forward", balance)
    yield line("balance", balance)


def _line(currency: str, account: str, what: str, balance: int, movement: RowMapping | None = None) -> Row:
    names = ("happened_at", "recorded_at", "position", "round", "table_id", "number")
    about = {name: None if movement is None else movement[name] for name in names}
    amount = None if movement is None else int(movement["amount"])
    return {
        "currency": currency,
        "account": account,
        "what": what,
        **about,
        "amount": amount,
        "balance": balance,
    }


def _movements(reading: Reading, player: str, end: datetime) -> Select[Any]:
    """A row a fact and account, in the order of the time that counts."""
    at = _time(reading)
    about = (
        entries.c.position,
        entries.c.type,
        entries.c.round,
        entries.c.happened_at,
        entries.c.recorded_at,
    )
    of_round = (rounds.c.table_id, rounds.c.number)
    account = (entries.c.currency, entries.c.kind)
    return (
        select(*account, *about, *of_round, at.label("at"), func.sum(entries.c.amount_minor).label("amount"))
        .outerjoin(rounds, rounds.c.round == entries.c.round)
        .where(entries.c.kind.in_(_ACCOUNTS), entries.c.owner == reading.casinos[0])
        .where(entries.c.holder == player, at < end)
        .group_by(*account, *about, *of_round)
        .order_by(
            entries.c.currency, func.array_position(list(_ACCOUNTS), entries.c.kind), at, entries.c.position
        )
    )


def _time(reading: Reading) -> ColumnElement[datetime]:
    return entries.c.recorded_at if reading.asked.only.get("by") == BOOKED else entries.c.happened_at


def _span(reading: Reading) -> tuple[datetime, datetime]:
    """From the first moment told to the first that is not."""
    bounds = reading.bounds(reading.casinos[0])
    begin, end = (_EVER, _ENDLESS) if bounds is None else bounds
    at = moment_asked(reading, "at")
    return begin, end if at is None else min(end, at)


PLAYER_STATEMENT = Report(
    name="player-statement",
    title="Statement of a player",
    about="what a player had, every movement with its round, and what was there then",
    columns=(
        *texts("currency", "account", "what"),
        Column("happened_at", Kind.TIME),
        Column("recorded_at", Kind.TIME),
        *counts("position", summed=False),
        *texts("round", "table_id", "number"),
        *sums("amount"),
        *sums("balance", summed=False),
    ),
    rows=_rows,
    needs=(ENTRIES, ROUNDS),
    filters=MappingProxyType(
        {
            "player": "whose statement it is; with --casino",
            "by": f"which time counts: {HAPPENED} at the table (by default), or {BOOKED} by the log",
            "at": "a moment (RFC 3339) at which the statement ends, without what was at that very moment",
        }
    ),
    words=MappingProxyType({"by": (HAPPENED, BOOKED)}),
    wants=("casino", "player"),
    totals_by=("currency", "account"),
)
