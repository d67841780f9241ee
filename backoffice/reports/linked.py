"""Which players' stakes or wins reach a limit, singly or linked, on one gaming day.

Linked are those of one session, which is a player's rounds at one table without a longer gap than is allowed, and those of
one day. A session that goes on over the day's end is linked over it. The shares of one hit of a jackpot are linked with each
other: each payee is flagged where the whole hit reaches the limit.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from fractions import Fraction
from itertools import groupby
from typing import Literal, NamedTuple

Side = Literal["stakes", "wins"]


class Movement(NamedTuple):
    """A stake or a win of a player."""

    casino: str
    player: str
    side: Side
    at: datetime
    position: int
    round: str | None
    table: str | None
    """None for what is paid without a game."""
    worth: Fraction | None
    """In minor units of the base currency; None where no rate was in force."""
    hit: int = 0
    """What the whole hit paid, of which this is a share; in the base currency."""


@dataclass(slots=True)
class Flag:
    """What a player staked, or won, on one gaming day, and why somebody should look at it."""

    casino: str
    player: str
    side: Side
    day: date
    count: int = 0
    total: Fraction = Fraction(0)
    largest: Fraction = Fraction(0)
    in_session: Fraction = Fraction(0)
    """The most that a session with a bet on this day had come to by then."""
    hit: int = 0
    unconverted: int = 0
    """How many could not be converted."""
    reached: Movement | None = None
    """With which one the limit was reached."""

    def reasons(self, limit: int) -> tuple[str, ...]:
        """Why; empty where there is nothing to look at."""
        told = {
            "single": self.largest >= limit,
            "linked in a session": self.in_session >= limit > self.largest,
            "linked on the day": self.total >= limit > max(self.largest, self.in_session),
            "share of a hit": self.hit >= limit,
            "no rate to convert it": self.unconverted > 0,
        }
        return tuple(reason for reason, so in told.items() if so)


@dataclass(slots=True)
class _Session:
    last: datetime
    total: Fraction = Fraction(0)


@dataclass(slots=True)
class _Sessions:
    """One player's, by table."""

    gap: timedelta
    by_table: dict[str, _Session] = field(default_factory=dict)

    def add(self, movement: Movement) -> Fraction:
        """What the session has come to with this."""
        if movement.table is None or movement.worth is None:
            return Fraction(0)
        session = self.by_table.get(movement.table)
        if session is None or movement.at - session.last > self.gap:
            session = self.by_table[movement.table] = _Session(movement.at)
        session.last = movement.at
        session.total += movement.worth
        return session.total


def flags(
    movements: Iterable[Movement],
    day_of: Callable[[str, datetime], date],
    limit: int,
    gap_at: Callable[[str], timedelta],
) -> Iterator[Flag]:
    """Flags of `movements`, which come by casino, player and side, and then in the order in which they happened.

    `day_of` is a casino's gaming day, `gap_at` how long one may pause there within a session; `limit` is in minor units of
    the base currency.
    """
    for (casino, *_), of_player in groupby(movements, key=lambda one: (one.casino, one.player, one.side)):
        sessions = _Sessions(gap_at(casino))
        for day, of_day in groupby(of_player, key=lambda one: day_of(one.casino, one.at)):
            flag: Flag | None = None
            for movement in of_day:
                flag = flag or Flag(movement.casino, movement.player, movement.side, day)
                _count(flag, movement, sessions.add(movement), limit)
            if flag is not None and flag.reasons(limit):
                yield flag


def _count(flag: Flag, movement: Movement, in_session: Fraction, limit: int) -> None:
    flag.count += 1
    flag.unconverted += movement.worth is None
    worth = movement.worth or Fraction(0)
    flag.total += worth
    flag.largest = max(flag.largest, worth)
    flag.in_session = max(flag.in_session, in_session)
    flag.hit = max(flag.hit, movement.hit)
    if flag.reached is None and flag.reasons(limit):
        flag.reached = movement
