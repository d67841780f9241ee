"""What was played at each table on a day, and what lay on it when the day ended."""

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, and_, case, cast, func, literal, or_, select

from backoffice.projections.entries import entries
from backoffice.projections.round_lines import round_lines
from backoffice.projections.rounds import rounds
from backoffice.reports.regulators.scope import Scope

_lines = round_lines.alias("lines")
_back = round_lines.alias("back")


@dataclass(slots=True)
class Table:
    """One table's day in one currency; sums are in minor units, what was taken back that day is taken off."""

    stake_minor: int = 0
    """What was staked on the game, without what went to a jackpot."""
    paid_minor: int = 0
    """What the house paid back, stakes included; without what a pool paid."""
    held_minor: int = 0
    """What was staked in rounds that were not finished when the day ended."""


def tables_played(scope: Scope, currency: str) -> Mapping[str, Table]:
    """Every table that the casino's players played at in a currency, by name."""
    found: defaultdict[str, Table] = defaultdict(Table)
    for query in (_settled(scope, currency), _taken_back(scope, currency)):
        for row in scope.reading.stream(query):
            found[row["table_id"]].stake_minor += row["stake_minor"]
            found[row["table_id"]].paid_minor += row["paid_minor"]
    for row in scope.reading.stream(_held(scope, currency)):
        found[row["table_id"]].held_minor += row["held_minor"]
    return found


def _settled(scope: Scope, currency: str) -> Select[Any]:
    settled = and_(_lines.c.number % 2 == 1, _lines.c.result != "refund")
    return _sums(1).where(settled, *_of_the_day(_lines, scope, currency))


def _taken_back(scope: Scope, currency: str) -> Select[Any]:
    """The lines that a reversal of that day took back, counted against."""
    same = [_back.c[name] == _lines.c[name] for name in ("round", "seat", "bet")]
    reversal = and_(*same, _back.c.number == _lines.c.number + 1, _back.c.number % 2 == 0)
    return _sums(-1).join(_back, reversal).where(*_of_the_day(_back, scope, currency))


def _sums(sign: int) -> Select[Any]:
    paid = case((_lines.c.paid_by == "house", _lines.c.payout_minor), else_=literal(0))
    return (
        select(
            rounds.c.table_id,
            cast(sign * func.sum(_lines.c.stake_minor - _lines.c.pooled_minor), BigInteger).label(
                "stake_minor"
            ),
            cast(sign * func.sum(paid), BigInteger).label("paid_minor"),
        )
        .join_from(_lines, rounds, rounds.c.round == _lines.c.round)
        .group_by(rounds.c.table_id)
    )


def _held(scope: Scope, currency: str) -> Select[Any]:
    """Of the rounds that were not over then, or not known to be; each is looked up, for they are few of very many."""
    end = scope.bounds.end
    unfinished = or_(
        rounds.c.ended_at.is_(None), rounds.c.ended_at >= end, rounds.c.last_position > scope.position
    )
    stakes = (
        select(func.sum(entries.c.amount_minor).label("minor"))
        .where(
            entries.c.kind == "stakes",
            entries.c.owner == rounds.c.round,
            entries.c.holder == scope.casino,
            entries.c.currency == currency,
            entries.c.happened_at < end,
            entries.c.position <= scope.position,
        )
        .lateral("stakes")
    )
    return (
        select(rounds.c.table_id, cast(func.sum(stakes.c.minor), BigInteger).label("held_minor"))
        .join_from(rounds, stakes, stakes.c.minor.is_not(None))
        .where(rounds.c.opened_at < end, unfinished)
        .group_by(rounds.c.table_id)
    )


def _of_the_day(lines: Any, scope: Scope, currency: str) -> Iterator[ColumnElement[bool]]:
    begin, end = scope.bounds
    yield lines.c.casino == scope.casino
    yield lines.c.currency == currency
    yield lines.c.happened_at >= begin
    yield lines.c.happened_at < end
    yield lines.c.position <= scope.position
