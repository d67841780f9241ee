"""Keeping the read tables up with the log inside the server, where no workers do."""

import logging
import time

from backoffice.api.watching import POLL_SECONDS, Watch
from backoffice.bootstrap import House
from backoffice.log.errors import CheckpointError
from backoffice.log.news import News
from backoffice.projections.replay import ProjectionStopped
from backoffice.projections.versions import ProjectionStale

log = logging.getLogger(__name__)

PAUSE_SECONDS = 0.05
"""Between two turns: larger batches cost less, and whoever commits is in the same process."""
STUCK = (CheckpointError, ProjectionStale, ProjectionStopped)
"""Why a reader of the log cannot go on; nothing that another turn would change."""


class Follower(Watch):
    """A thread that projects what is appended and carries out what is due. A context manager.

    Several processes may each have one: they take turns.
    """

    def __init__(self, house: House) -> None:
        super().__init__(house.engine.url, "follower")
        self._projector = house.projector()
        self._reactor = house.reactor()
        self._turned = time.monotonic()
        self.trouble: str | None = None
        """Why the last turn came to nothing; None where it did not."""

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

    def _watch(self, news: News) -> None:
        while not self._stop.wait(PAUSE_SECONDS):
            if not self.turn():
                news.wait(POLL_SECONDS)

    def _lost(self, why: str) -> None:
        self._note(why)

    def _note(self, trouble: str | None) -> None:
        if trouble is not None and trouble != self.trouble:
            log.error("%s", trouble)
        self.trouble = trouble
