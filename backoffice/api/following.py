"""Keeping the read tables up with the log inside the server, where no workers do."""

import logging
import time
from threading import Event, Thread
from types import TracebackType
from typing import Self

from backoffice.app.attempts import LOST
from backoffice.bootstrap import House
from backoffice.log.errors import CheckpointError
from backoffice.log.news import News
from backoffice.projections.replay import ProjectionStopped
from backoffice.projections.versions import ProjectionStale

log = logging.getLogger(__name__)

POLL_SECONDS = 1.0
"""So often the log is looked at, also when no news come through."""
PAUSE_SECONDS = 0.05
"""Between two turns: larger batches cost less, and whoever commits is in the same process."""
STUCK = (CheckpointError, ProjectionStale, ProjectionStopped)
"""Why a reader of the log cannot go on; nothing that another turn would change."""


class Follower:
    """A thread that projects what is appended and carries out what is due. A context manager.

    Several processes may each have one: they take turns.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._projector = house.projector()
        self._reactor = house.reactor()
        self._stop = Event()
        self._thread = Thread(target=self._run, name="follower", daemon=True)
        self._turned = time.monotonic()
        self.trouble: str | None = None
        """Why the last turn came to nothing; None where it did not."""

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop.set()
        self._thread.join()

    @property
    def alive(self) -> bool:
        """Whether its thread runs: a dead poller reports no lag, and is not healthy."""
        return self._thread.is_alive()

    @property
    def silent_seconds(self) -> float:
        """Since when no turn came to an end."""
        return time.monotonic() - self._turned

    def turn(self) -> bool:
        """A batch of every projection and the reactions that are due; whether there may be more. What cannot go on stops
        no other."""
        troubles, moved = [], 0
        for name in self._projector.lagging_names:
            try:
                moved += self._projector.catch_up_once(name)
            except STUCK as why:
                troubles.append(f"{name} cannot go on: {why}")
        try:
            self._reactor.carry_out_due()
        except STUCK as why:
            troubles.append(f"reactions cannot go on: {why}")
        self._note("; ".join(troubles) or None)
        self._turned = time.monotonic()
        return bool(moved)

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                with News(self._house.engine.url) as news:
                    self._follow(news)
            except LOST as lost:
                self._note(f"the database is not there: {str(lost).strip().partition(chr(10))[0]}")
                self._stop.wait(POLL_SECONDS)

    def _follow(self, news: News) -> None:
        while not self._stop.wait(PAUSE_SECONDS):
            if not self.turn():
                news.wait(POLL_SECONDS)

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and trouble != self.trouble:
            log.error("%s", trouble)
        self.trouble = trouble
