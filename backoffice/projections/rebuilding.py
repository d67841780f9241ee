"""Redrawing read models from the first event on, while the stored rows serve.

The log is replayed into shadows (`shadow`), a batch a transaction, in flat memory. Then, one projection
after the other, what was appended meanwhile is replayed under that projection's lock, the stored rows are
compared with the shadow and those that differ are put right, in one transaction: readers see the old rows
until it commits, the right ones from then on, and are never locked out. Killed at any moment it leaves
nothing behind. A replay is rows and nothing else: no reaction and no other side effect hangs on it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, Engine

from backoffice.log.checkpoints import advance, forget, load
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head
from backoffice.log.errors import CheckpointAhead, CheckpointElsewhere
from backoffice.log.postgres import PostgresWriter
from backoffice.projections.differences import Healed, heal
from backoffice.projections.projection import SCHEMA, Projection
from backoffice.projections.reading import log_head, place_at
from backoffice.projections.replay import Replay
from backoffice.projections.shadow import analyze, fill, shadows, top_up
from backoffice.projections.statements import count_rows
from backoffice.projections.stuck import forget_stuck
from backoffice.projections.versions import note_version, stored_version


@dataclass(frozen=True, slots=True)
class Rebuilt:
    """A projection redrawn: up to where, how many rows it has now, how many had not been right."""

    name: str
    position: int
    rows: int
    healed: Healed
    """Against what the log says up to where the rows were; what they lacked because they lagged is not counted."""

    @property
    def differed(self) -> bool:
        """Whether anything that was stored was not what the log says."""
        return self.healed != Healed()


def rebuild(engine: Engine, codec: Codec, projections: Sequence[Projection]) -> list[Rebuilt]:
    """Redraw `projections` in one pass over the log, each event decoded once; what came of each.

    Mends a checkpoint that is ahead of the log or of another log, too: what it stood for is redrawn. Raises
    ProjectionStopped for an event that cannot be projected; the stored rows stay as they are then.
    """
    with shadows(engine, projections) as connection:
        reached = fill(connection, Replay(codec, projections), 0, _goal(projections))
        return [_finish(connection, Replay(codec, [each]), each, reached) for each in projections]


def _finish(connection: Connection, replay: Replay, projection: Projection, reached: int) -> Rebuilt:
    reached = fill(connection, replay, reached, _goal([projection]))
    with connection.begin():
        analyze(connection, projection)
    with connection.begin():
        finish = _finish_inline if projection.inline else _finish_lagging
        end, healed = finish(connection, replay, projection, reached)
        note_version(connection, projection, mended=projection.inline and healed != Healed())
        rows = sum(count_rows(connection, table) for table in projection.tables)
    return Rebuilt(projection.name, end.position, rows, healed)


def _finish_inline(
    connection: Connection, replay: Replay, projection: Projection, reached: int
) -> tuple[Head, Healed]:
    """Under the head's lock: nobody appends, so nobody writes these rows, until this transaction ends."""
    end = PostgresWriter(connection).head
    return end, _healed(connection, replay, projection, reached, end.position)


def _finish_lagging(
    connection: Connection, replay: Replay, projection: Projection, reached: int
) -> tuple[Head, Healed]:
    """Under the checkpoint's lock: nobody else projects until this transaction ends.

    It catches up as well.
    """
    start = _locked(connection, projection)
    end = log_head(connection)
    current = stored_version(connection, projection) == projection.version
    compared = start.position if current and 0 < start.position >= reached else end.position
    healed = _healed(connection, replay, projection, reached, compared)
    for rows, _ in replay.batches(connection, compared, end.position):
        rows.flush(connection, SCHEMA)
    forget_stuck(connection, projection.checkpoint)
    advance(connection, projection.checkpoint, start.position, end)
    return end, healed


def _healed(
    connection: Connection, replay: Replay, projection: Projection, reached: int, upto: int
) -> Healed:
    top_up(connection, replay, reached, upto)
    return sum((heal(connection, table) for table in projection.tables), Healed())


def _goal(projections: Sequence[Projection]) -> Callable[[Connection], int]:
    """How far these can be redrawn together."""

    def goal(connection: Connection) -> int:
        return min(_comparable(connection, projection) for projection in projections)

    return goal


def _comparable(connection: Connection, projection: Projection) -> int:
    """Where stored rows and log are compared: up to where the rows are, or the log's end if there is no telling."""
    if projection.inline or stored_version(connection, projection) != projection.version:
        return log_head(connection).position
    try:
        checkpoint = load(connection, projection.checkpoint)
    except (CheckpointAhead, CheckpointElsewhere):
        return log_head(connection).position
    return checkpoint.position or log_head(connection).position


def _locked(connection: Connection, projection: Projection) -> Head:
    """The checkpoint, locked; put back to the beginning if it does not fit the log."""
    try:
        return load(connection, projection.checkpoint, lock=True)
    except (CheckpointAhead, CheckpointElsewhere):
        forget(connection, projection.checkpoint)
        return place_at(connection, log_head(connection), 0)
