"""`/health/live` and `/health/ready`: whether the process runs, and whether it had better be asked.

Being asked about a database that does not answer must not take as long as that: what this process knows itself is looked at
first.
"""

from collections.abc import Iterator
from typing import Literal

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sqlalchemy import Connection

from backoffice.api.asking import TheDesk
from backoffice.api.desk import Desk
from backoffice.api.problems import Kind, Problem, documented
from backoffice.api.reading_desk import RETRY
from backoffice.app.reactions import REACTING
from backoffice.db import check_migrated
from backoffice.projections.leading import SILENT_SECONDS
from backoffice.reports.queries.standing import Figures, figures

router = APIRouter(prefix="/health", tags=["health"])
UNANSWERED_SECONDS = 10.0
"""The database is asked every second; after so long without an answer it is not there."""
LATE_SECONDS = 60.0
"""Read tables may be so far behind, or not looked after for so long."""


class Alive(BaseModel):
    """The process runs and answers."""

    status: Literal["alive"] = "alive"


class Ready(BaseModel):
    """Everything is as it should be."""

    status: Literal["ready"] = "ready"
    head_age_seconds: float = Field(description="How long ago the last event was recorded.", examples=[0.4])
    lag_seconds: float = Field(description="How far the read tables are behind, at most.", examples=[0.0])


@router.get("/live")
async def live() -> Alive:
    """Say that the process runs."""
    return Alive()


@router.get("/ready", responses=documented(Kind.UNAVAILABLE, Kind.TOO_MANY, Kind.LATE, Kind.BUG))
async def ready(desk: TheDesk) -> Ready:
    """Say that the database answers and is of this program's shape, and that the read tables are looked after."""
    _refuse(_own_complaints(desk))
    told = await desk.readings.ask(_figures)
    _refuse(_complaints(told, followed_here=desk.follower is not None))
    return Ready(head_age_seconds=told.head_age_seconds, lag_seconds=told.lag_seconds)


def _figures(connection: Connection) -> Figures:
    check_migrated(connection)
    return figures(connection)


def _refuse(complaints: Iterator[str]) -> None:
    why = "; ".join(complaints)
    if why:
        raise Problem(Kind.UNAVAILABLE, why, headers=RETRY)


def _own_complaints(desk: Desk) -> Iterator[str]:
    """What this process knows itself."""
    pulse, follower = desk.pulse, desk.follower
    if pulse.leaving:
        yield "the server is to end"
    if not pulse.alive:
        yield "nobody looks at the log any more"
    elif pulse.silent_seconds > UNANSWERED_SECONDS:
        yield f"the database has not answered for {pulse.silent_seconds:.0f} s"
    if not desk.group.alive:
        yield "nothing is committed any more"
    if follower is None:
        return
    if not follower.alive:
        yield "nobody keeps the read tables up any more"
    elif follower.silent_seconds > LATE_SECONDS:
        yield f"nobody has kept the read tables up for {follower.silent_seconds:.0f} s"
    elif follower.trouble is not None:
        yield "the read tables cannot all be kept up: this server's log says why"


def _complaints(told: Figures, *, followed_here: bool) -> Iterator[str]:
    """What the database tells."""
    if told.lag_seconds > LATE_SECONDS:
        yield f"the read tables are {told.lag_seconds:.0f} s behind"
    if followed_here:
        return
    followed = [f"projection/{reader.name}" for reader in told.readers if not reader.inline]
    unled = [name for name in (*followed, REACTING) if told.led.get(name, LATE_SECONDS) > SILENT_SECONDS]
    if unled:
        yield f"no worker looks after {', '.join(unled)}"
