"""Rows of results: what each player of a casino staked and won in each round, and which results were taken back."""

from collections.abc import Iterator
from datetime import datetime
from fractions import Fraction
from itertools import compress
from typing import Any, NamedTuple

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    RowMapping,
    ScalarSelect,
    Select,
    and_,
    case,
    cast,
    func,
    select,
)
from sqlalchemy.dialects.postgresql import aggregate_order_by

from backoffice.domain.jackpots.division import divide_by_weight
from backoffice.kernel.calendar import Bounds
from backoffice.projections.round_lines import round_lines
from backoffice.projections.rounds import rounds
from backoffice.reports.reading import Reading
from backoffice.reports.regulators.register import Stretch
from backoffice.reports.regulators.sessions import Key, Moment, Played

_lines = round_lines.alias("lines")
_back = round_lines.alias("back")
_pot = round_lines.alias("pot")
POT = "pot"


class Asked(NamedTuple):
    """Which results: of a casino's players, within these times, known by this stretch of the log; of pots or of the house.

    Of one currency, or of all.
    """

    casino: str
    bounds: Bounds
    known: Stretch
    pots: bool
    currency: str | None = None


class TakenBack(NamedTuple):
    """A result that was taken back: whose session it was in, when it had been settled, by the fact at which position."""

    key: Key
    settled_at: datetime
    position: int


def results(reading: Reading, asked: Asked, key: Key | None = None) -> Iterator[Played]:
    """Settled results in order of player, currency, table and time, corrected ones behind; with `key`, of that one only.

    Whether they were taken back since is told as it was known at the reading's position. Flat memory.
    """
    query = _results(asked, reading.place.position)
    if key is not None:
        query = query.where(
            _lines.c.player == key[0], _lines.c.currency == key[1], rounds.c.table_id == key[2]
        )
    return map(_played, reading.stream(query))


def taken_back(reading: Reading, asked: Asked) -> Iterator[TakenBack]:
    """The results that were taken back then, each once, in the order of their sessions."""
    query = (
        select(_lines.c.player, _lines.c.currency, rounds.c.table_id, _lines.c.happened_at, _lines.c.position)
        .distinct()
        .join_from(_back, _lines, _same_bet(_lines.c.number + 1))
        .join(rounds, rounds.c.round == _lines.c.round)
        .where(*_asked_of(_back, asked), _back.c.number % 2 == 0)
        .order_by(
            _lines.c.player, _lines.c.currency, rounds.c.table_id, _lines.c.happened_at, _lines.c.position
        )
    )
    for row in reading.stream(query):
        key = (row["player"], row["currency"], row["table_id"])
        yield TakenBack(key, row["happened_at"], row["position"])


def _results(asked: Asked, known_at: int) -> Select[Any]:
    paid = case((_lines.c.paid_by == "house", _lines.c.payout_minor), else_=0)
    corrected = _lines.c.number > 1
    identity = (
        _lines.c.player,
        _lines.c.currency,
        rounds.c.table_id,
        _lines.c.happened_at,
        _lines.c.position,
        _lines.c.round,
        _lines.c.number,
    )
    return (
        select(
            *identity,
            rounds.c.opened_at,
            rounds.c.ruleset,
            rounds.c.jackpot,
            _whole(_lines.c.stake_minor - _lines.c.pooled_minor).label("stake_minor"),
            _whole(_lines.c.pooled_minor).label("jackpot_minor"),
            _whole(paid).label("won_minor"),
            func.max(_back.c.happened_at).label("taken_at"),
            func.max(_back.c.position).label("taken_position"),
            *(_rake_of_pot(asked.casino) if asked.pots else ()),
        )
        .join_from(_lines, rounds, rounds.c.round == _lines.c.round)
        .outerjoin(_back, and_(_same_bet(_lines.c.number + 1), _back.c.position <= known_at))
        .where(*_asked_of(_lines, asked), _lines.c.number % 2 == 1, _lines.c.result != "refund")
        .group_by(*identity, rounds.c.opened_at, rounds.c.ruleset, rounds.c.jackpot)
        .order_by(
            _lines.c.player,
            _lines.c.currency,
            rounds.c.table_id,
            corrected,
            _lines.c.happened_at,
            _lines.c.position,
            _lines.c.number,
        )
    )


def _asked_of(lines: Any, asked: Asked) -> list[ColumnElement[bool]]:
    begin, end = asked.bounds
    return [
        lines.c.casino == asked.casino,
        lines.c.happened_at >= begin,
        lines.c.happened_at < end,
        lines.c.position > asked.known.after,
        lines.c.position <= asked.known.upto,
        (lines.c.bet == POT) if asked.pots else (lines.c.bet != POT),
        *([] if asked.currency is None else [lines.c.currency == asked.currency]),
    ]


def _same_bet(number: ColumnElement[int]) -> ColumnElement[bool]:
    same = [_back.c[name] == _lines.c[name] for name in ("round", "seat", "bet")]
    return and_(*same, _back.c.number == number)


def _whole(column: ColumnElement[Any]) -> ColumnElement[int]:
    return cast(func.sum(column), BigInteger)


def _rake_of_pot(casino: str) -> list[ColumnElement[Any]]:
    """What the pot was short of when it was paid out, and who took what of it, this player marked."""
    own = and_(_pot.c.casino == casino, _pot.c.player == _lines.c.player)
    in_order = _pot.c.seat
    winners = _pot_lines(
        func.array_agg(aggregate_order_by(_pot.c.payout_minor, in_order)), _pot.c.result == "win"
    )
    whose = _pot_lines(func.array_agg(aggregate_order_by(own, in_order)), _pot.c.result == "win")
    return [
        _pot_lines(_whole(_pot.c.stake_minor - _pot.c.payout_minor)).label("raked_minor"),
        winners.label("winnings"),
        whose.label("own"),
    ]


def _pot_lines(what: ColumnElement[Any], *only: ColumnElement[bool]) -> ScalarSelect[Any]:
    same = (_pot.c.round == _lines.c.round, _pot.c.number == _lines.c.number)
    return select(what).where(*same, *only).correlate(_lines).scalar_subquery()


def _played(row: RowMapping) -> Played:
    taken = None if row["taken_at"] is None else Moment(row["taken_at"], row["taken_position"])
    return Played(
        player=row["player"],
        currency=row["currency"],
        table=row["table_id"],
        round=row["round"],
        number=row["number"],
        opened_at=row["opened_at"],
        settled_at=row["happened_at"],
        position=row["position"],
        ruleset=row["ruleset"],
        jackpot=row["jackpot"],
        stake_minor=row["stake_minor"],
        jackpot_minor=row["jackpot_minor"],
        won_minor=row["won_minor"],
        rake_minor=_rake(row) if "raked_minor" in row else 0,
        taken_back=taken,
    )


def _rake(row: RowMapping) -> int:
    """The part of the pot's rake that this player bore: each pot is raked alike, so it is in proportion to what was won."""
    if not row["raked_minor"]:
        return 0
    borne = divide_by_weight(row["raked_minor"], [Fraction(won) for won in row["winnings"]])
    return sum(compress(borne, row["own"]))
