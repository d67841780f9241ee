"""The gaming days that a casino has closed, as their facts tell it."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cached_property

from backoffice.domain.days.events import DayClosed, days_stream
from backoffice.log.envelope import Head, Recorded
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading


@dataclass(frozen=True)
class Close:
    """One closed day, and the fact that closed it."""

    log_id: str
    fact: DayClosed
    recorded: Recorded

    @property
    def day(self) -> date:
        """The day that was closed."""
        return self.fact.day

    @property
    def upto(self) -> int:
        """What stands behind this position is not in the day's figures."""
        return self.fact.upto

    @property
    def place(self) -> Head:
        """The place in the log of the fact that closed the day."""
        return Head(self.log_id, self.recorded.position, self.recorded.hash)


@dataclass(frozen=True)
class Closes:
    """A casino's closed days, in their order; their dates follow each other without a gap."""

    days: tuple[Close, ...]

    def of(self, day: date) -> Close | None:
        """The close of `day`; None for one that is open, or was closed with a later one."""
        return self._by_day.get(day)

    def between(self, first: date, last: date) -> Iterator[Close]:
        """The days closed from `first` to `last`."""
        return (close for close in self.days if first <= close.day <= last)

    @cached_property
    def _by_day(self) -> dict[date, Close]:
        return {close.day: close for close in self.days}


def closes_of(reading: Reading, casino: str) -> Closes:
    """The days that `casino` has closed, as the reading's place in the log knows them."""
    recorded = reading.log.read_stream(days_stream(casino))
    return Closes(tuple(_close(reading, one) for one in recorded if one.position <= reading.place.position))


def _close(reading: Reading, recorded: Recorded) -> Close:
    fact = decoded(reading.codec, recorded)
    assert isinstance(fact, DayClosed)  # there are no others in this stream
    return Close(reading.place.log_id, fact, recorded)
