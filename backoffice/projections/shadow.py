"""Copies of read tables that live in one session: filled by a replay, compared with the stored rows, gone.

They are temporary tables: nobody else sees them, they cost no WAL, and whatever ends the session - a kill,
too - takes them along. Everything that belongs to a replay goes over this one session, reading the log as
well: replays that share a small pool wait for each other, but never for themselves.
"""

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager

from psycopg.sql import SQL, Composed, Identifier
from sqlalchemy import Connection, Engine, Table

from backoffice.log.statements import raw
from backoffice.projections.projection import SCHEMA, Projection
from backoffice.projections.replay import BATCH, Replay
from backoffice.projections.statements import key_names

SHADOW = "pg_temp"
"""PostgreSQL's name for the schema of a session's own tables."""

# One such session may take more than a query's usual share.
_SETTINGS = (b"set temp_buffers = '64MB'", b"set work_mem = '64MB'")


@contextmanager
def shadows(engine: Engine, projections: Iterable[Projection]) -> Iterator[Connection]:
    """A session with an empty shadow of every table of `projections`; it is closed at the end."""
    with engine.connect() as connection:
        try:
            _prepare(connection, projections)
            yield connection
        finally:
            connection.invalidate()


def fill(connection: Connection, replay: Replay, after: int, goal: Callable[[Connection], int]) -> int:
    """Replay into the shadows towards a goal that may move on meanwhile; how far that came.

    A batch a transaction, so that no old snapshot is held; what is left at the end is less than a batch.
    """
    while True:
        with connection.begin():
            # What a replay writes is gone with its session anyway: no commit need wait for the disk.
            raw(connection).execute(b"set local synchronous_commit = off")
            end = goal(connection)
            if end - after < BATCH:
                return after
            rows, after = replay.next_batch(connection, after, end)
            rows.flush(connection, SHADOW)


def top_up(connection: Connection, replay: Replay, after: int, upto: int) -> None:
    """Replay the rest into the shadows, in the caller's transaction."""
    for rows, _ in replay.batches(connection, after, upto):
        rows.flush(connection, SHADOW)


def analyze(connection: Connection, projection: Projection) -> None:
    """Tell the planner what the shadows hold; the server does not look at temporary tables by itself."""
    for table in projection.tables:
        raw(connection).execute(SQL("analyze {}").format(Identifier(SHADOW, table.name)))


def _prepare(connection: Connection, projections: Iterable[Projection]) -> None:
    with connection.begin():
        for setting in _SETTINGS:
            raw(connection).execute(setting)
        for projection in projections:
            for table in projection.tables:
                raw(connection).execute(_create(table))


def _create(table: Table) -> Composed:
    """With its key, and without the other indexes: nobody looks for anything in it."""
    return SQL(
        "create temporary table {} (like {} including all excluding indexes, primary key ({}))"
    ).format(
        Identifier(SHADOW, table.name),
        Identifier(SCHEMA, table.name),
        SQL(", ").join(map(Identifier, key_names(table))),
    )
