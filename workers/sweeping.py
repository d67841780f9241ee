"""Finding what is due and undone, whatever the broker remembers."""

from collections.abc import Callable
from itertools import islice

from celery import Celery

from backoffice.app.orders import open_orders
from backoffice.app.runs import deadly_tasks
from backoffice.bootstrap import House
from backoffice.projections.leading import leaders_of
from workers.houses import Workplace
from workers.queues import CASES, EXPORTS, waiting

MOST_WAITING = 200
"""So many tasks may wait in the queue before a sweep adds no more: dead workers must not fill the broker."""


def sweep(
    app: Celery,
    place: Workplace,
    react: Callable[[int], object],
    project: Callable[[str], object],
    make: Callable[[int], object],
) -> int:
    """Hand out reactions that are due, oldest first, projections that lag while nobody leads them, and files that are
    ordered, once the queue for them is empty; how many.
    """
    waits = waiting(app)
    room = max(0, MOST_WAITING - waits[CASES])
    positions = list(islice(due_positions(place), room))
    for position in positions:
        react(position)
    names = orphans(place.house)
    for name in names:
        project(name)
    numbers = [] if waits[EXPORTS] else ordered(place.house)
    for number in numbers:
        make(number)
    return len(positions) + len(names) + len(numbers)


def ordered(house: House) -> list[int]:
    """The files that are still to be made. One that somebody is at is handed out, too: who takes it lets it be.

    Not one that too many died of; see `runs`.
    """
    with house.engine.connect() as connection:
        deadly = {one.task for one in deadly_tasks(connection) if one.left_alone}
        numbers = [number for number in open_orders(connection) if filling(number) not in deadly]
    return numbers[:MOST_WAITING]


def filling(number: int) -> str:
    """How the task of filling this order is called among the runs."""
    return f"fill_order {number}"


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
