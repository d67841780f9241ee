"""Rows in and out of PostgreSQL by the batch, over the driver's own cursor in SQLAlchemy's transaction."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain, islice
from typing import Any, cast

import psycopg
from psycopg.types.string import BytesBinaryDumper
from sqlalchemy import Connection


def copy_rows(
    connection: Connection, statement: str, types: Sequence[str], rows: Iterable[Sequence[object]]
) -> None:
    """COPY `rows` in by a `copy ... from stdin (format binary)`; no round trip where there are none."""
    some = iter(rows)
    first = list(islice(some, 1))
    if not first:
        return
    cursor = driver(connection).cursor()
    # The dumper that is there for this type calls Python for every value.
    cursor.adapters.register_dumper(bytes, BytesBinaryDumper)
    with cursor, cursor.copy(statement.encode()) as copy:
        copy.set_types(list(types))
        for row in chain(first, some):
            copy.write_row(row)


def fetch_rows(connection: Connection, statement: str, parameters: Mapping[str, object]) -> list[Any]:
    """All rows of a query whose answer is small."""
    with driver(connection).cursor(binary=True) as cursor:
        return cursor.execute(statement.encode(), dict(parameters)).fetchall()


def driver(connection: Connection) -> psycopg.Connection[Any]:
    """The psycopg connection under a SQLAlchemy one, in the same transaction."""
    return cast("psycopg.Connection[Any]", connection.connection.driver_connection)
