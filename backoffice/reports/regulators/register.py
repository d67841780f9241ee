"""What was produced for an authority, read from the log: chains of files about the same, and where each began to tell."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, get_args

from backoffice.domain.filings.events import Authority, FileProduced, files_stream
from backoffice.domain.network.events import CasinoDefined
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded


class Stretch(NamedTuple):
    """Positions of the log behind `after`, up to `upto` and with it."""

    after: int
    upto: int


@dataclass(frozen=True, slots=True)
class Entry:
    """A file that was produced, when, by whom, and where in the log that is written."""

    file: FileProduced
    made_at: datetime
    by: str
    position: int


@dataclass(frozen=True, slots=True)
class Register:
    """A casino's files for one authority, in the order of their numbers."""

    entries: tuple[Entry, ...] = ()

    @property
    def next_number(self) -> int:
        """The number that the next file gets."""
        return len(self.entries) + 1

    def chain(self, name: str, day: str, part: str) -> Sequence[Entry]:
        """The files about the same, each replacing or adding to those before it."""
        return [
            entry
            for entry in self.entries
            if (entry.file.name, entry.file.day, entry.file.part) == (name, day, part)
        ]

    def stretches(self, name: str, day: str, upto: int) -> Iterator[Stretch]:
        """The stretches of the log that files of this name told of a day, one by one, and the one that is still untold."""
        after = 0
        for entry in self.chain(name, day, ""):
            yield Stretch(entry.file.after, entry.file.position)
            after = entry.file.position
        if after < upto:
            yield Stretch(after, upto)


def read_register(
    log: Reader, codec: Codec, casino: str, authority: str, upto: int | None = None
) -> Register:
    """What had been produced when the log was at `upto`, or until now."""
    return Register(
        tuple(
            Entry(_file(codec, recorded), recorded.happened_at, recorded.actor, recorded.position)
            for recorded in log.read_stream(files_stream(casino, authority))
            if upto is None or recorded.position <= upto
        )
    )


def registers(log: Reader, codec: Codec) -> Iterator[Entry]:
    """Everything that was ever produced, casino by casino and authority by authority."""
    network = (decoded(codec, recorded) for recorded in log.read_stream("network"))
    casinos = {event.casino for event in network if isinstance(event, CasinoDefined)}
    for casino in sorted(casinos):
        for authority in get_args(Authority):
            yield from read_register(log, codec, casino, authority).entries


def _file(codec: Codec, recorded: Recorded) -> FileProduced:
    event = decoded(codec, recorded)
    assert isinstance(event, FileProduced)  # there are no others in this stream
    return event
