"""Which day a moment belongs to: a casino's gaming day, the legal day of its place, the day of UTC; and when days begin.

Days tile the time line: each begins where the one before ends, as an instant in UTC, and a moment is in exactly one. So
a day has 23 or 25 hours where clocks are put forward or back. A day begins when the clock of the place first shows its
starting time or a later one: in an hour that is left out, at the moment of the change; in one that comes twice, the
first time. A day that its zone leaves out of the calendar is there, and empty.
"""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import StrEnum
from functools import cache, lru_cache
from typing import NamedTuple
from zoneinfo import ZoneInfo, available_timezones

_DAY = timedelta(days=1)
_SECOND = timedelta(seconds=1)
_EVER = datetime.min.replace(tzinfo=UTC)


class UnknownZone(ValueError):
    """There is no such time zone; the message says so, in a sentence."""


class Days(StrEnum):
    """What is meant by a day."""

    GAMING = "gaming"
    """From one opening of the books to the next, by the casino's zone and day start."""
    LEGAL = "legal"
    """From midnight to midnight by the casino's zone."""
    UTC = "utc"


class Bounds(NamedTuple):
    """From `begin`, with it, to `end`, without it; instants in UTC."""

    begin: datetime
    end: datetime


class Clock(NamedTuple):
    """A zone by its IANA name and the time of its clock at which a gaming day starts (`"06:00"`)."""

    zone: str
    day_starts: str = "00:00"


class Setting(NamedTuple):
    """A clock and when it was set; None: it was there from the start."""

    clock: Clock
    since: datetime | None = None


@dataclass(frozen=True, slots=True)
class Calendar:
    """A casino's days. `settings` are its clocks in the order in which they were set, at least one.

    A clock that is set anew moves no day that has begun: that one ends as it would have, and the days behind it begin by
    the new clock, the first of them where the last old one ends.
    """

    settings: tuple[Setting, ...]

    def day_of(self, moment: datetime, days: Days = Days.GAMING) -> date:
        """The day that `moment`, of whatever zone, is in."""
        day = moment.astimezone(ZoneInfo(_eras(self.settings, days)[-1].clock.zone)).date()
        while moment < self.begin(day, days):
            day -= _DAY
        while moment >= self.begin(day + _DAY, days):
            day += _DAY
        return day

    def begin(self, day: date, days: Days = Days.GAMING) -> datetime:
        """When `day` begins; in UTC."""
        return _begin(_eras(self.settings, days), day)

    def bounds(self, first: date, last: date | None = None, days: Days = Days.GAMING) -> Bounds:
        """When `first` begins and when `last`, by default the same day, ends."""
        return Bounds(self.begin(first, days), self.begin((last or first) + _DAY, days))


def refuse_unknown_zone(name: str) -> None:
    """Raise UnknownZone for what is no name of a zone in the IANA database."""
    if name not in _zones():
        raise UnknownZone(f"{name} is no time zone of the IANA database (as Europe/Tallinn is one)")


@cache
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def calendar(zone: str, day_starts: str = "00:00") -> Calendar:
    """The days of a casino whose clock was never set anew."""
    return Calendar((Setting(Clock(zone, day_starts)),))


def month_of(day: date) -> tuple[date, date]:
    """The first and the last day of the month that `day` is in: a month is its days, whichever days are meant."""
    first = day.replace(day=1)
    return first, (first + 31 * _DAY).replace(day=1) - _DAY


def days_from(first: date, last: date) -> Iterator[date]:
    """Every day from `first` to `last`, with both."""
    return (first + number * _DAY for number in range((last - first).days + 1))


class _Era(NamedTuple):
    """One clock's days: `first` is the first of them, and begins at `begin` whatever the clock says."""

    first: date
    begin: datetime
    clock: Clock


@lru_cache(maxsize=1024)
def _eras(settings: tuple[Setting, ...], days: Days) -> tuple[_Era, ...]:
    if days is Days.UTC:
        return (_Era(date.min, _EVER, Clock("UTC")),)
    eras = [_Era(date.min, _EVER, _clock(settings[0], days))]
    since = _EVER
    for number, setting in enumerate(settings[1:], start=1):
        since = max(since, setting.since or _EVER)
        first = Calendar(settings[:number]).day_of(since, days) + _DAY
        eras.append(_Era(first, _begin(tuple(eras), first), _clock(setting, days)))
    return tuple(eras)


def _clock(setting: Setting, days: Days) -> Clock:
    return setting.clock if days is Days.GAMING else Clock(setting.clock.zone)


def _begin(eras: tuple[_Era, ...], day: date) -> datetime:
    era = eras[bisect_right([era.first for era in eras], day) - 1]
    return era.begin if day == era.first else max(era.begin, _clock_shows(era.clock, day))


@lru_cache(maxsize=65536)
def _clock_shows(clock: Clock, day: date) -> datetime:
    """The first instant at which the clock shows the start of `day`, or a time behind it."""
    zone = ZoneInfo(clock.zone)
    start = datetime.combine(day, time.fromisoformat(clock.day_starts), zone)
    instant = start.astimezone(UTC)
    if instant.astimezone(zone).replace(tzinfo=None) == start.replace(tzinfo=None):
        return instant
    return _change(zone, start.replace(fold=1).astimezone(UTC), instant)


def _change(zone: ZoneInfo, before: datetime, after: datetime) -> datetime:
    """When the clock was put forward between two instants; changes are at whole seconds."""
    old = before.astimezone(zone).utcoffset()
    while after - before > _SECOND:
        middle = before + (after - before) // 2
        middle = middle.replace(microsecond=0)
        if middle.astimezone(zone).utcoffset() == old:
            before = middle
        else:
            after = middle
    return after
