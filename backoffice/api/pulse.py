"""What the log and its readers have come to, told to all who wait: one thread and one listening connection a process.

Whoever waits holds no thread and no connection of the database. News only cut the waits short; the log is looked at all
the same, so a notification that is lost, or a listening connection that dies, costs a moment and never an event.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple, Self

from sqlalchemy import Engine, literal, select, union_all

from backoffice.api.watching import POLL_SECONDS, Watch
from backoffice.log.news import News
from backoffice.log.tables import checkpoints, head
from backoffice.projections.projection import Projection

log = logging.getLogger(__name__)

LEAST_SECONDS = 0.02
"""It is looked at no more often, however much is appended."""
QUICK_SECONDS = 0.03
"""So often while somebody waits for a reader that is behind, or the log has just grown: readers send no news."""
RECENT_SECONDS = 3.0
_HEAD = ""
_PLACES = union_all(
    select(literal(_HEAD), head.c.position), select(checkpoints.c.name, checkpoints.c.position)
)


class Beat(NamedTuple):
    """Where the log is, and each of its readers, by its name among the checkpoints."""

    head: int = 0
    readers: Mapping[str, int] = {}

    def reached(self, *projections: Projection) -> int:
        """The position that all of these have come to."""
        return min((self._of(projection) for projection in projections), default=self.head)

    def _of(self, projection: Projection) -> int:
        return self.head if projection.inline else self.readers.get(projection.checkpoint, 0)


class Pulse(Watch):
    """Looks at the log and wakes those who wait. A context manager, entered inside the event loop."""

    def __init__(self, engine: Engine) -> None:
        super().__init__(engine.url, "pulse")
        self._engine = engine
        self._moved = asyncio.Condition()
        self._grew = self._seen = time.monotonic()
        self._waiting = 0
        self.beat = Beat()
        self.leaving = False
        """Whether the server is to end: nobody waits any more."""

    def __enter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        return super().__enter__()

    @property
    def silent_seconds(self) -> float:
        """Since when the database has not answered it."""
        return time.monotonic() - self._seen

    async def until(self, so: Callable[[Beat], bool], seconds: float) -> bool:
        """Wait until it is so, for at most `seconds`; whether it is. Returns at once when the server is to end."""
        self._waiting += 1
        try:
            async with asyncio.timeout(seconds), self._moved:
                await self._moved.wait_for(lambda: self.leaving or so(self.beat))
        except TimeoutError:
            pass
        finally:
            self._waiting -= 1
        return so(self.beat)

    def leave(self) -> None:
        """The server is to end; from any thread, also inside a signal's handler."""
        self.leaving = True
        self._loop.call_soon_threadsafe(self._wake)

    def _watch(self, news: News) -> None:
        while not self._stop.is_set():
            self._look()
            self._stop.wait(LEAST_SECONDS)
            news.wait(self._patience())

    def _lost(self, why: str) -> None:
        log.warning("%s", why)

    def _look(self) -> None:
        beat = self._measured()
        now = time.monotonic()
        if beat.head != self.beat.head:
            self._grew = now
        self._seen = now
        if beat != self.beat:
            self.beat = beat
            self._loop.call_soon_threadsafe(self._wake)

    def _measured(self) -> Beat:
        with self._engine.connect() as connection:
            places: dict[str, int] = dict(iter(connection.execute(_PLACES)))
            return Beat(places.pop(_HEAD), places)

    def _patience(self) -> float:
        behind = any(position < self.beat.head for position in self.beat.readers.values())
        recent = time.monotonic() - self._grew < RECENT_SECONDS
        return QUICK_SECONDS if behind and (recent or self._waiting) else POLL_SECONDS

    def _wake(self) -> None:
        self._waking = self._loop.create_task(self._notify())

    async def _notify(self) -> None:
        async with self._moved:
            self._moved.notify_all()
