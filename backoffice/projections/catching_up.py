"""Projecting what the log has gained: rows and checkpoint in one transaction, so each event counts once.

An event that cannot be projected holds up its own stream and nothing else; see `around_poison`.
"""

from sqlalchemy import Connection, Engine

from backoffice.log.checkpoints import advance, load
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head
from backoffice.projections.around_poison import project_around
from backoffice.projections.leading import Lead
from backoffice.projections.projection import Projection
from backoffice.projections.reading import log_head, place_at
from backoffice.projections.replay import Replay
from backoffice.projections.versions import note_version, refuse_stale


def catch_up(engine: Engine, codec: Codec, projection: Projection) -> int:
    """Project everything up to the log's end; how many positions that was.

    Uses one connection at a time. Workers of the same projection take turns, batch by batch. Raises what
    `catch_up_batch` raises.
    """
    replay = Replay(codec, [projection])
    total = 0
    while moved := _step(engine, projection, replay):
        total += moved
    return total


def catch_up_once(engine: Engine, codec: Codec, projection: Projection) -> int:
    """Project one batch, as `catch_up` does many; how many positions that was."""
    return _step(engine, projection, Replay(codec, [projection]))


def catch_up_over(connection: Connection, codec: Codec, projection: Projection, lead: Lead) -> int:
    """Project one batch over the session of a leader; how many positions that was. Raises Deposed and what `catch_up` does.

    That it leads is looked at in the transaction of the rows, and cannot change before that ends.
    """
    with connection.begin():
        lead.confirm(connection)
        if not _lag(connection, projection):
            return 0
        return catch_up_batch(connection, projection, Replay(codec, [projection]))


def _step(engine: Engine, projection: Projection, replay: Replay) -> int:
    with engine.begin() as connection:
        return catch_up_batch(connection, projection, replay) if _lag(connection, projection) else 0


def catch_up_batch(connection: Connection, projection: Projection, replay: Replay) -> int:
    """Project one batch in the caller's transaction; how many positions the checkpoint moved.

    The checkpoint's row is locked first: a second worker waits here and then goes on behind this one. Raises
    CheckpointAhead or CheckpointElsewhere where the log was restored or exchanged, ProjectionStale where the
    rows are of another version, ProjectionStopped where too many events cannot be projected.
    """
    start = load(connection, projection.checkpoint, lock=True)
    return (
        project_batch(connection, projection, replay, start, log_head(connection)).position - start.position
    )


def project_batch(
    connection: Connection, projection: Projection, replay: Replay, start: Head, end: Head
) -> Head:
    """Project one batch from `start`, where the locked checkpoint is, towards `end`; where it is now.

    Raises what `catch_up_batch` raises.
    """
    if start.position == 0:
        note_version(connection, projection)
    refuse_stale(connection, projection)
    events, reached = replay.read(connection, start.position, end.position)
    project_around(connection, projection, replay, events)
    now = place_at(connection, end, reached)
    advance(connection, projection.checkpoint, start.position, now)
    return now


def _lag(connection: Connection, projection: Projection) -> int:
    """How many events behind, without a lock: a poll that finds nothing must cost the database nothing."""
    checkpoint = load(connection, projection.checkpoint)
    return log_head(connection).position - checkpoint.position
