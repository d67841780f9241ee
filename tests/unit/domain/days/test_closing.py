"""Closing days: each once, in their order, when it is over, by who may."""

from contextlib import nullcontext
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.cli.people import person
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.days.events import DayClosed, DayFigures, UnfinishedRound
from backoffice.domain.event import Refused

FIRST = date(2026, 3, 1)
NEXT = FIRST + timedelta(days=1)
NOON = datetime(2026, 3, 2, 10, tzinfo=UTC)
LEFT = UnfinishedRound("r-1", "live", NOON, {"EUR": 500})


@pytest.fixture
def house() -> PureHouse:
    house = PureHouse()
    house.apply_network(network("06:00"))
    return house


def network(day_starts: str) -> dict[str, Any]:
    casino = {
        "id": "tallinn",
        "currencies": ["EUR"],
        "timezone": "Europe/Tallinn",
        "gaming_day_starts": day_starts,
    }
    return {"network": {"id": "n", "base_currency": "EUR"}, "casino": [casino]}


def close(house: PureHouse, day: date = FIRST, **fields: Any) -> DayClosed:
    asked = {
        "id": f"close-{day}-{len(house.asked)}",
        "at": NOON + (day - FIRST),
        "by": person("ann:accountant"),
        "casino": "tallinn",
        "day": day,
        "upto": 7,
        "hash": "0" * 64,
        "figures": (DayFigures(day, "live", "caribbean-live/1", "EUR", {"rounds": 1, "ggr": 500}),),
        "unfinished": (),
    }
    (closed,) = house.handle(CloseDay(**{**asked, **fields}))
    assert isinstance(closed, DayClosed)
    return closed


def test_a_day_is_closed_with_its_bounds_and_figures(house):
    closed = close(house)
    assert closed.begins_at == datetime(2026, 3, 1, 4, tzinfo=UTC)
    assert closed.ends_at == datetime(2026, 3, 2, 4, tzinfo=UTC)
    assert (closed.stream, closed.by, closed.upto) == ("days/tallinn", "ann", 7)
    assert closed.figures[0].brought == {"rounds": 1, "ggr": 500}


def test_days_are_closed_one_after_the_other(house):
    close(house)
    close(house, NEXT)
    assert house.past.closed_days["tallinn"].day == NEXT


@pytest.mark.parametrize(
    ("fields", "rule", "reason"),
    [
        ({"day": FIRST}, "closed", "2026-03-01 of tallinn is closed already"),
        ({"day": FIRST - timedelta(days=1)}, "closed", "2026-02-28 of tallinn is closed already"),
        (
            {"day": NEXT + timedelta(days=1)},
            "order",
            "2026-03-02 of tallinn is still open: days are closed in their order",
        ),
        ({"upto": 6}, "position", "these figures are of position 6, 2026-03-01 was closed at 7"),
        (
            {"at": datetime(2026, 3, 3, 3, 59, 59, tzinfo=UTC)},
            "over",
            "2026-03-02 of tallinn is not over before 2026-03-03 04:00 UTC",
        ),
        (
            {"unfinished": (LEFT,)},
            "unfinished",
            "2026-03-02 of tallinn has rounds without a result: r-1; settle or cancel them, or carry them over",
        ),
        ({"casino": "riga"}, "casino", "there is no casino riga"),
        ({"by": person("ann:cashier")}, "role", "ann acts as cashier: that role closes no day"),
        ({"by": person("ann:accountant@riga")}, "casino", "ann is not of the staff of tallinn"),
    ],
)
def test_what_cannot_be_closed_is_refused_with_its_reason(house, fields, rule, reason):
    close(house)
    with pytest.raises(Refused) as refused:
        close(house, **{"day": NEXT, "at": NOON + timedelta(days=1), **fields})
    assert (refused.value.rule, refused.value.reason) == (rule, reason)


def test_no_clock_is_set_for_days_that_are_closed(house):
    close(house)
    begins_at = datetime(2026, 3, 1, 4, tzinfo=UTC)
    for moment, refused in [(begins_at - timedelta(seconds=1), True), (begins_at, False)]:
        house.now = moment
        with (
            pytest.raises(Refused, match="2026-03-01 of tallinn is closed: no clock is set")
            if refused
            else nullcontext()
        ):
            house.apply_network(network("04:00"))
    assert house.past.network.calendars["tallinn"].bounds(FIRST) == (begins_at, NOON.replace(hour=4))


def test_what_else_changes_of_a_casino_may_be_dated_back(house):
    close(house)
    house.now = datetime(2026, 1, 1, tzinfo=UTC)
    file = network("06:00")
    file["casino"][0]["currencies"] = ["EUR", "SEK"]
    file["rates"] = {"SEK": "11.4"}
    assert house.apply_network(file)


def test_a_day_is_over_at_its_last_moment_and_not_before(house):
    closed = close(house, at=datetime(2026, 3, 2, 4, tzinfo=UTC))
    assert closed.day == FIRST


def test_rounds_without_a_result_can_be_carried_over(house):
    closed = close(house, unfinished=(LEFT,), carry_over=True)
    assert closed.unfinished == (LEFT,)


def test_many_rounds_without_a_result_are_counted(house):
    many = tuple(UnfinishedRound(f"r-{number}", "live", NOON, {}) for number in range(9))
    with pytest.raises(Refused, match=r"r-0, r-1, r-2, r-3, r-4 and 4 more; settle or cancel them"):
        close(house, unfinished=many)
