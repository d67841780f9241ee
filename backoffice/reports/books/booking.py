"""On which day of a book a fact is booked: the one on which it happened, or, where that was closed before the fact came,
the first one still open: what was reported of a closed day stays as it was.
"""

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import NamedTuple

from backoffice.kernel.calendar import Calendar, Days, days_from

_DAY = timedelta(days=1)


class Closing(NamedTuple):
    """A closed day: what stands behind position `upto` comes too late for it."""

    day: date
    upto: int


class Span(NamedTuple):
    """Some days: the first, and the instants at which each begins; the last instant ends the last day."""

    first: date
    begins: tuple[datetime, ...]

    @property
    def last(self) -> date:
        """The last day."""
        return self.first + (len(self.begins) - 2) * _DAY


@dataclass(frozen=True, slots=True)
class Booking:
    """The days by which a book is kept, and those of them that are closed, in their order."""

    calendar: Calendar
    days: Days = Days.GAMING
    closings: tuple[Closing, ...] = ()

    def day_of(self, position: int, happened_at: datetime) -> date:
        """The day on which the fact at `position` is booked."""
        day = self.calendar.day_of(happened_at, self.days)
        closed = bisect_left(self.closings, position, key=lambda closing: closing.upto)
        return max(day, self.closings[closed - 1].day + _DAY) if closed else day

    def span(self, first: date, last: date) -> Span:
        """The days from `first` to `last`."""
        return Span(first, tuple(self._begins(first, last + _DAY)))

    def too_late(self, first: date) -> int | None:
        """The position behind which whatever is of a day before `first` is booked on `first` or later; None: nothing is."""
        before = first - _DAY
        return next((closing.upto for closing in self.closings if closing.day >= before), None)

    def _begins(self, first: date, last: date) -> Iterator[datetime]:
        return (self.calendar.begin(day, self.days) for day in days_from(first, last))
