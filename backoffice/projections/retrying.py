"""Trying again, in order, what was set aside."""

from dataclasses import dataclass

from sqlalchemy import Engine

from backoffice.log.checkpoints import load
from backoffice.log.codec import Codec
from backoffice.projections.around_poison import Projected, project
from backoffice.projections.projection import Projection
from backoffice.projections.reading import read_these
from backoffice.projections.replay import Replay
from backoffice.projections.stuck import release, set_aside, stuck_positions
from backoffice.projections.versions import refuse_stale


@dataclass(frozen=True, slots=True)
class Retried:
    """How many events of a reader that had been set aside were taken now, and how many still could not be."""

    reader: str
    taken: int
    left: int


def retry(engine: Engine, codec: Codec, projection: Projection) -> Retried:
    """Project what was set aside, in one transaction, while nobody else projects: no later event comes in between.

    Raises ProjectionStale, and what a checkpoint that does not fit the log raises.
    """
    reader = projection.checkpoint
    with engine.begin() as connection:
        load(connection, reader, lock=True)
        positions = stuck_positions(connection, reader)
        if not positions:
            return Retried(reader, 0, 0)
        refuse_stale(connection, projection)
        projected = Projected({})
        project(connection, Replay(codec, [projection]), read_these(connection, positions), projected)
        left = {position for position, *_ in projected.aside}
        release(connection, reader, [position for position in positions if position not in left])
        set_aside(connection, reader, projected.aside)
    return Retried(reader, len(positions) - len(left), len(left))
