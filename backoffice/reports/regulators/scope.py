"""What a file for an authority is made from: one snapshot at one position, a casino, a day, and what was produced before."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta
from functools import cached_property
from uuid import UUID, uuid5

from backoffice.domain.event import Event
from backoffice.domain.filings.events import Authority
from backoffice.kernel.calendar import Bounds, Calendar, Days
from backoffice.log.checkpoints import refuse_stranger
from backoffice.log.envelope import Head
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading, UnknownCasino
from backoffice.reports.regulators.refusals import ParticularMissing
from backoffice.reports.regulators.register import Entry, Register, read_register

PAUSE_MINUTES = "30"
"""How long a player may pause within a session, where the network file says nothing."""


@dataclass(frozen=True)
class Scope:
    """A casino's day as it was known at the position of `reading`."""

    reading: Reading
    authority: Authority
    casino: str
    day: date
    days: Days

    @cached_property
    def register(self) -> Register:
        """What had been produced at that position."""
        reading = self.reading
        return read_register(reading.log, reading.codec, self.casino, self.authority, self.position)

    @cached_property
    def calendar(self) -> Calendar:
        """The casino's days. Raises UnknownCasino."""
        known = self.reading.network.calendars
        if self.casino not in known:
            raise UnknownCasino(
                f"there is no casino {self.casino}: {', '.join(sorted(known)) or 'none at all'}"
            )
        return known[self.casino]

    @property
    def bounds(self) -> Bounds:
        """When the day begins and ends."""
        return self.calendar.bounds(self.day, days=self.days)

    @property
    def currencies(self) -> tuple[str, ...]:
        """What the casino plays in, in order."""
        return tuple(sorted(self.reading.network.currencies[self.casino]))

    @property
    def position(self) -> int:
        """Up to where in the log this is known."""
        return self.reading.place.position

    @property
    def notice(self) -> str:
        """From where in which log this is."""
        place = self.reading.place
        return f"log {place.log_id} position {place.position} hash {place.hash.hex()}"

    @property
    def shared_tables(self) -> frozenset[str]:
        """The tables at which players of several casinos sit."""
        tables = self.reading.network.tables
        return frozenset(name for name, terms in tables.items() if len(terms.casinos) > 1)

    @property
    def pause(self) -> timedelta:
        """How long a player may pause within a session."""
        said = self.reading.network.particulars.get(self.casino, {}).get("sessions", {})
        return timedelta(minutes=int(said.get("gap_minutes", PAUSE_MINUTES)))

    def particular(self, field: str) -> str:
        """What the network file says for this authority under `field`. Raises ParticularMissing."""
        found = self.particular_if_any(field)
        if found is None:
            raise ParticularMissing(
                f"casino {self.casino}: legal.{self.authority}.{field} is missing in the network file, this file needs it"
            )
        return found

    def particular_if_any(self, field: str) -> str | None:
        """The same, where a file does without."""
        said = self.reading.network.particulars.get(self.casino, {})
        return said.get(self.authority, {}).get(field)

    def identify(self, *what: object) -> str:
        """A UUID for something of this casino: the same for the same thing of the same log, ever again."""
        name = "\n".join(map(str, (self.casino, *what)))
        return str(uuid5(UUID(self.reading.place.log_id), name))

    def facts(self, stream: str) -> Iterator[Event]:
        """The facts of a stream, up to the position."""
        return (event for _, event in self.dated_facts(stream))

    def dated_facts(self, stream: str) -> Iterator[tuple[datetime, Event]]:
        """The same, each with the time at which it happened."""
        for recorded in self.reading.log.read_stream(stream):
            if recorded.position <= self.position:
                yield recorded.happened_at, decoded(self.reading.codec, recorded)

    def as_of_file(self, entry: Entry) -> "Scope":
        """The same day as it was known when a file was made. Raises CheckpointElsewhere for one of another past."""
        place = Head(self.reading.place.log_id, entry.file.position, bytes.fromhex(entry.file.hash))
        refuse_stranger(self.reading.connection, place, f"file {entry.file.number}")
        return self.as_of(place)

    def replaced(self, number: int | None) -> "Scope | None":
        """The same day as it was known when the file of this number was made."""
        return None if number is None else self.as_of_file(self.register.entries[number - 1])

    def as_of(self, place: Head) -> "Scope":
        """The same day as it was known at an earlier place."""
        return replace(self, reading=replace(self.reading, place=place))

    def on(self, day: date) -> "Scope":
        """Another day, as it is known at the same place."""
        return replace(self, day=day)
