"""How many requests somebody may make: so many a second on the long run, so many at once (GCRA, one moment kept a person)."""

import math
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

FORGET_ABOVE = 10_000
"""So many are remembered before those that have nothing to wait for are forgotten."""


@dataclass(frozen=True, slots=True)
class Rate:
    """What each may do: `a_second` requests on the long run, `at_once` of them without a pause."""

    a_second: float
    at_once: int

    @property
    def apart_seconds(self) -> float:
        """How far requests are apart that come evenly."""
        return 1 / self.a_second

    @property
    def early_seconds(self) -> float:
        """By how much a request may come before its turn."""
        return self.at_once * self.apart_seconds


class Allowance(Protocol):
    """Counts requests, wherever."""

    async def wait_seconds(self, who: str) -> float:
        """0 where `who` may make one more now, and it is counted; else after how long."""
        ...

    async def close(self) -> None:
        """Let go of where it is kept."""
        ...


MakeAllowance = Callable[[str, Rate], Allowance]
"""Makes one that all processes share, by the URL of where it is kept."""


class OwnAllowance:
    """An allowance that this process counts by itself."""

    def __init__(self, rate: Rate, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._clock = clock
        self._turns: dict[str, float] = {}

    async def wait_seconds(self, who: str) -> float:
        """See `Allowance`."""
        now = self._clock()
        turn = max(self._turns.get(who, now), now) + self._rate.apart_seconds
        wait = turn - now - self._rate.early_seconds
        if wait > 0:
            return wait
        if len(self._turns) >= FORGET_ABOVE:
            self._turns = {name: other for name, other in self._turns.items() if other > now}
        self._turns[who] = turn
        return 0.0

    async def close(self) -> None:
        """Nothing: it is kept here."""


def whole_seconds(wait: float) -> str:
    """For `Retry-After`."""
    return str(max(1, math.ceil(wait)))
