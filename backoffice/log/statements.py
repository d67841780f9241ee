"""The SQL that reads the log, on raw psycopg connections: binary rows that go straight into Recorded."""

from collections.abc import Collection, Iterable, Sequence
from itertools import starmap
from typing import Any, TypeAlias, cast
from uuid import UUID

import psycopg
from psycopg.types.string import ByteaBinaryLoader
from sqlalchemy import Connection

from backoffice.log.envelope import Head, Recorded

Raw: TypeAlias = psycopg.Connection[tuple[Any, ...]]
RawCursor: TypeAlias = psycopg.Cursor[tuple[Any, ...]]

# The fields of Recorded, in their order.
_SELECT = (
    "select event_id, stream, version, type, schema, happened_at, actor, cause, correlation, data,"
    " position, recorded_at, hash from log.events"
)
# A page is a range of positions, not a number of rows: its query is bounded whatever the planner thinks of the table.
_PAGE = f"{_SELECT} where position > %s and position <= %s order by position"
_PAGE_OF_TYPES = f"{_SELECT} where position > %s and position <= %s and type = any(%s) order by position"
_STREAM = f"{_SELECT} where stream = %s and version > %s order by version"
_STREAMS = f"{_SELECT} where stream = any(%s) order by stream, version"
_STREAMS_OF_TYPES = f"{_SELECT} where stream = any(%s) and type = any(%s) order by stream, version"
_THESE = f"{_SELECT} where position = any(%s) order by position"
_IDS = f"{_SELECT} where event_id = any(%s)"
# One step down the index per stream: max(version) would walk over every version of a long one.
_VERSIONS = """
    select asked.stream, last.version from unnest(%s::text[]) as asked (stream), lateral (
        select version from log.events where events.stream = asked.stream order by version desc limit 1
    ) as last
"""


def raw(connection: Connection) -> Raw:
    """The psycopg connection under SQLAlchemy's, in the same transaction."""
    return cast("Raw", connection.connection.driver_connection)


def binary_cursor(connection: Raw) -> RawCursor:
    """A cursor that gives json as the bytes that were stored, not as what they mean."""
    cursor = connection.cursor(binary=True)
    cursor.adapters.register_loader("json", ByteaBinaryLoader)
    return cursor


def page(
    cursor: RawCursor, after: int, upto: int | None, types: Collection[str] | None, batch: int
) -> tuple[list[Recorded] | None, int]:
    """The events of the next `batch` positions behind `after`, and the position they were looked for up to.

    None instead of events: there are no more, now or up to `upto`.
    """
    until = after + batch if upto is None else min(after + batch, upto)
    found = _page(cursor, after, until, types) if until > after else []
    if found:
        return found, until if types is not None else found[-1].position
    following = _next_position(cursor, after if types is None else until)
    if following is None or (upto is not None and following > upto):
        return None, after
    # Nothing that is wanted; or a hole, of any size: positions are dense, so somebody tampered.
    return [], following - 1


def _page(cursor: RawCursor, after: int, until: int, types: Collection[str] | None) -> list[Recorded]:
    if types is None:
        return _recorded(cursor.execute(_PAGE, [after, until]))
    return _recorded(cursor.execute(_PAGE_OF_TYPES, [after, until, list(types)]))


def _next_position(cursor: RawCursor, after: int) -> int | None:
    (position,) = one_row(cursor.execute("select min(position) from log.events where position > %s", [after]))
    return None if position is None else int(position)


def stream(cursor: RawCursor, name: str, after_version: int) -> list[Recorded]:
    """One stream's events behind a version."""
    return _recorded(cursor.execute(_STREAM, [name, after_version]))


def streams(
    cursor: RawCursor, names: Collection[str], types: Collection[str] | None
) -> dict[str, list[Recorded]]:
    """Every asked stream's events, all or those of some types."""
    found: dict[str, list[Recorded]] = {name: [] for name in names}
    if types is None:
        cursor.execute(_STREAMS, [list(found)])
    else:
        cursor.execute(_STREAMS_OF_TYPES, [list(found), list(types)])
    for event in _recorded(cursor):
        found[event.stream].append(event)
    return found


def versions(cursor: RawCursor, names: Collection[str]) -> dict[str, int]:
    """Every asked stream's last version; 0 for one that is not there."""
    found = dict.fromkeys(names, 0)
    found.update(cast("Iterable[tuple[str, int]]", cursor.execute(_VERSIONS, [list(found)])))
    return found


def with_ids(cursor: RawCursor, ids: Collection[UUID]) -> list[Recorded]:
    """The events that have one of these ids."""
    return _recorded(cursor.execute(_IDS, [list(ids)]))


def at_positions(cursor: RawCursor, positions: Collection[int]) -> list[Recorded]:
    """The events at these positions, in order."""
    return _recorded(cursor.execute(_THESE, [list(positions)]))


def head(cursor: RawCursor) -> Head:
    """Where the log is, by its head row."""
    return as_head(one_row(cursor.execute("select log_id, position, hash from log.head")))


def one_row(cursor: RawCursor) -> tuple[Any, ...]:
    """The head row; raises RuntimeError if somebody managed to remove it."""
    row = cursor.fetchone()
    if row is None:
        raise RuntimeError("the log has no head row")
    return row


def as_head(row: Sequence[Any]) -> Head:
    """Log id, position and hash as a Head."""
    log_id, position, link = row
    return Head(str(log_id), position, link)


def _recorded(cursor: RawCursor) -> list[Recorded]:
    return list(starmap(Recorded, cursor.fetchall()))
