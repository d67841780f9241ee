"""What workers do. Tasks are told ids and nothing else; done twice, late or in another order they come to the same."""

import logging
from pathlib import PurePath
from typing import Any

from celery import Task

from backoffice.app.reacting import ReactionStopped
from workers.app import app
from workers.exporting import export_once
from workers.following import follow
from workers.houses import workplace
from workers.queues import CASES, EXPORTS, PROJECTIONS
from workers.sweeping import sweep

log = logging.getLogger(__name__)


@app.task(name="carry_out_reactions", queue=CASES, bind=True, soft_time_limit=60, time_limit=90)  # type: ignore[untyped-decorator]
def carry_out_reactions(self: Task[Any, Any], *, position: int) -> None:
    """Do what the fact at `position` causes, and before it what its stream had caused earlier.

    A message that comes again because its process died is let go: one that kills every process that takes it would go
    round for ever. The fact is still due by the log, and the next sweep brings it again.
    """
    if (self.request.delivery_info or {}).get("redelivered"):
        log.warning("position %s: its worker was lost; left to the sweep", position)
        return
    try:
        workplace().reactor.carry_out(position)
    except ReactionStopped:
        log.exception("set aside: backoffice projections stuck reactions")


@app.task(name="catch_up_projection", queue=PROJECTIONS, soft_time_limit=240, time_limit=300)  # type: ignore[untyped-decorator]
def catch_up_projection(*, name: str) -> None:
    """Project what the log has gained for one projection, unless somebody else leads it."""
    follow(workplace().house, name)


@app.task(name="write_export", queue=EXPORTS)  # type: ignore[untyped-decorator]
def write_export(*, export: str, file: str) -> None:
    """Write an export to a file of the exports' folder, once: a file that is there is whole and stays as it is.

    Its form is that of its name's ending.
    """
    place = workplace()
    if PurePath(file).name != file:
        raise ValueError(f"{file!r} is no file name")
    export_once(place.house, export, place.settings.exports / file)


@app.task(name="sweep_due", queue=CASES, soft_time_limit=60, time_limit=90)  # type: ignore[untyped-decorator]
def sweep_due() -> None:
    """Hand out again what is due by the log and not done: what the broker lost, or never had."""
    swept = sweep(
        app,
        workplace(),
        lambda position: carry_out_reactions.apply_async(kwargs={"position": position}),
        lambda name: catch_up_projection.apply_async(kwargs={"name": name}),
    )
    if swept:
        log.info("handed out again: %s", swept)
