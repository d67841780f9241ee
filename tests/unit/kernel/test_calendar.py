"""Days tile the time line, whatever the clocks do."""

from calendar import monthrange
from datetime import UTC, date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backoffice.kernel.calendar import Calendar, Clock, Days, Setting, calendar, days_from, month_of

ZONES = (
    "Europe/Tallinn",
    "Europe/Stockholm",
    "Europe/Zurich",
    "America/Santiago",  # clocks change at midnight
    "Australia/Lord_Howe",  # by half an hour
    "Asia/Kathmandu",
    "Pacific/Apia",
    "UTC",
)
CLOCK_TIMES = st.builds("{:02d}:{:02d}".format, st.integers(0, 23), st.integers(0, 59))
CLOCKS = st.builds(Clock, st.sampled_from(ZONES), CLOCK_TIMES)
NEW_YEAR = datetime(2026, 1, 1, tzinfo=UTC)
MOMENTS = st.integers(-(10**5), 32 * 10**6).map(lambda seconds: NEW_YEAR + timedelta(seconds=seconds))
TALLINN = calendar("Europe/Tallinn", "06:00")
HOUR = timedelta(hours=1)


def utc(*parts: int) -> datetime:
    return datetime(*parts, tzinfo=UTC)


@st.composite
def calendars(draw):
    """A casino whose clock was set up to four times, not always in the order of the times it was set at."""
    changes = draw(st.lists(st.builds(Setting, CLOCKS, MOMENTS), max_size=3))
    return Calendar((Setting(draw(CLOCKS)), *changes))


@settings(max_examples=40)
@given(calendars(), st.sampled_from(Days))
def test_the_days_of_a_year_tile_the_time_line(days_of_casino, kind):
    begins = [days_of_casino.begin(day, kind) for day in days_from(date(2026, 1, 1), date(2027, 1, 1))]
    assert begins == sorted(begins)
    for day in days_from(date(2026, 1, 1), date(2026, 12, 31)):
        begin, end = days_of_casino.bounds(day, days=kind)
        assert end == days_of_casino.begin(day + timedelta(days=1), kind)
        if begin < end:
            assert days_of_casino.day_of(begin, kind) == day
            assert days_of_casino.day_of(end - timedelta(microseconds=1), kind) == day


@settings(max_examples=200)
@given(calendars(), st.sampled_from(Days), MOMENTS, st.sampled_from(ZONES))
def test_a_moment_is_in_exactly_one_day_however_it_is_written(days_of_casino, kind, moment, zone):
    day = days_of_casino.day_of(moment, kind)
    begin, end = days_of_casino.bounds(day, days=kind)
    assert begin <= moment < end
    assert days_of_casino.day_of(moment.astimezone(ZoneInfo(zone)), kind) == day


@pytest.mark.parametrize("zone", ZONES)
@pytest.mark.parametrize("day_starts", ["00:00", "02:30", "06:00"])
def test_a_clock_that_was_not_set_gives_days_of_23_24_or_25_hours_and_a_year_that_adds_up(zone, day_starts):
    ours = calendar(zone, day_starts)
    lengths = [
        end - begin
        for begin, end in (ours.bounds(day) for day in days_from(date(2026, 1, 1), date(2026, 12, 31)))
    ]
    assert sum(lengths, timedelta()) == timedelta(days=365)
    assert {abs(length - timedelta(days=1)) for length in lengths} <= {0 * HOUR, HOUR / 2, HOUR}


def test_a_gaming_day_starts_at_its_hour_by_the_casinos_clock():
    assert TALLINN.bounds(date(2026, 3, 1)) == (utc(2026, 3, 1, 4), utc(2026, 3, 2, 4))
    assert TALLINN.day_of(utc(2026, 3, 1, 3, 59, 59)) == date(2026, 2, 28)
    assert TALLINN.day_of(utc(2026, 3, 1, 4)) == date(2026, 3, 1)


def test_the_same_moment_is_in_three_days():
    moment = utc(2026, 3, 1, 23, 30)
    assert TALLINN.day_of(moment, Days.GAMING) == date(2026, 3, 1)
    assert TALLINN.day_of(moment, Days.LEGAL) == date(2026, 3, 2)
    assert TALLINN.day_of(moment, Days.UTC) == date(2026, 3, 1)


def test_clocks_put_forward_make_a_day_of_23_hours_and_back_one_of_25():
    spring, autumn = date(2026, 3, 28), date(2026, 10, 24)
    assert TALLINN.bounds(spring).end - TALLINN.bounds(spring).begin == 23 * HOUR
    assert TALLINN.bounds(autumn).end - TALLINN.bounds(autumn).begin == 25 * HOUR


