"""Pages by key, never by count: nothing comes twice and nothing is passed over while others write.

A page begins behind the last row of the one before, in an order of columns that are never changed and that together are
unique. Where rows have a position, all pages of one search show the rows that were there when its first page was read: the
cursor remembers that position, and a row that appears later, wherever in the order, belongs to the next search.
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from hashlib import sha256
from typing import Any, Generic, NamedTuple, TypeAlias, TypeVar, cast

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import (
    ColumnElement,
    Connection,
    FromClause,
    Row,
    Select,
    literal,
    literal_column,
    select,
    tuple_,
)

MOST_ROWS = 500
"""Rows a page, at most."""
LARGEST = 2**63 - 1
LONGEST_CURSOR = 4000

KeyPart: TypeAlias = int | str | datetime
T = TypeVar("T")


class BadCursor(ValueError):
    """A cursor that was not given out for this search."""


class Shown(BaseModel):
    """A row as it is shown."""

    model_config = ConfigDict(frozen=True)


class Page(Shown, Generic[T]):
    """Some rows of a search, and how to go on."""

    rows: list[T]
    next: str | None = Field(description="Give this as `cursor` for the next page; null on the last one.")
    position: int = Field(description="The position of the log up to which this tells.", examples=[4711])


class Asked(NamedTuple):
    """How many rows at most, and behind which row."""

    limit: int = 50
    cursor: str | None = None


@dataclass(frozen=True, slots=True)
class Order:
    """By which columns a search is ordered, together unique, never changed; all rising, or all falling."""

    columns: tuple[ColumnElement[Any], ...]
    falling: bool = False

    def sorted(self, query: Select[Any]) -> Select[Any]:
        """The query in this order."""
        return query.order_by(*(column.desc() if self.falling else column.asc() for column in self.columns))

    def behind(self, key: Sequence[KeyPart]) -> ColumnElement[bool]:
        """That a row comes behind a key."""
        ours = tuple_(*self.columns)
        its = tuple_(*(literal(part, column.type) for part, column in zip(key, self.columns, strict=True)))
        return ours < its if self.falling else ours > its


class Place(NamedTuple):
    """Where a search is: behind which row (None: at its beginning), and at which position it began."""

    key: tuple[KeyPart, ...] | None
    began: int


def place(asked: Asked, search: object, order: Order, position: int) -> Place:
    """Where to go on with `search`, which is what was asked for, filters and all. Raises BadCursor."""
    if asked.cursor is None:
        return Place(None, position)
    began, *parts = _unpacked(asked.cursor, search)
    if len(parts) != len(order.columns) or type(began) is not int or not 0 <= began <= LARGEST:
        raise BadCursor(_FOREIGN)
    return Place(tuple(map(_key_part, parts, order.columns)), began)


def cursor(search: object, began: int, key: Sequence[KeyPart]) -> str:
    """The cursor behind a row, for somebody else to keep."""
    parts = [part.isoformat() if isinstance(part, datetime) else part for part in key]
    return urlsafe_b64encode(json.dumps([_digest(search), began, *parts]).encode()).decode().rstrip("=")


def read_page(
    connection: Connection,
    query: Select[Any],
    order: Order,
    asked: Asked,
    position: int,
    search: object,
    show: Callable[[Row[Any]], T],
    appeared: ColumnElement[int] | None = None,
) -> Page[T]:
    """One page of `query`, which selects the columns of `order`, too, under their names; read at `position`.

    `appeared` is the column that says at which position a row came to be. Raises BadCursor.
    """
    where = place(asked, search, order, position)
    if appeared is not None:
        query = query.where(appeared <= where.began)
    if where.key is not None:
        query = query.where(order.behind(where.key))
    rows = connection.execute(order.sorted(query).limit(asked.limit + 1)).all()
    shown = rows[: asked.limit]
    more = len(rows) > asked.limit
    last = tuple(shown[-1]._mapping[column.key] for column in order.columns) if more else ()  # type: ignore[index] # noqa: SLF001
    return Page(
        rows=list(map(show, shown)),
        next=cursor(search, where.began, last) if more else None,
        position=position,
    )


def looked_up(table: FromClause, *conditions: ColumnElement[bool]) -> ColumnElement[bool]:
    """That there is such a row, looked up for each candidate: the offset keeps the planner from joining whole tables."""
    one: Select[Any] = select(literal_column("1")).select_from(table)
    return one.where(*conditions).offset(literal_column("0")).exists()


_FOREIGN = "this cursor is of another search: leave it away to begin anew"


def _digest(search: object) -> str:
    return sha256(repr(search).encode("utf-8", "surrogatepass")).hexdigest()[:12]


def _unpacked(text: str, search: object) -> list[Any]:
    try:
        parts = json.loads(urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4)))
    except ValueError as error:
        raise BadCursor(_FOREIGN) from error
    if not isinstance(parts, list) or len(parts) < 2 or parts[0] != _digest(search):
        raise BadCursor(_FOREIGN)
    return parts[1:]


def _key_part(part: object, column: ColumnElement[Any]) -> KeyPart:
    """A part of a key as its column has it. Raises BadCursor."""
    kind = column.type.python_type
    if kind is datetime and isinstance(part, str):
        try:
            moment = datetime.fromisoformat(part)
        except ValueError as error:
            raise BadCursor(_FOREIGN) from error
        if moment.tzinfo is not None:
            return moment
    elif _fits(part, kind):
        return cast("KeyPart", part)
    raise BadCursor(_FOREIGN)


def _fits(part: object, kind: type) -> bool:
    """Whether a number or a text is one that the database takes."""
    if isinstance(part, str):
        return kind is str and "\0" not in part and _is_unicode(part)
    return kind is int and type(part) is int and abs(part) <= LARGEST


def _is_unicode(text: str) -> bool:
    """Whether it has no lone surrogate."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True
