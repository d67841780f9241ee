"""One moment of the database for a whole answer: rows, and the position up to which they tell."""

from collections.abc import Iterator
from contextlib import contextmanager

from sqlalchemy import Connection, Engine, text

from backoffice.log.checkpoints import load
from backoffice.projections.projection import Projection
from backoffice.projections.reading import log_head
from backoffice.projections.versions import refuse_stale

LONGEST_SECONDS = 5
"""A statement that takes longer is ended by the database: nothing that is asked here should."""


@contextmanager
def snapshot(engine: Engine) -> Iterator[Connection]:
    """A connection that sees one moment and changes nothing."""
    options = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        connection.execute(text(f"set local statement_timeout = '{LONGEST_SECONDS}s'"))
        yield connection


def told_upto(connection: Connection, *projections: Projection) -> int:
    """The position up to which the rows of these tell, all of them; of none, the log's end.

    Raises CheckpointAhead or CheckpointElsewhere where the log was restored or exchanged, ProjectionStale where rows are
    of another version of the program.
    """
    return (
        min(_upto(connection, projection) for projection in projections)
        if projections
        else log_head(connection).position
    )


def _upto(connection: Connection, projection: Projection) -> int:
    if projection.inline:
        return log_head(connection).position
    position = load(connection, projection.checkpoint).position
    if position:
        refuse_stale(connection, projection)
    return position
