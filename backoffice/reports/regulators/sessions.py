"""Sessions, and what an authority is told of them: one player's rounds at one table without a long pause.

A session is told once, as it was played. When rounds of it are reversed, what was told is called back, and what is left
of it is told anew, under the next version; so each version's id is told once, and called back at most once.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import groupby
from typing import NamedTuple

Key = tuple[str, str, str]
"""Player, currency, table."""


class Moment(NamedTuple):
    """When something happened, and at which position of the log that stands."""

    at: datetime
    position: int


@dataclass(frozen=True, slots=True)
class Played:
    """What one player did and won in one round, by one of its results. Sums are in minor units of `currency`."""

    player: str
    currency: str
    table: str
    round: str
    number: int
    opened_at: datetime
    settled_at: datetime
    position: int
    ruleset: str
    jackpot: str | None
    stake_minor: int
    """What was staked on the game, without what went to the jackpot; rake and all."""
    jackpot_minor: int
    """What of the stakes went to the jackpot."""
    won_minor: int
    """What came back, stakes included; without what the pool paid."""
    rake_minor: int = 0
    """What of the stake the house kept as rake."""
    taken_back: Moment | None = None

    @property
    def key(self) -> Key:
        """What a session is of."""
        return self.player, self.currency, self.table


@dataclass(frozen=True, slots=True)
class Told:
    """One version of a session, told or called back by the fact at `position`, which happened `at` that time."""

    played: tuple[Played, ...]
    first: Played
    """What the session began with: it is known by that."""
    version: int
    at: datetime
    position: int
    called_back: bool = False

    @property
    def sign(self) -> int:
        """What it counts in a total."""
        return -1 if self.called_back else 1

    @property
    def began_at(self) -> datetime:
        """When the first of its rounds was opened."""
        return min(one.opened_at for one in self.played)

    @property
    def ended_at(self) -> datetime:
        """When the last of its rounds was settled."""
        return max(one.settled_at for one in self.played)

    @property
    def name(self) -> str:
        """What this version is known by, among all of the casino: the same in whichever file it is told."""
        return self.name_of(self.version)

    @property
    def leaves_nothing(self) -> bool:
        """Whether it is called back and no round of it is left."""
        gone = {one.taken_back.position for one in self.played if one.taken_back is not None}
        stands = any(one.taken_back is None for one in self.played)
        return self.called_back and not stands and gone == {self.position}

    @property
    def jackpots(self) -> Sequence[str]:
        """The jackpots that it fed, in order."""
        return sorted({one.jackpot for one in self.played if one.jackpot and one.jackpot_minor})

    def name_of(self, version: int) -> str:
        """What another version is known by; the first one's name is the session's."""
        first = self.first
        return "\n".join((*first.key, first.round, str(first.number), str(version)))

    def total(self, of: str) -> int:
        """The sum of a field of what was played: `stake_minor`."""
        return sum(getattr(one, of) for one in self.played)


def sessions(played: Iterable[Played], pause: timedelta) -> Iterator[tuple[Played, ...]]:
    """Rounds in order of player, currency, table and time, cut where the player paused for longer than `pause`.

    So they are where the table began to play by another book. A corrected result is no round that was played then: it
    stands by itself.
    """
    session: list[Played] = []
    for one in played:
        if session and not _goes_on(session[-1], one, pause):
            yield tuple(session)
            session = []
        session.append(one)
    if session:
        yield tuple(session)


def as_played(session: tuple[Played, ...]) -> Told:
    """A session told for the first time, whatever became of its rounds."""
    last = max(session, key=lambda one: one.position)
    return Told(session, session[0], 1, last.settled_at, last.position)


def history(session: tuple[Played, ...]) -> Iterator[Told]:
    """Everything that came after the first telling, in order: versions called back, and what was left of them."""
    told = as_played(session)
    for taken, gone in groupby(_reversals(session), key=lambda one: one.taken_back):
        assert taken is not None  # only what was taken back is grouped
        yield replace(told, called_back=True, at=taken.at, position=taken.position)
        rounds = {one.round for one in gone}
        left = tuple(one for one in told.played if one.round not in rounds)
        if not left:
            return
        told = Told(left, told.first, told.version + 1, taken.at, taken.position)
        yield told


def _goes_on(before: Played, one: Played, pause: timedelta) -> bool:
    same = (before.key, before.ruleset) == (one.key, one.ruleset) and before.number == one.number == 1
    return same and one.opened_at - before.settled_at <= pause


def _reversals(session: Sequence[Played]) -> list[Played]:
    """What was taken back, in the order in which that became known."""
    gone = [(one.taken_back.position, one) for one in session if one.taken_back is not None]
    return [one for _, one in sorted(gone, key=lambda pair: pair[0])]
