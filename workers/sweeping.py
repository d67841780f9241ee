"""Finding what is due and undone, whatever the broker remembers."""

from collections.abc import Callable
from itertools import islice

from celery import Celery

from backoffice.bootstrap import House
from backoffice.projections.leading import leaders_of
from workers.houses import Workplace
from workers.queues import CASES, waiting

MOST_WAITING = 200
"""So many tasks may wait in the queue before a sweep adds no more: dead workers must not fill the broker."""


def sweep(
    app: Celery, place: Workplace, react: Callable[[int], object], project: Callable[[str], object]
) -> int:
    """Hand out reactions that are due, oldest first, and projections that lag while nobody leads them; how many."""
    room = max(0, MOST_WAITING - waiting(app)[CASES])
    positions = list(islice(due_positions(place), room))
    for position in positions:
        react(position)
    names = orphans(place.house)
    for name in names:
        project(name)
    return len(positions) + len(names)


def due_positions(place: Workplace) -> tuple[int, ...]:
    """What is due, as the log says."""
    while (survey := place.reactor.survey()).more:
        pass
    return survey.due


def orphans(house: House) -> list[str]:
    """The projections that lag and that no living leader follows."""
    led = {leader.reader for leader in leaders_of(house.engine) if leader.alive}
    lagging = (lag.reader for lag in house.projector().lags() if lag.events)
    return [reader.removeprefix("projection/") for reader in lagging if reader not in led]