def test_a_start_in_the_hour_that_is_left_out_is_the_moment_of_the_change():
    ours = calendar("Europe/Stockholm", "02:30")
    assert ours.begin(date(2026, 3, 29)) == utc(2026, 3, 29, 1)
    assert ours.day_of(utc(2026, 3, 29, 0, 59, 59)) == date(2026, 3, 28)


def test_a_start_in_the_hour_that_comes_twice_is_the_first_one():
    ours = calendar("Europe/Stockholm", "02:30")
    assert ours.begin(date(2026, 10, 25)) == utc(2026, 10, 25, 0, 30)
    second_time = utc(2026, 10, 25, 1, 10)  # 02:10 again
    assert ours.day_of(second_time) == date(2026, 10, 25)


def test_a_day_that_its_zone_left_out_is_empty():
    ours = calendar("Pacific/Apia")
    begin, end = ours.bounds(date(2011, 12, 30))
    assert begin == end == utc(2011, 12, 30, 10)
    assert ours.day_of(begin) == date(2011, 12, 31)


@settings(max_examples=100)
@given(calendars(), CLOCKS, MOMENTS, st.sampled_from(Days))
def test_a_clock_set_anew_moves_no_day_that_has_begun(before, clock, since, kind):
    since = max(since, *(setting.since or since for setting in before.settings))
    after = Calendar((*before.settings, Setting(clock, since)))
    today = before.day_of(since, kind)
    for day in days_from(today - timedelta(days=40), today):
        assert after.bounds(day, days=kind) == before.bounds(day, days=kind)


def test_the_days_behind_a_change_go_by_the_new_clock():
    moved = Calendar(
        (
            Setting(Clock("Europe/Tallinn", "06:00")),
            Setting(Clock("Europe/Malta", "04:00"), utc(2026, 5, 4, 12)),
        )
    )
    assert moved.bounds(date(2026, 5, 4)) == (utc(2026, 5, 4, 3), utc(2026, 5, 5, 3))
    assert moved.bounds(date(2026, 5, 5)) == (utc(2026, 5, 5, 3), utc(2026, 5, 6, 2))
    assert moved.bounds(date(2026, 5, 6)) == (utc(2026, 5, 6, 2), utc(2026, 5, 7, 2))


def test_two_changes_on_one_day_come_to_the_second():
    twice = Calendar(
        (
            Setting(Clock("Europe/Tallinn", "06:00")),
            Setting(Clock("Asia/Kathmandu", "00:00"), utc(2026, 5, 4, 12)),
            Setting(Clock("Europe/Malta", "04:00"), utc(2026, 5, 4, 13)),
        )
    )
    assert twice.begin(date(2026, 5, 6)) == utc(2026, 5, 6, 2)


def test_a_clock_dated_back_behind_another_counts_from_that_one_on():
    noon = utc(2026, 5, 4, 12)
    settings = (Setting(Clock("Europe/Tallinn", "06:00")), Setting(Clock("Europe/Malta", "04:00"), noon))
    dated_back = Calendar((*settings, Setting(Clock("Asia/Kathmandu", "00:00"), noon - timedelta(days=30))))
    for day in days_from(date(2026, 4, 1), date(2026, 5, 4)):
        assert dated_back.bounds(day) == Calendar(settings).bounds(day)
    assert dated_back.begin(date(2026, 5, 6)) == calendar("Asia/Kathmandu").begin(date(2026, 5, 6))


def test_a_clock_set_back_by_more_than_a_day_leaves_a_day_empty():
    noon = utc(2026, 5, 4, 12)
    moved = Calendar(
        (Setting(Clock("America/Santiago", "23:59")), Setting(Clock("Pacific/Apia", "00:00"), noon))
    )
    today = moved.day_of(noon)
    tomorrow, behind = moved.bounds(today + timedelta(days=1)), moved.bounds(today + timedelta(days=2))
    assert tomorrow.begin == tomorrow.end == behind.begin < behind.end
    assert moved.day_of(tomorrow.begin) == today + timedelta(days=2)


def test_a_month_is_its_days():
    assert month_of(date(2026, 2, 15)) == (date(2026, 2, 1), date(2026, 2, 28))
    assert month_of(date(2028, 2, 29)) == (date(2028, 2, 1), date(2028, 2, 29))
    for number in range(1, 13):
        first, last = month_of(date(2026, number, 1))
        assert (first.day, last.day) == (1, monthrange(2026, number)[1])
        lengths = [TALLINN.bounds(day).end - TALLINN.bounds(day).begin for day in days_from(first, last)]
        begin, end = TALLINN.bounds(first, last)
        assert sum(lengths, timedelta()) == end - begin
