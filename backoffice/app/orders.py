"""Files that were ordered: what is to be made, and what became of it. Whoever makes one is told its number and nothing else.

An order is a row beside the log, no fact: it changes nothing that is true. What is not made yet can be asked for here, so
that nothing is lost with a broker.
"""

import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Double, Engine, Row, cast, func, insert, select, text, update

from backoffice.app.tables import orders

_CLASS = 7_241_998
"""Our advisory locks among those of the database; the next number after those of runs."""


class UnknownOrder(Exception):
    """Nothing was ordered under this number."""


@dataclass(frozen=True, slots=True)
class Order:
    """One file: its name and form, who ordered it when, what was asked of it, as plain data; and what came of it."""

    number: int
    ordered_at: datetime
    ordered_by: str
    name: str
    form: str
    asked: Mapping[str, Any]
    done_at: datetime | None
    size_bytes: int | None
    sha256: str | None
    refused: str | None
    """Why it cannot be made."""

    @property
    def file(self) -> str:
        """The name of its file: of no other order's."""
        return f"{self.number:06d}-{self.name}.{self.form.replace('text', 'txt')}"

    @property
    def is_open(self) -> bool:
        """Whether it is still to be made."""
        return self.done_at is None and self.refused is None


def place_order(connection: Connection, name: str, form: str, asked: Mapping[str, Any], by: str) -> Order:
    """Write an order down, in the caller's transaction."""
    values = {"name": name, "form": form, "asked": json.dumps(asked, sort_keys=True), "ordered_by": by}
    return _order(connection.execute(insert(orders).values(values).returning(*orders.c)).one())


def read_order(connection: Connection, number: int) -> Order:
    """The order of this number. Raises UnknownOrder."""
    found = connection.execute(select(orders).where(orders.c.number == number)).one_or_none()
    if found is None:
        raise UnknownOrder(f"nothing was ordered as number {number}")
    return _order(found)


def list_orders(connection: Connection) -> Iterator[Order]:
    """Every order, the newest first."""
    query = select(orders).order_by(orders.c.number.desc())
    with connection.execute(query.execution_options(yield_per=1000)) as found:
        yield from map(_order, found)


def open_orders(connection: Connection) -> list[int]:
    """The numbers of what is still to be made, the oldest first."""
    query = select(orders.c.number).where(orders.c.done_at.is_(None), orders.c.refused.is_(None))
    return list(connection.scalars(query.order_by(orders.c.number)))


def unmade(connection: Connection) -> tuple[int, float]:
    """How many are still to be made, and for how many seconds the oldest has been, by the database's clock."""
    age = cast(func.extract("epoch", func.clock_timestamp() - func.min(orders.c.ordered_at)), Double)
    query = select(func.count(), age).where(orders.c.done_at.is_(None), orders.c.refused.is_(None))
    count, seconds = connection.execute(query).one()
    return count, seconds or 0.0


def note_made(connection: Connection, number: int, size_bytes: int, sha256: str) -> None:
    """Its file is there, whole."""
    made = {"done_at": func.clock_timestamp(), "size_bytes": size_bytes, "sha256": sha256}
    connection.execute(update(orders).where(orders.c.number == number).values(made))


def note_refused(connection: Connection, number: int, reason: str) -> None:
    """It cannot be made, and trying again would not help."""
    connection.execute(update(orders).where(orders.c.number == number).values(refused=reason))


@contextmanager
def alone_with(engine: Engine, number: int) -> Iterator[Order | None]:
    """An order, to be made by nobody else meanwhile, in whatever process; None where somebody else is at it.

    That ends with the session, however that ends. Raises UnknownOrder.
    """
    key = {"class": _CLASS, "number": number & 0x7FFFFFFF}
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as session:
        if not session.execute(text("select pg_try_advisory_lock(:class, :number)"), key).scalar_one():
            yield None
            return
        try:
            yield read_order(session, number)
        finally:
            session.execute(text("select pg_advisory_unlock(:class, :number)"), key)


def _order(row: Row[Any]) -> Order:
    told = row._asdict()
    return Order(**{**told, "asked": json.loads(told["asked"])})
