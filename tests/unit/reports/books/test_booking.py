"""On which day a fact is booked that comes after its day was closed."""

from datetime import UTC, date, datetime

from backoffice.kernel.calendar import calendar
from backoffice.reports.books.booking import Booking, Closing

FIRST, SECOND, THIRD, FOURTH = (date(2026, 3, day) for day in (1, 2, 3, 4))
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
OPEN = Booking(calendar("Europe/Tallinn", "06:00"))
CLOSED = Booking(OPEN.calendar, closings=(Closing(FIRST, 100), Closing(SECOND, 100), Closing(THIRD, 250)))


def test_a_fact_of_an_open_day_is_booked_when_it_happened() -> None:
    assert OPEN.day_of(1000, NOON) == FIRST
    assert CLOSED.day_of(1000, NOON.replace(day=5)) == date(2026, 3, 5)


def test_what_stands_up_to_the_closings_position_is_of_the_closed_day() -> None:
    assert CLOSED.day_of(100, NOON) == FIRST


def test_what_comes_later_is_of_the_first_day_still_open() -> None:
    assert CLOSED.day_of(101, NOON) == THIRD
    assert CLOSED.day_of(250, NOON) == THIRD
    assert CLOSED.day_of(251, NOON) == FOURTH


def test_a_span_begins_and_ends_with_its_days() -> None:
    span = OPEN.span(FIRST, SECOND)
    assert span.begins == tuple(datetime(2026, 3, day, 4, tzinfo=UTC) for day in (1, 2, 3))
    assert span.last == SECOND


def test_a_span_knows_behind_which_position_late_facts_are_its_own() -> None:
    assert OPEN.too_late(FIRST) is None
    assert CLOSED.too_late(SECOND) == 100
    assert CLOSED.too_late(FOURTH) == 250
    assert CLOSED.too_late(date(2026, 3, 5)) is None
