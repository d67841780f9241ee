"""What the house is measured against: a known library's log, a bare COPY, a bare cursor."""

import json
import time
from collections.abc import Sequence
from uuid import UUID, uuid4

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from psycopg import sql
from sqlalchemy import URL

from backoffice.bootstrap import House
from ops.speed.databases import connected, empty_database

_EVENTS_EACH = 24
_AGGREGATES = 500


class TableRound(Aggregate):
    """A round as the library would have it: no rule is checked, no ledger kept, no chain made."""

    @event("Opened")
    def __init__(self, table: str) -> None:
        self.table = table

    @event("StakePlaced")
    def place(self, seat: str, casino: str, player: str, stake: int, currency: str) -> None:
        """A stake."""


def events_a_second_of_the_library(server: str) -> float:
    """`eventsourcing`: an Application making and saving aggregates of 24 events each."""
    with empty_database(server) as url:
        application = Application[UUID](env=_environment(url))
        began = time.perf_counter()
        for _ in range(_AGGREGATES):
            application.save(_round())
        seconds = time.perf_counter() - began
        application.close()
    return _AGGREGATES * _EVENTS_EACH / seconds


def seconds_to_copy(house: House) -> float:
    """The log's own rows into an empty table with the same indexes, in one COPY."""
    with connected(house.engine.url) as connection:
        with connection.cursor().copy("copy log.events to stdout (format binary)") as out:
            rows = [bytes(part) for part in out]
        connection.execute("create table copied (like log.events including all)")
        began = time.perf_counter()
        with connection.cursor().copy("copy copied from stdin (format binary)") as copy:
            for part in rows:
                copy.write(part)
        seconds = time.perf_counter() - began
        connection.execute("drop table copied")
    return seconds


def seconds_to_decode(house: House, types: Sequence[str] | None = None) -> float:
    """A bare server-side cursor over the log, all of it or the events of some types, each decoded from JSON."""
    query = sql.SQL("select data::text from log.events {} order by position").format(
        sql.SQL("" if types is None else "where type = any(%s)")
    )
    with connected(house.engine.url) as connection, connection.transaction():
        began = time.perf_counter()
        with connection.cursor(name=f"bench_{uuid4().hex}") as cursor:
            cursor.itersize = 2000
            for (data,) in cursor.execute(query, None if types is None else [list(types)]):
                json.loads(data)
        return time.perf_counter() - began


def _round() -> TableRound:
    aggregate = TableRound(table="live-blue")
    for number in range(_EVENTS_EACH - 1):
        aggregate.place(str(number), "riga", f"ri-eur-{number:03}", 1000, "EUR")
    return aggregate


def _environment(url: URL) -> dict[str, str]:
    return {
        "PERSISTENCE_MODULE": "eventsourcing.postgres",
        "POSTGRES_DBNAME": url.database or "",
        "POSTGRES_HOST": url.host or str(url.query["host"]),
        "POSTGRES_PORT": str(url.port or 5432),
        "POSTGRES_USER": url.username or "",
        "POSTGRES_PASSWORD": url.password or "",
    }
