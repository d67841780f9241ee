"""Stored rows against the log, without touching them: a routine audit as much as a help in need."""

from collections.abc import Iterator

from sqlalchemy import Connection, Engine

from backoffice.log.checkpoints import load
from backoffice.log.codec import Codec
from backoffice.log.errors import CheckpointMoved
from backoffice.log.statements import raw
from backoffice.projections.differences import Difference, differences
from backoffice.projections.projection import Projection
from backoffice.projections.reading import log_head
from backoffice.projections.replay import Replay
from backoffice.projections.shadow import analyze, fill, shadows, top_up


def compare(engine: Engine, codec: Codec, projection: Projection) -> Iterator[Difference]:
    """Replay the log up to where the stored rows are and yield every row that differs.

    The stored rows and their checkpoint are looked at in one snapshot, so appends that go on meanwhile make
    no difference. Raises CheckpointAhead or CheckpointElsewhere where the log was restored or exchanged,
    and ProjectionStopped for an event that cannot be projected.
    """
    replay = Replay(codec, [projection])
    with shadows(engine, [projection]) as connection:
        reached = fill(connection, replay, 0, lambda connection: _stored_upto(connection, projection))
        with connection.begin():
            analyze(connection, projection)
        connection.execution_options(isolation_level="REPEATABLE READ")
        with connection.begin():
            # Nobody waits for this snapshot: whoever reads the differences may take his time.
            raw(connection).execute(b"set local idle_in_transaction_session_timeout = 0")
            end = _stored_upto(connection, projection)
            if end < reached:
                raise CheckpointMoved(f"{projection.checkpoint} went back to {end} while it was compared")
            top_up(connection, replay, reached, end)
            for table in projection.tables:
                yield from differences(connection, table)


def _stored_upto(connection: Connection, projection: Projection) -> int:
    """What the stored rows stand for: an inline projection's are always at the head."""
    return (log_head(connection) if projection.inline else load(connection, projection.checkpoint)).position
