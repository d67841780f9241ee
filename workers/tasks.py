"""What workers do. Tasks are told ids and nothing else; done twice, late or in another order they come to the same."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import PurePath

from backoffice.app import runs
from backoffice.app.reacting import ReactionStopped
from workers.app import app
from workers.exporting import export_once, fill_order
from workers.following import follow
from workers.houses import workplace
from workers.queues import CASES, EXPORTS, PROJECTIONS
from workers.sweeping import filling, sweep

log = logging.getLogger(__name__)


class LeftAlone(Exception):
    """A task of which too many workers died; the message says which. `backoffice workers retry` has it tried again."""


@contextmanager
def _survivable(task: str) -> Iterator[None]:
    """Do `task` within. Raises LeftAlone where too many died of it."""
    with runs.run(workplace().house.engine, task) as deaths:
        if deaths >= runs.MOST_DEATHS:
            raise LeftAlone(f"{task}: {deaths} workers died of it")
        yield


@app.task(name="carry_out_reactions", queue=CASES, soft_time_limit=60, time_limit=90)  # type: ignore[untyped-decorator]
def carry_out_reactions(*, position: int) -> None:
    """Do what the fact at `position` causes, and before it what its stream had caused earlier."""
    reactor = workplace().reactor
    with runs.run(workplace().house.engine, f"carry_out_reactions {position}") as deaths:
        try:
            if deaths < runs.MOST_DEATHS:
                reactor.carry_out(position)
            else:
                reactor.give_up(position, f"{deaths} workers died of it")
                log.error("position %s: %s workers died of it", position, deaths)
        except ReactionStopped:
            log.exception("set aside: backoffice projections stuck reactions")


@app.task(name="catch_up_projection", queue=PROJECTIONS, soft_time_limit=240, time_limit=300)  # type: ignore[untyped-decorator]
def catch_up_projection(*, name: str) -> None:
    """Project what the log has gained for one projection, unless somebody else leads it."""
    with _survivable(f"catch_up_projection {name}"):
        follow(workplace().house, name)


@app.task(name="write_export", queue=EXPORTS)  # type: ignore[untyped-decorator]
def write_export(*, export: str, file: str) -> None:
    """Write an export to a file of the exports' folder, once: a file that is there is whole and stays as it is.

    Its form is that of its name's ending.
    """
    place = workplace()
    if PurePath(file).name != file:
        raise ValueError(f"{file!r} is no file name")
    with _survivable(f"write_export {export} {file}"):
        export_once(place.house, export, place.settings.exports / file)


@app.task(name="fill_order", queue=EXPORTS)  # type: ignore[untyped-decorator]
def make_ordered(*, number: int) -> None:
    """Make the file that was ordered under this number, once, in the exports' folder."""
    place = workplace()
    with _survivable(filling(number)):
        fill_order(place.house, number, place.settings.exports)


@app.task(name="sweep_due", queue=CASES, soft_time_limit=60, time_limit=90)  # type: ignore[untyped-decorator]
def sweep_due() -> None:
    """Hand out again what is due by the log and not done: what the broker lost, or never had."""
    with workplace().house.engine.begin() as connection:
        runs.forget_accidents(connection)
    swept = sweep(
        app,
        workplace(),
        lambda position: carry_out_reactions.apply_async(kwargs={"position": position}),
        lambda name: catch_up_projection.apply_async(kwargs={"name": name}),
        lambda number: make_ordered.apply_async(kwargs={"number": number}),
    )
    if swept:
        log.info("handed out again: %s", swept)
