"""The changes of a batch of facts, merged in memory and written with a few statements a table.

Memory is that of one batch. Every statement takes a whole batch: none is sent row by row.
"""

from collections.abc import Iterable, Mapping
from operator import add, itemgetter
from typing import Any

from sqlalchemy import Connection, Table

from backoffice.log.statements import raw
from backoffice.projections.changes import Add, Amend, Append, Change, Keep, Key, Put
from backoffice.projections.statements import add_up, amend, copy_in, keep_first, key_of, type_names

Row = dict[str, Any]


class RowMissing(Exception):
    """Rows to be amended are not there: an earlier fact was not projected, or rows were removed."""


class RowThere(Exception):
    """A projection put a row whose key it has put before."""


class Rows:
    """What a batch of changes comes to. Fill it with `take`, then `flush` it once."""

    def __init__(self) -> None:
        self._put: dict[Table, dict[Key, Row]] = {}
        self._kept: dict[Table, dict[Key, Mapping[str, Any]]] = {}
        self._appended: dict[Table, list[tuple[Any, ...]]] = {}
        self._added: dict[Table, dict[Key, tuple[int, ...]]] = {}
        self._amended: dict[Table, dict[Key, Row]] = {}

    def take(self, changes: Iterable[Change]) -> None:
        """Merge changes, in the order of their facts. Raises RowThere for a row that is put twice."""
        for change in changes:
            if type(change) is Append:
                self._appended.setdefault(change.table, []).extend(change.rows)
            elif type(change) is Add:
                self._add(change)
            elif type(change) is Put:
                self._new(change)
            elif type(change) is Keep:
                self._keep(change)
            elif type(change) is Amend:
                self._amend(change)

    def flush(self, connection: Connection, schema: str) -> None:
        """Write everything to the tables in `schema`, in the caller's transaction.

        Raises RowMissing where a row to be amended is not there, and psycopg's UniqueViolation where a new
        one is.
        """
        for table, put in self._put.items():
            _copy(connection, schema, table, map(itemgetter(*table.columns.keys()), put.values()))
        for table, appended in self._appended.items():
            _copy(connection, schema, table, appended)
        for table, kept in self._kept.items():
            _keep(connection, schema, table, kept.values())
        for table, added in self._added.items():
            _add_up(connection, schema, table, added)
        for table, amended in self._amended.items():
            for names, values in _by_names(amended).items():
                _amend(connection, schema, table, names, values)

    def _new(self, change: Put) -> None:
        table, row = change
        rows = self._put.setdefault(table, {})
        key = key_of(table)(row)
        if key in rows:
            raise RowThere(f"{table.name}: {key} was put before")
        rows[key] = dict(row)

    def _keep(self, change: Keep) -> None:
        table, row = change
        self._kept.setdefault(table, {}).setdefault(key_of(table)(row), row)

    def _add(self, change: Add) -> None:
        table, key, amounts = change
        sums = self._added.setdefault(table, {})
        known = sums.get(key)
        if known is None:
            sums[key] = amounts
        elif len(amounts) == 1:
            sums[key] = (known[0] + amounts[0],)  # as most are: half the price of the general way
        else:
            sums[key] = tuple(map(add, known, amounts))

    def _amend(self, change: Amend) -> None:
        table, key, values = change
        row = self._put.get(table, {}).get(key)
        if row is None:
            row = self._amended.setdefault(table, {}).setdefault(key, {})
        row.update(values)


def _copy(connection: Connection, schema: str, table: Table, rows: Iterable[tuple[Any, ...]]) -> None:
    with raw(connection).cursor() as cursor, cursor.copy(copy_in(table, schema).encode()) as copy:
        copy.set_types(type_names(table))
        for row in rows:
            copy.write_row(row)


def _keep(connection: Connection, schema: str, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    values = itemgetter(*table.columns.keys())
    columns = [list(column) for column in zip(*map(values, rows), strict=True)]
    raw(connection).execute(keep_first(table, schema).encode(), columns)


def _add_up(connection: Connection, schema: str, table: Table, sums: Mapping[Key, tuple[int, ...]]) -> None:
    keys, amounts = zip(*sums, strict=True), zip(*sums.values(), strict=True)
    columns = [list(column) for column in (*keys, *amounts)]
    raw(connection).execute(add_up(table, schema).encode(), columns)


def _amend(
    connection: Connection, schema: str, table: Table, names: tuple[str, ...], rows: Mapping[Key, Row]
) -> None:
    values = [[row[name] for row in rows.values()] for name in names]
    columns = [*map(list, zip(*rows, strict=True)), *values]
    done = raw(connection).execute(amend(table, schema, names).encode(), columns).rowcount
    if done != len(rows):
        raise RowMissing(f"{table.name}: {len(rows) - done} of {len(rows)} rows to amend are not there")


def _by_names(amended: Mapping[Key, Row]) -> dict[tuple[str, ...], dict[Key, Row]]:
    """One group for each set of columns that is set: a statement sets the same columns in all of its rows."""
    groups: dict[tuple[str, ...], dict[Key, Row]] = {}
    for key, row in amended.items():
        groups.setdefault(tuple(sorted(row)), {})[key] = row
    return groups
