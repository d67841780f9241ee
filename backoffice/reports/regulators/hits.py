"""What pools paid: the shares of a hit, and fixed prizes where the pool pays those; and what of it was taken back.

A share is told in the jackpot's own currency, in which the hit was divided, so that a hit adds up over all casinos. A
fixed prize of a pool was never worth anything in that currency: it is told in the player's.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from operator import attrgetter
from typing import Any
from urllib.parse import quote

from sqlalchemy import (
    ColumnElement,
    FromClause,
    RowMapping,
    Select,
    Text,
    and_,
    cast,
    exists,
    func,
    literal,
    select,
)

from backoffice.projections.jackpot_shares import jackpot_shares as shares
from backoffice.projections.round_lines import round_lines as lines
from backoffice.projections.rounds import rounds
from backoffice.reports.regulators.register import Stretch
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.sessions import Key, Moment

FIXED = "fixed"
"""The level of a prize that is no percentage of the pool."""


@dataclass(frozen=True, slots=True)
class Win:
    """What one seat won: `minor` in the currency of the hit, `paid_minor` in the player's own."""

    casino: str
    player: str
    table: str
    minor: int
    paid_currency: str
    paid_minor: int

    @property
    def key(self) -> Key:
        """The session that it was won in is of these."""
        return self.player, self.paid_currency, self.table


@dataclass(frozen=True, slots=True)
class Hit:
    """One round's winners of one level of a pool, of all casinos; `level` is a percentage or `FIXED`."""

    jackpot: str
    round: str
    number: int
    level: str
    currency: str
    won: Moment
    taken_back: Moment | None
    wins: tuple[Win, ...]

    @property
    def part(self) -> str:
        """What tells its file apart."""
        said = (self.jackpot, self.round, str(self.number), self.level, self.currency)
        return "/".join(quote(one, safe="") for one in said)

    @property
    def total_minor(self) -> int:
        """What all its winners won together, of whichever casino."""
        return sum(win.minor for win in self.wins)

    def wins_of(self, casino: str) -> Sequence[Win]:
        """What players of one casino won."""
        return [win for win in self.wins if win.casino == casino]


def hits(scope: Scope, known: Stretch) -> Iterator[Hit]:
    """The hits of the scope's day of which players of its casino won, by the stretch of the log they became known in."""
    for hit in _found(scope, _within(shares, scope), _within(lines, scope)):
        if known.after < hit.won.position <= known.upto:
            yield hit


def hits_taken_back(scope: Scope, known: Stretch) -> Iterator[Hit]:
    """The hits, of whatever day, that were taken back on the scope's day; by the stretch in which that became known."""
    gone = select(_gone.c.round).where(_within(_gone, scope), _gone.c.number % 2 == 0)
    begin, end = scope.bounds
    for hit in _found(scope, shares.c.round.in_(gone), lines.c.round.in_(gone)):
        taken = hit.taken_back
        if taken and begin <= taken.at < end and known.after < taken.position <= known.upto:
            yield hit


_gone = lines.alias("gone")
_identity = attrgetter("jackpot", "round", "number", "level", "currency", "won", "taken_back")


def _found(scope: Scope, of_shares: ColumnElement[bool], of_lines: ColumnElement[bool]) -> Iterator[Hit]:
    for query in (_shares(scope, of_shares), _fixed_prizes(scope, of_lines)):
        for _, parts in groupby(map(_hit, scope.reading.stream(query)), key=_identity):
            each = list(parts)
            hit = replace(each[0], wins=tuple(win for part in each for win in part.wins))
            if hit.wins_of(scope.casino):
                yield hit


def _shares(scope: Scope, chosen: ColumnElement[bool]) -> Select[Any]:
    return (
        select(
            shares.c.jackpot,
            shares.c.round,
            shares.c.number,
            (cast(shares.c.percent, Text) + "%").label("level"),
            shares.c.base_currency.label("currency"),
            shares.c.happened_at,
            shares.c.position,
            *_taken(shares, scope),
            shares.c.casino,
            shares.c.player,
            rounds.c.table_id,
            shares.c.share_base_minor.label("minor"),
            shares.c.currency.label("paid_currency"),
            shares.c.amount_minor.label("paid_minor"),
        )
        .join(rounds, rounds.c.round == shares.c.round)
        .where(chosen, shares.c.position <= scope.position)
        .order_by(shares.c.position, shares.c.seat)
    )


def _fixed_prizes(scope: Scope, chosen: ColumnElement[bool]) -> Select[Any]:
    """A line that the pool paid, and that is no share."""
    share = exists().where(
        shares.c.round == lines.c.round, shares.c.seat == lines.c.seat, shares.c.number == lines.c.number
    )
    return (
        select(
            rounds.c.jackpot,
            lines.c.round,
            lines.c.number,
            literal(FIXED).label("level"),
            lines.c.currency,
            lines.c.happened_at,
            lines.c.position,
            *_taken(lines, scope),
            lines.c.casino,
            lines.c.player,
            rounds.c.table_id,
            lines.c.payout_minor.label("minor"),
            lines.c.currency.label("paid_currency"),
            lines.c.payout_minor.label("paid_minor"),
        )
        .join(rounds, rounds.c.round == lines.c.round)
        .where(chosen, lines.c.position <= scope.position, lines.c.paid_by == "pool", ~share)
        .order_by(lines.c.position, lines.c.currency, lines.c.seat)
    )


def _within(table: FromClause, scope: Scope) -> ColumnElement[bool]:
    begin, end = scope.bounds
    known = table.c.position <= scope.position
    return and_(table.c.happened_at >= begin, table.c.happened_at < end, known)


def _taken(table: FromClause, scope: Scope) -> Iterator[ColumnElement[Any]]:
    """When, and where in the log, the result with its hits was taken back; nothing while it stands."""
    for name, column in (("taken_at", _gone.c.happened_at), ("taken_position", _gone.c.position)):
        query = select(func.max(column)).where(
            _gone.c.round == table.c.round,
            _gone.c.number == table.c.number + 1,
            _gone.c.position <= scope.position,
        )
        yield query.scalar_subquery().label(name)


def _hit(row: RowMapping) -> Hit:
    """A hit with the one win that a row tells of."""
    taken = row["taken_at"]
    win = Win(
        row["casino"], row["player"], row["table_id"], row["minor"], row["paid_currency"], row["paid_minor"]
    )
    return Hit(
        jackpot=row["jackpot"],
        round=row["round"],
        number=row["number"],
        level=row["level"],
        currency=row["currency"],
        won=Moment(row["happened_at"], row["position"]),
        taken_back=None if taken is None else Moment(taken, row["taken_position"]),
        wins=(win,),
    )
