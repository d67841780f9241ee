"""What a report reads: the read tables and the log in one snapshot, at one position, with what was asked for."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, datetime
from functools import cached_property
from time import sleep
from typing import Any

from sqlalchemy import Connection, Engine, RowMapping, Select, select

from backoffice.domain.network.state import Network, evolve_network
from backoffice.domain.terms import SEED
from backoffice.kernel.calendar import Bounds, Calendar, calendar, days_from
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head
from backoffice.log.seen import SeenLog
from backoffice.log.statements import raw
from backoffice.log.tables import events
from backoffice.projections.levelling import common_place, level
from backoffice.projections.projection import Projection
from backoffice.reports.asked import Asked
from backoffice.reports.decoding import decoded

PAUSES_SECONDS = (0, 0, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2)
"""Between the tries to find the read models at one position while facts go on coming in."""
ROWS_AT_ONCE = 1000
_OF_THE_NETWORK = calendar("UTC")


class Unsettled(Exception):
    """The read models that a report needs could not be had at one position; the message says which."""


class UnknownCasino(Exception):
    """There is no casino of this name."""


@dataclass(frozen=True)
class Reading:
    """A snapshot of the read tables and the log, for one report."""

    connection: Connection
    codec: Codec
    place: Head
    """The position that the report is made from."""
    asked: Asked

    @cached_property
    def log(self) -> SeenLog:
        """The log, in the same snapshot; events behind `place` are not the report's."""
        return SeenLog(self.connection)

    @cached_property
    def recorded_at(self) -> datetime | None:
        """When the log reached this position, by its own clock: the time a report is of. None for an empty log."""
        query = select(events.c.recorded_at).where(events.c.position == self.place.position)
        return self.connection.execute(query).scalar()

    @cached_property
    def network(self) -> Network:
        """The network as it is at this position, with every casino's calendar."""
        state = Network()
        for recorded in self.log.read_stream("network"):
            if recorded.position <= self.place.position:
                state = evolve_network(state, decoded(self.codec, recorded))
        return state

    @cached_property
    def casinos(self) -> tuple[str, ...]:
        """The casinos asked for, in order. Raises UnknownCasino."""
        known = sorted(self.network.casinos)
        if self.asked.casino is None:
            return tuple(known)
        if self.asked.casino not in known:
            raise UnknownCasino(
                f"there is no casino {self.asked.casino}: {', '.join(known) or 'none at all'}"
            )
        return (self.asked.casino,)

    @property
    def calendars(self) -> Mapping[str, Calendar]:
        """Every casino's days."""
        return self.network.calendars

    def bounds(self, casino: str) -> Bounds | None:
        """From when to when, for this casino, the days asked for are; None for everything.

        What is the network's own (`-`) and in no casino goes by days of UTC.
        """
        if self.asked.first is None:
            return None
        days_of = _OF_THE_NETWORK if casino == SEED else self.calendars[casino]
        return days_of.bounds(self.asked.first, self.asked.last, self.asked.days)

    def is_asked(self, casino: str, moment: datetime) -> bool:
        """Whether the casino is asked for, and the moment lies, for this casino, on the days asked for.

        The players of one round may be of casinos that count it to different days.
        """
        return casino in self.casinos and self.is_within(casino, moment)

    def is_within(self, casino: str, moment: datetime) -> bool:
        """Whether the moment lies on the days asked for, as this casino, or the network itself (`-`), counts days."""
        bounds = self.bounds(casino)
        return bounds is None or bounds.begin <= moment < bounds.end

    def days(self) -> Iterator[date]:
        """The days asked for, one by one; none for everything."""
        if self.asked.first is not None:
            yield from days_from(self.asked.first, self.asked.last or self.asked.first)

    def stream(self, query: Select[Any]) -> Iterator[RowMapping]:
        """The rows of a query in flat memory, over a cursor of the server."""
        with self.connection.execute(query.execution_options(yield_per=ROWS_AT_ONCE)) as found:
            yield from found.mappings()


@contextmanager
def reading(engine: Engine, codec: Codec, needs: Sequence[Projection], asked: Asked) -> Iterator[Reading]:
    """A snapshot in which all read models of `needs` are at one position; it is over at the end of the block.

    They are caught up first. Raises Unsettled, Incomplete where events are stuck, ProjectionStale, CheckpointAhead or
    CheckpointElsewhere.
    """
    for pause in PAUSES_SECONDS:
        sleep(pause)
        level(engine, codec, needs)
        with _snapshot(engine) as connection:
            place = common_place(connection, needs)
            if place is not None:
                yield Reading(connection, codec, place, asked)
                return
    names = ", ".join(sorted(projection.name for projection in needs))
    raise Unsettled(f"{names} are not at one position of the log while so much comes in: try again")


@contextmanager
def _snapshot(engine: Engine) -> Iterator[Connection]:
    with engine.connect() as connection:
        connection.execution_options(isolation_level="REPEATABLE READ", postgresql_readonly=True)
        with connection.begin():
            # Nobody waits for this snapshot: whoever reads the rows may take his time.
            raw(connection).execute(b"set local idle_in_transaction_session_timeout = 0")
            # A cursor is planned for its first rows unless it is said that all of them will be read: a hundredfold slower.
            raw(connection).execute(b"set local cursor_tuple_fraction = 1")
            yield connection
