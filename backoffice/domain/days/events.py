"""What became true of a casino's gaming days."""

from dataclasses import dataclass
from datetime import date, datetime

from backoffice.domain.event import Event


@dataclass(frozen=True, slots=True)
class DayFigures:
    """What one table brought in one currency; `day` is the day it belongs to, an earlier one in a prior-period line.

    Table and book are missing where something belongs to no round. `brought` holds the figures that are not zero, by
    the names of `domain.takings`: counts, and money in minor units.
    """

    day: date
    table: str | None
    book: str | None
    currency: str
    brought: dict[str, int]


@dataclass(frozen=True, slots=True)
class UnfinishedRound:
    """A round of the day that had no result yet, and what it held of the casino's players, in minor units by currency."""

    round: str
    table: str
    opened_at: datetime
    held: dict[str, int]


@dataclass(frozen=True, slots=True)
class DayClosed(Event):
    """A gaming day of a casino was closed: these are its figures, from the log up to position `upto`, whose event has this
    `hash`.

    Whatever belongs to the day and stands behind that position is reported in the day that is open then. `unfinished`
    rounds belong to the days of their results.
    """

    type_name = "day.closed"
    casino: str
    day: date
    begins_at: datetime
    ends_at: datetime
    upto: int
    hash: str
    figures: tuple[DayFigures, ...]
    unfinished: tuple[UnfinishedRound, ...]
    by: str

    @property
    def stream(self) -> str:
        """`days/{casino}`: one day after the other."""
        return days_stream(self.casino)


def days_stream(casino: str) -> str:
    """The stream of a casino's closed days."""
    return f"days/{casino}"
