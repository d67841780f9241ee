"""Living rows against replayed ones: what differs, and how to put it right."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Literal

from psycopg.sql import SQL, Composable, Composed, Identifier
from sqlalchemy import Connection, Table

from backoffice.log.statements import raw
from backoffice.projections.projection import SCHEMA
from backoffice.projections.shadow import SHADOW
from backoffice.projections.statements import key_names, other_names

Kind = Literal["missing", "extra", "changed"]
"""A stored row is not there and should be; is there and should not; or should say something else."""


@dataclass(frozen=True, slots=True)
class Difference:
    """A stored row that is not what the log says."""

    table: str
    kind: Kind
    key: Mapping[str, Any]
    columns: Mapping[str, tuple[Any, Any]]
    """What differs, by column: as it is stored, and as the log says.

    Of a row that is missing or extra, all of it.
    """

    def __str__(self) -> str:
        where = " ".join(f"{name}={value}" for name, value in self.key.items())
        return f"{self.table} {where}: {self._what()}"

    def _what(self) -> str:
        if self.kind == "missing":
            return "missing, the log says " + _words(
                {name: replayed for name, (_, replayed) in self.columns.items()}
            )
        if self.kind == "extra":
            return "not from the log, it says " + _words(
                {name: stored for name, (stored, _) in self.columns.items()}
            )
        return ", ".join(
            f"{name} is {stored}, the log says {said}" for name, (stored, said) in self.columns.items()
        )


@dataclass(frozen=True, slots=True)
class Healed:
    """How many stored rows were put right."""

    added: int = 0
    removed: int = 0
    changed: int = 0

    def __add__(self, other: "Healed") -> "Healed":
        return Healed(self.added + other.added, self.removed + other.removed, self.changed + other.changed)


def differences(connection: Connection, table: Table) -> Iterator[Difference]:
    """Every stored row of `table` that differs from its shadow, by key; memory stays flat."""
    width = len(table.columns)
    with raw(connection).cursor(name=f"differences_{table.name}") as cursor:
        for row in cursor.execute(_differing(table)):
            yield _difference(table, row[:width], row[width:])


def heal(connection: Connection, table: Table) -> Healed:
    """Make the stored rows of `table` those of its shadow; only rows that differ are touched."""
    if not raw(connection).execute(_differs(table)).fetchone():
        return Healed()
    removed = raw(connection).execute(_remove(table)).rowcount
    changed = raw(connection).execute(_change(table)).rowcount if other_names(table) else 0
    return Healed(raw(connection).execute(_add(table)).rowcount, removed, changed)


def _difference(table: Table, stored: Sequence[Any], replayed: Sequence[Any]) -> Difference:
    names, keys = table.columns.keys(), key_names(table)
    kind = _kind(stored[names.index(keys[0])], replayed[names.index(keys[0])])
    both = dict(zip(names, zip(stored, replayed, strict=True), strict=True))
    return Difference(
        table.name,
        kind,
        {name: both[name][kind == "missing"] for name in keys},
        {
            name: both[name]
            for name in other_names(table)
            if kind != "changed" or both[name][0] != both[name][1]
        },
    )


def _kind(stored: object, replayed: object) -> Kind:
    if stored is None:
        return "missing"
    return "extra" if replayed is None else "changed"


def _words(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={value}" for name, value in values.items())


@cache
def _differing(table: Table) -> Composed:
    names = table.columns.keys()
    return SQL("select {}, {} {} order by {}").format(
        _columns("stored", names),
        _columns("said", names),
        _unlike(table),
        SQL(", ").join(
            SQL("coalesce(stored.{0}, said.{0})").format(Identifier(name)) for name in key_names(table)
        ),
    )


@cache
def _differs(table: Table) -> Composed:
    return SQL("select 1 {} limit 1").format(_unlike(table))


def _unlike(table: Table) -> Composed:
    """Both versions of the rows that differ."""
    names = table.columns.keys()
    return SQL("from {} full join {} using ({}) where ({}) is distinct from ({})").format(
        _as(SCHEMA, table, "stored"),
        _as(SHADOW, table, "said"),
        _list(key_names(table)),
        _columns("stored", names),
        _columns("said", names),
    )


@cache
def _remove(table: Table) -> Composed:
    return SQL("delete from {} where not exists (select from {} where {})").format(
        _as(SCHEMA, table, "stored"), _as(SHADOW, table, "said"), _same_key(table)
    )


@cache
def _change(table: Table) -> Composed:
    names = other_names(table)
    return SQL("update {} set {} from {} where {} and ({}) is distinct from ({})").format(
        _as(SCHEMA, table, "stored"),
        SQL(", ").join(SQL("{0} = said.{0}").format(Identifier(name)) for name in names),
        _as(SHADOW, table, "said"),
        _same_key(table),
        _columns("stored", names),
        _columns("said", names),
    )


@cache
def _add(table: Table) -> Composed:
    names = table.columns.keys()
    return SQL("insert into {} ({}) select {} from {} where not exists (select from {} where {})").format(
        Identifier(SCHEMA, table.name),
        _list(names),
        _list(names),
        _as(SHADOW, table, "said"),
        _as(SCHEMA, table, "stored"),
        _same_key(table),
    )


def _same_key(table: Table) -> Composable:
    return SQL(" and ").join(
        SQL("stored.{0} = said.{0}").format(Identifier(name)) for name in key_names(table)
    )


def _columns(alias: str, names: Sequence[str]) -> Composable:
    return SQL(", ").join(Identifier(alias, name) for name in names)


def _list(names: Sequence[str]) -> Composable:
    return SQL(", ").join(map(Identifier, names))


def _as(schema: str, table: Table, alias: str) -> Composable:
    return SQL("{} as {}").format(Identifier(schema, table.name), Identifier(alias))
