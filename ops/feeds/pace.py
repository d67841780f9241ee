"""How fast a feed goes: an evening without a break, or visits spread over a year."""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Protocol


class Pace(Protocol):
    """When a feed begins, and how long it takes from one proposal to the next."""

    @property
    def begins(self) -> datetime:
        """The first moment, in UTC."""

    def step(self, chance: Random, now: datetime, taken: int) -> timedelta:
        """How long after `now`, with so many actions taken, the next one is proposed."""


class Evening:
    """An evening at a busy floor."""

    begins = datetime(2026, 5, 4, 16, tzinfo=UTC)

    def step(self, chance: Random, now: datetime, taken: int) -> timedelta:  # noqa: ARG002 - always the same
        """Less than a second."""
        return timedelta(milliseconds=chance.randrange(20, 900))


EVENING = Evening()
_FEWEST_VISITS = 730
_MOST_ACTIONS = 200


@dataclass(frozen=True, slots=True)
class Visits:
    """So many actions from `begins` to `ends`: busy for a while, two times a day at least, and quiet in between."""

    begins: datetime
    ends: datetime
    actions: int

    def step(self, chance: Random, now: datetime, taken: int) -> timedelta:
        """Some seconds; between visits what is left of the time, divided by the visits that are left."""
        a_visit = max(1, min(_MOST_ACTIONS, self.actions // _FEWEST_VISITS))
        left = self.actions - taken
        if left <= 0 or now >= self.ends or chance.randrange(a_visit):
            return timedelta(milliseconds=chance.randrange(200, 9000))
        pause = (self.ends - now) / max(1, left // a_visit)
        return timedelta(
            milliseconds=max(1, int(pause / timedelta(milliseconds=1) * chance.uniform(0.5, 1.5)))
        )
