"""Projecting a batch around whatever cannot be projected.

A poison event (a bug of ours, as a rule) must neither stop the read model nor be passed over: it is set aside with all
later events of its stream, everything else goes on, and after the fix they are projected in their order.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import psycopg
from sqlalchemy import Connection

from backoffice.projections.projection import SCHEMA, Projection
from backoffice.projections.reading import Written
from backoffice.projections.replay import ProjectionStopped, Replay
from backoffice.projections.rows import RowMissing
from backoffice.projections.stuck import MOST, Aside, count_stuck, set_aside, stuck_streams

POISON = (ProjectionStopped, RowMissing, psycopg.IntegrityError, psycopg.DataError)
"""The event's, or our, fault. A connection that is lost or a lock not had is nobody's: that is raised."""


@dataclass(slots=True)
class Projected:
    """What came of some events: the streams that are held up and by which event, and what is to be set aside."""

    held_up: dict[str, int]
    aside: list[Aside] = field(default_factory=list)


def project_around(
    connection: Connection, projection: Projection, replay: Replay, events: Sequence[Written]
) -> None:
    """Write what `events` come to, in the caller's transaction, and set aside what cannot be.

    Raises ProjectionStopped where that is too much to be an accident.
    """
    projected = Projected(stuck_streams(connection, projection.checkpoint))
    project(connection, replay, events, projected)
    set_aside(connection, projection.checkpoint, projected.aside)
    if projected.aside and count_stuck(connection, projection.checkpoint) > MOST:
        raise ProjectionStopped(f"{projection.name}: more than {MOST} events cannot be projected")


def project(connection: Connection, replay: Replay, events: Sequence[Written], projected: Projected) -> None:
    """All at once; where that fails one half after the other, down to the events that are to blame."""
    free = _free(events, projected)
    if not free:
        return
    try:
        with connection.begin_nested():
            replay.rows(free).flush(connection, SCHEMA)
    except POISON as bug:
        if len(free) == 1:
            _hold_up(free[0], bug, projected)
            return
        half = len(free) // 2
        project(connection, replay, free[:half], projected)
        project(connection, replay, free[half:], projected)


def _free(events: Sequence[Written], projected: Projected) -> Sequence[Written]:
    """The events whose stream is not held up; the others are noted."""
    if not projected.held_up:
        return events
    free = []
    for event in events:
        behind = projected.held_up.get(event.stream)
        if behind is None:
            free.append(event)
        else:
            projected.aside.append((event.position, event.stream, event.type, behind, f"behind {behind}"))
    return free


def _hold_up(event: Written, bug: Exception, projected: Projected) -> None:
    projected.held_up[event.stream] = event.position
    projected.aside.append((event.position, event.stream, event.type, None, str(bug)))
