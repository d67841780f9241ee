"""The days asked for, casino by casino: when each begins and ends, in UTC and by the clock of the place."""

from collections.abc import Iterator
from zoneinfo import ZoneInfo

from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts


def _rows(reading: Reading) -> Iterator[Row]:
    for casino in reading.casinos:
        days_of = reading.calendars[casino]
        zone = days_of.settings[-1].clock.zone
        for day in reading.days():
            begin, end = days_of.bounds(day, days=reading.asked.days)
            yield {
                "casino": casino,
                "day": day,
                "begins_at": begin,
                "ends_at": end,
                "begins_by_the_clock": begin.astimezone(ZoneInfo(zone)).isoformat(),
                "seconds": int((end - begin).total_seconds()),
            }


CALENDAR_DAYS = Report(
    name="calendar-days",
    title="Days of the calendar",
    about="when each gaming, legal or UTC day of a casino begins and ends, across changes of the clock",
    columns=(
        Column("casino"),
        Column("day", Kind.DAY),
        Column("begins_at", Kind.TIME),
        Column("ends_at", Kind.TIME),
        Column("begins_by_the_clock"),
        *counts("seconds"),
    ),
    rows=_rows,
    totals_by=("casino",),
)
