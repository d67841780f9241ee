"""What a projection answers a fact with: rows that are to be as the fact says. Plain words, no SQL.

A row that is put, kept or amended is written by the facts of one stream only: an event that was set aside is projected
behind later ones of other streams, which a sum does not mind.
"""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Table

Key: TypeAlias = tuple[Any, ...]
"""The values of a table's primary key, in its order."""


class Put(NamedTuple):
    """A new row, every column named. One with its key that is there already is a bug and crashes."""

    table: Table
    row: Mapping[str, Any]


class Keep(NamedTuple):
    """A row, every column named, unless one with its key is there already: the first one stays."""

    table: Table
    row: Mapping[str, Any]


class Append(NamedTuple):
    """New rows that nothing ever changes: each one's values in the order of the table's columns."""

    table: Table
    rows: Sequence[tuple[Any, ...]]


class Add(NamedTuple):
    """Amounts summed onto a row, which begins at zero.

    One amount for each column beside the key, in the table's order.
    """

    table: Table
    key: Key
    amounts: tuple[int, ...]


class Amend(NamedTuple):
    """Columns set anew. A row that is not there is a bug and crashes."""

    table: Table
    key: Key
    values: Mapping[str, Any]


Change: TypeAlias = Put | Keep | Append | Add | Amend
