"""The log as replays read it: by ranges of positions, with only what projections look at, on the caller's connection.

Positions are dense, so a range holds as many events as it is long and a query is bounded by it, whatever the planner
thinks of the table. What nobody wants is left out by the database and never decoded.
"""

from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Double, cast, func, select

from backoffice.log.chain import genesis
from backoffice.log.envelope import Head
from backoffice.log.statements import binary_cursor, head, one_row, raw
from backoffice.log.tables import events

_SELECT = b"select position, happened_at, recorded_at, stream, type, schema, data from log.events"
_RANGE = _SELECT + b" where position > %s and position <= %s and type = any(%s) order by position"
_THESE = _SELECT + b" where position = any(%s) order by position"


class Written(NamedTuple):
    """An event as it is written in the log, as far as a projection may want it."""

    position: int
    happened_at: datetime
    recorded_at: datetime
    stream: str
    type: str
    schema: int
    data: bytes


def read_range(connection: Connection, after: int, upto: int, types: Collection[str]) -> list[Written]:
    """The events behind `after`, up to and with `upto`, that are of one of `types`; in order."""
    with binary_cursor(raw(connection)) as cursor:
        rows = cursor.execute(_RANGE, [after, upto, list(types)]).fetchall()
        return list(map(Written._make, rows))


def read_these(connection: Connection, positions: Collection[int]) -> list[Written]:
    """The events at these positions; in order."""
    with binary_cursor(raw(connection)) as cursor:
        return list(map(Written._make, cursor.execute(_THESE, [list(positions)]).fetchall()))


def log_head(connection: Connection) -> Head:
    """Where the log is, as this transaction sees it."""
    with binary_cursor(raw(connection)) as cursor:
        return head(cursor)


def age_at(connection: Connection, position: int) -> float:
    """How long ago, by the database's clock, the event at `position` was recorded; 0 if there is none."""
    age = cast(func.extract("epoch", func.clock_timestamp() - events.c.recorded_at), Double)
    return connection.execute(select(age).where(events.c.position == position)).scalar() or 0.0


def place_at(connection: Connection, head: Head, position: int) -> Head:
    """A place in the log behind which `head` is."""
    if position == head.position:
        return head
    if position == 0:
        return genesis(head.log_id)
    with binary_cursor(raw(connection)) as cursor:
        found = cursor.execute(b"select hash from log.events where position = %s", [position])
        return Head(head.log_id, position, one_row(found)[0])
