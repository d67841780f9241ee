"""The SQL that writes a read table by the batch, in whichever schema: the living one or a session's own."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from operator import itemgetter
from typing import Any

from psycopg.sql import SQL, Composable, Identifier
from sqlalchemy import Column, Connection, Table, func, select
from sqlalchemy.dialects import postgresql

from backoffice.projections.changes import Key

_DIALECT = postgresql.dialect()  # type: ignore[no-untyped-call]


@cache
def key_names(table: Table) -> tuple[str, ...]:
    """The columns of the primary key, in its order."""
    return tuple(column.name for column in table.primary_key.columns)


@cache
def key_of(table: Table) -> Callable[[Mapping[str, Any]], Key]:
    """What gives the primary key of a row."""
    names = key_names(table)
    if len(names) > 1:
        return itemgetter(*names)
    (name,) = names
    return lambda row: (row[name],)


@cache
def other_names(table: Table) -> tuple[str, ...]:
    """The columns beside the key, in the table's order."""
    return tuple(column.name for column in table.columns if not column.primary_key)


@cache
def copy_in(table: Table, schema: str) -> str:
    """Whole rows by COPY, in binary, at a third of what text costs; values in the order of the table's columns."""
    return _text(
        SQL("copy {} ({}) from stdin (format binary)").format(
            _name(table, schema), _list(table.columns.keys())
        )
    )


@cache
def type_names(table: Table) -> tuple[str, ...]:
    """What PostgreSQL calls the types of the table's columns."""
    return tuple(_type_name(column) for column in table.columns)


@cache
def keep_first(table: Table, schema: str) -> str:
    """Whole rows whose key is not there yet; one array a column, in the order of the table's columns."""
    names = table.columns.keys()
    return _text(
        SQL("insert into {} ({}) select * from unnest({}) on conflict do nothing").format(
            _name(table, schema), _list(names), _arrays(table, names)
        )
    )


@cache
def add_up(table: Table, schema: str) -> str:
    """Amounts onto rows, made where missing; one array a column, key first."""
    keys, amounts = key_names(table), other_names(table)
    sums = [SQL("{0} = old.{0} + excluded.{0}").format(Identifier(name)) for name in amounts]
    return _text(
        SQL("insert into {} as old ({}) select * from unnest({}) on conflict ({}) do update set {}").format(
            _name(table, schema),
            _list((*keys, *amounts)),
            _arrays(table, (*keys, *amounts)),
            _list(keys),
            SQL(", ").join(sums),
        )
    )


@cache
def amend(table: Table, schema: str, names: tuple[str, ...]) -> str:
    """The named columns of rows set anew; one array a column, key first."""
    keys = key_names(table)
    return _text(
        SQL("update {} as old set {} from unnest({}) as new ({}) where {}").format(
            _name(table, schema),
            SQL(", ").join(SQL("{0} = new.{0}").format(Identifier(name)) for name in names),
            _arrays(table, (*keys, *names)),
            _list((*keys, *names)),
            SQL(" and ").join(SQL("old.{0} = new.{0}").format(Identifier(name)) for name in keys),
        )
    )


def count_rows(connection: Connection, table: Table) -> int:
    """How many rows are stored."""
    return connection.execute(select(func.count()).select_from(table)).scalar_one()


def _name(table: Table, schema: str) -> Identifier:
    return Identifier(schema, table.name)


def _list(names: Sequence[str]) -> Composable:
    return SQL(", ").join(map(Identifier, names))


def _arrays(table: Table, names: Sequence[str]) -> Composable:
    return SQL(", ").join(SQL("%s::{}[]").format(_type(table.columns[name])) for name in names)


def _type(column: Column[object]) -> SQL:
    return SQL(_type_name(column))  # out of our own table definitions, not from outside


def _type_name(column: Column[object]) -> str:
    return column.type.compile(_DIALECT).partition(" COLLATE")[0].lower()


def _text(statement: Composable) -> str:
    return statement.as_string()
