"""The tail: follows the log, catches the read tables up, and hands out the reactions that facts make necessary.

Woken when something is appended, and by itself every few seconds; however many run, one leads each reader of the log.
Where there is no broker it carries reactions out itself. Run it by `backoffice-tail` or `python -m workers.tail`.
"""

import logging
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Event
from typing import Literal, TypeVar

from backoffice.app.attempts import LOST
from backoffice.app.reacting import ReactionStopped, Reactor, Survey
from backoffice.app.reactions import REACTING
from backoffice.bootstrap import House
from backoffice.log.errors import CheckpointError
from backoffice.log.news import News
from backoffice.projections.leading import Deposed
from backoffice.projections.replay import ProjectionStopped
from backoffice.projections.versions import ProjectionStale
from backoffice.settings import Settings
from workers.following import Leading
from workers.houses import close_house, workplace

log = logging.getLogger(__name__)

POLL_SECONDS = 2.0
"""So often the log is looked at and a leader is seen, also when no news come through."""
LONGEST_PAUSE_SECONDS = 5.0
"""Between two tries to reach a database that does not answer."""

STUCK = (CheckpointError, ProjectionStale, ProjectionStopped)
"""Why a reader of the log cannot go on; nothing that another turn would change, and no reason to stop the others."""


Step = TypeVar("Step")


class NotHandedOut(Exception):
    """The broker took no message; the fact stays due."""


HandOut = Callable[[int], None]
"""Sees to it that the reaction to the fact at a position is carried out. Raises NotHandedOut."""


class Tail:
    """One process's part in following the log. `turn` does what can be done now."""

    def __init__(self, house: House, reactor: Reactor, hand_out: HandOut | None) -> None:
        self._house = house
        self._names = house.projector().lagging_names
        self._reactor = reactor
        self._hand_out = hand_out or self._carry_out
        self._handed_out: set[int] = set()
        self._told: dict[str, str] = {}

    def run(self, stop: Event) -> None:
        """Follow the log until `stop` is set, whatever becomes of the database meanwhile."""
        pauses = 0
        while not stop.is_set():
            try:
                with News(self._house.engine.url) as news, Leading(self._house) as leading:
                    self._follow(news, leading, stop)
            except Deposed as deposed:
                log.warning("%s", deposed)
            except LOST as lost:
                pauses += 1
                log.warning("the database is not there: %s", str(lost).strip().partition("\n")[0])
                stop.wait(min(LONGEST_PAUSE_SECONDS, 0.2 * 2 ** min(pauses, 10)))
            else:
                pauses = 0

    def turn(self, leading: Leading) -> bool:
        """A batch of every projection and the reactions that are due; whether there may be more to do at once."""
        moved = sum(self._project(leading, name) for name in self._names)
        more = leading.leads(REACTING) and self._react()
        return bool(moved) or more

    def _follow(self, news: News, leading: Leading, stop: Event) -> None:
        while not stop.is_set():
            if not self.turn(leading):
                news.wait(POLL_SECONDS)

    def _project(self, leading: Leading, name: str) -> int:
        return self._unless_stuck(name, lambda: leading.project(name))

    def _react(self) -> bool:
        survey = self._unless_stuck(REACTING, self._reactor.survey) or Survey((), more=False)
        self._handed_out &= set(survey.due)
        for position in survey.due:
            if position not in self._handed_out:
                try:
                    self._hand_out(position)
                except NotHandedOut as refused:
                    log.warning("%s", refused)
                    return False
                self._handed_out.add(position)
        return survey.more

    def _unless_stuck(self, name: str, step: Callable[[], Step]) -> Step | Literal[0]:
        """What a step came to; 0 where its reader cannot go on, which is told once and stops no other."""
        try:
            result = step()
        except STUCK as why:
            if self._told.get(name) != str(why):
                log.error("%s cannot go on: %s", name, why)  # noqa: TRY400 - known, and told in a sentence
            self._told[name] = str(why)
            return 0
        self._told.pop(name, None)
        return result

    def _carry_out(self, position: int) -> None:
        try:
            self._reactor.carry_out(position)
        except ReactionStopped:
            log.exception("set aside: backoffice projections stuck reactions")


@contextmanager
def stopped_by_signal() -> Iterator[Event]:
    """An event that is set when the process is asked to end."""
    stop = Event()
    for asked in (signal.SIGTERM, signal.SIGINT):
        signal.signal(asked, lambda *_: stop.set())
    yield stop


def _hand_out(settings: Settings) -> HandOut | None:
    if settings.broker_url is None:
        return None
    from workers.handing_out import hand_out  # noqa: PLC0415 - Celery only where there is a broker

    return hand_out


def main() -> None:
    """Follow the log until asked to end."""
    logging.basicConfig(level=logging.INFO, stream=sys.stderr, format="%(asctime)s tail: %(message)s")
    place = workplace()
    try:
        with stopped_by_signal() as stop:
            Tail(place.house, place.reactor, _hand_out(place.settings)).run(stop)
    finally:
        close_house()


if __name__ == "__main__":
    main()
