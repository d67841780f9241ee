"""The year that is played: 2025, with its two changes of the clock in Europe."""

from datetime import UTC, date, datetime

from backoffice.kernel.calendar import days_from, month_of

BEGINS = datetime(2025, 1, 1, 12, tzinfo=UTC)
ENDS = datetime(2025, 12, 31, tzinfo=UTC)
"""A little before the year's end, for the last rounds to be finished in."""
FIRST, LAST = date(2025, 1, 1), date(2025, 12, 31)
MONTHS = tuple(month_of(date(2025, month, 1)) for month in range(1, 13))
EVERY_DAY = tuple(days_from(FIRST, LAST))
SOME_DAYS = tuple(
    date(2025, month, day) for month, day in ((1, 1), (3, 29), (3, 30), (7, 1), (10, 25), (10, 26), (12, 31))
)
"""The first, the last, one in between, and those of 23 and 25 hours."""
