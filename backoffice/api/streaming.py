"""What streams share: how many there may be, and the newest meters, read once for all of them."""

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial

from backoffice.api.problems import Kind, Problem
from backoffice.api.reading_desk import RETRY, ReadingDesk
from backoffice.log.codec import Codec
from backoffice.reports.queries.jackpots import Meters, read_meters
from backoffice.reports.scope import EVERYTHING

MOST = 200
"""Streams of one process."""
EVERY_SECONDS = 0.5
"""Meters are read no more often."""


class Streams:
    """Counts the streams that are open."""

    def __init__(self) -> None:
        self.open = 0

    @contextmanager
    def place(self) -> Iterator[None]:
        """A place for one more. Raises a Problem where there is none left."""
        if self.open >= MOST:
            raise Problem(Kind.TOO_MANY, "too many streams are open already", headers=RETRY)
        self.open += 1
        try:
            yield
        finally:
            self.open -= 1


class NewestMeters:
    """The meters of the whole network, for all who want the same at the same time."""

    def __init__(self, readings: ReadingDesk, codec: Codec) -> None:
        self._readings = readings
        self._read = partial(read_meters, codec=codec, scope=EVERYTHING)
        self._one_at_a_time = asyncio.Lock()
        self._newest = Meters(rows=[], position=-1)
        self._at = -EVERY_SECONDS

    async def at(self, position: int) -> Meters:
        """The meters as they are at a position of the log, or later."""
        async with self._one_at_a_time:
            if self._newest.position < position:
                await asyncio.sleep(self._at + EVERY_SECONDS - time.monotonic())
                self._newest = await self._readings.ask(self._read)
                self._at = time.monotonic()
            return self._newest
