"""Projecting what the log has gained: rows and checkpoint in one transaction, so each event counts once."""

from sqlalchemy import Connection, Engine

from backoffice.log.checkpoints import advance, load
from backoffice.log.codec import Codec
from backoffice.projections.projection import SCHEMA, Projection
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


def _step(engine: Engine, projection: Projection, replay: Replay) -> int:
    with engine.begin() as connection:
        return catch_up_batch(connection, projection, replay) if _lag(connection, projection) else 0


def catch_up_batch(connection: Connection, projection: Projection, replay: Replay) -> int:
    """Project one batch in the caller's transaction; how many positions the checkpoint moved.

    The checkpoint's row is locked first: a second worker waits here and then goes on behind this one. Raises
    CheckpointAhead or CheckpointElsewhere where the log was restored or exchanged, ProjectionStale where the
    rows are of another version, ProjectionStopped for an event that cannot be projected.
    """
    start = load(connection, projection.checkpoint, lock=True)
    end = log_head(connection)
    if start.position == 0:
        note_version(connection, projection)
    refuse_stale(connection, projection)
    rows, reached = replay.next_batch(connection, start.position, end.position)
    rows.flush(connection, SCHEMA)
    advance(connection, projection.checkpoint, start.position, place_at(connection, end, reached))
    return reached - start.position


def _lag(connection: Connection, projection: Projection) -> int:
    """How many events behind, without a lock: a poll that finds nothing must cost the database nothing."""
    checkpoint = load(connection, projection.checkpoint)
    return log_head(connection).position - checkpoint.position
