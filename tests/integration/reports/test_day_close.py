"""Closing a day freezes its figures; what becomes known later is told in the day still open, and as it is now known."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from random import Random
from typing import Any

import pytest
from command_line import backoffice
from front_door import a_handler, action, deposit, events, founding, opened, staff, take, tallinn
from random_office import played as random_evening
from rounds_on_days import on, played
from sqlalchemy import Engine

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Accepted, Request
from backoffice.bootstrap import CODEC, House, house_on
from backoffice.cli.people import person
from backoffice.domain.cases.commands import Approve, RequestReversal
from backoffice.domain.cases.names import reversal_id
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.takings import COUNTS, MONEY
from backoffice.kernel.calendar import Days, days_from
from backoffice.log.postgres import PostgresLog
from backoffice.reports.asked import Asked
from backoffice.reports.closed_days import NotClosed
from backoffice.reports.drawing_up import draw_up
from backoffice.reports.reading import reading
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.revenue import REVENUE, frozen_rows, revenue_of

SATURDAY = date(2026, 2, 28)
SUNDAY, MONDAY, TUESDAY = date(2026, 3, 1), date(2026, 3, 2), date(2026, 3, 3)
ANN = person("ann:accountant")
LATER = datetime(2026, 4, 1, tzinfo=UTC)


@pytest.fixture
def house(engine: Engine) -> House:
    take(a_handler(engine), founding(), deposit("ann"))
    return house_on(engine)


def reversed_(engine: Engine, round_id: str) -> None:
    take(a_handler(engine), staff(RequestReversal, "mia", round=round_id, reason="misread cards"))
    take(a_handler(engine), staff(Approve, "otto:compliance", case=reversal_id(round_id), proposal=1))


def close(house: House, day: date, **fields: Any) -> None:
    outcome = house.close_day("tallinn", day, ANN, LATER, **fields)
    assert isinstance(outcome, Accepted), outcome


def rows(house: House, asked: Asked, name: str = "revenue") -> list[dict[str, Any]]:
    with house.report(name, asked) as made:
        return json.loads(b"".join(FORMS["json"](made)))["rows"]  # type: ignore[no-any-return]


def of_day(day: date, **only: str) -> Asked:
    return Asked("tallinn", day, day, only=only)


def printed(house: House, day: date) -> dict[str, bytes]:
    """The closed day in every form."""
    told = {}
    for form, write in FORMS.items():
        with house.report("closed-day", of_day(day)) as made:
            told[form] = b"".join(write(made))
    return told


def figures(told: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(row["day"], row["prior"], row["rounds"], row["cancelled"], row["ggr"]) for row in told]


def test_a_closed_day_is_the_same_to_the_byte_whatever_becomes_known_later(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    first = printed(house, SUNDAY)
    take(a_handler(house.engine), *played("r-2", on(SUNDAY)), *played("r-3", on(MONDAY)))
    reversed_(house.engine, "r-1")
    house.projector().rebuild()
    assert printed(house, SUNDAY) == first
    close(house, MONDAY)
    assert printed(house, SUNDAY) == first
    assert b"60.25" in first["csv"]


def test_late_facts_are_lines_about_a_prior_period_in_the_open_day(house: House) -> None:
    """A feed that arrives behind the close, and a reversal."""
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    take(a_handler(house.engine), *played("late", on(SUNDAY, 21)), *played("r-3", on(MONDAY)))
    assert figures(rows(house, of_day(SUNDAY))) == [("2026-03-01", None, 1, 0, "60.25")]
    assert figures(rows(house, of_day(MONDAY))) == [
        ("2026-03-02", "2026-03-01", 1, 0, "60.25"),
        ("2026-03-02", None, 1, 0, "60.25"),
    ]
    reversed_(house.engine, "r-1")
    assert figures(rows(house, of_day(MONDAY))) == [
        ("2026-03-02", "2026-03-01", 0, 1, "0.00"),
        ("2026-03-02", None, 1, 0, "60.25"),
    ]


def test_what_comes_late_for_a_day_before_the_first_one_closed_is_told_with_those_that_follow_it(
    house: House,
) -> None:
    """It was closed with that one; it is told in the day behind, whether that is open or closed, and in its details."""
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    take(a_handler(house.engine), *played("late", on(SATURDAY)), *played("r-3", on(MONDAY)))
    both = Asked("tallinn", SUNDAY, MONDAY)
    due = [
        ("2026-03-01", None, 1, 0, "60.25"),
        ("2026-03-02", "2026-02-28", 1, 0, "60.25"),
        ("2026-03-02", None, 1, 0, "60.25"),
    ]
    assert figures(rows(house, both)) == due
    assert figures(rows(house, both, "revenue-rounds")) == due
    close(house, MONDAY)
    assert figures(rows(house, both)) == due
    assert figures(rows(house, both, "revenue-rounds")) == due
    assert figures(rows(house, of_day(SUNDAY), "revenue-rounds")) == due[:1]


def test_the_same_day_as_first_reported_and_as_now_known(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    reversed_(house.engine, "r-1")
    take(a_handler(house.engine), *played("late", on(SUNDAY)), *played("later", on(SUNDAY)))
    assert figures(rows(house, of_day(SUNDAY))) == [("2026-03-01", None, 1, 0, "60.25")]
    known = rows(house, of_day(SUNDAY, **{"as": "now-known"}))
    assert figures(known) == [("2026-03-01", None, 2, 1, "120.50")]
    details = rows(house, of_day(SUNDAY, **{"as": "now-known"}), "revenue-rounds")
    assert sum(row["rounds"] for row in details) == 2
    assert rows(house, of_day(MONDAY, **{"as": "now-known"})) == []


def test_a_late_fact_belongs_to_the_day_that_was_open_when_it_came(house: House) -> None:
    close(house, SUNDAY)
    take(a_handler(house.engine), *played("came-on-monday", on(SUNDAY)))
    close(house, MONDAY)
    take(a_handler(house.engine), *played("came-on-tuesday", on(SUNDAY)))
    assert figures(rows(house, of_day(MONDAY))) == [("2026-03-02", "2026-03-01", 1, 0, "60.25")]
    assert figures(rows(house, of_day(TUESDAY))) == [("2026-03-03", "2026-03-01", 1, 0, "60.25")]


def test_what_is_not_late_belongs_to_its_own_day_however_many_are_open_before_it(house: House) -> None:
    close(house, SUNDAY)
    take(a_handler(house.engine), *played("r-1", on(TUESDAY)))
    assert figures(rows(house, of_day(TUESDAY))) == [("2026-03-03", None, 1, 0, "60.25")]
    assert rows(house, of_day(MONDAY)) == []


@pytest.mark.parametrize("days", [Days.LEGAL, Days.UTC])
def test_days_that_are_never_closed_are_told_as_now_known(house: House, days: Days) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    take(a_handler(house.engine), *played("late", on(SUNDAY)))
    told = rows(house, Asked("tallinn", SUNDAY, SUNDAY, days))
    assert figures(told) == [("2026-03-01", None, 2, 0, "120.50")]


def test_of_two_who_close_a_day_at_once_one_does(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    two = (house, house_on(house.engine))
    with ThreadPoolExecutor(2) as threads:
        outcomes = list(threads.map(lambda one: one.close_day("tallinn", SUNDAY, ANN, LATER), two))
    assert sorted(isinstance(outcome, Accepted) for outcome in outcomes) == [False, True]
    assert len(events(house.engine, "days/tallinn")) == 1


def test_filters_choose_from_closed_days_too(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    close(house, SUNDAY)
    assert len(rows(house, of_day(SUNDAY, table="high-24h"))) == 1
    assert rows(house, of_day(SUNDAY, table="live-1")) == rows(house, of_day(SUNDAY, currency="SEK")) == []


def test_what_comes_between_drawing_up_and_closing_is_late(house: House) -> None:
    drawn_up = draw_up(house.engine, house.codec, "tallinn", SUNDAY)
    take(a_handler(house.engine), *played("between", on(SUNDAY)))
    command = CloseDay(id="close", at=LATER, by=ANN, **drawn_up)
    take(a_handler(house.engine), Request(command, "office", actor="ann"))
    assert rows(house, of_day(SUNDAY), "closed-day") == []
    assert figures(rows(house, of_day(MONDAY))) == [("2026-03-02", "2026-03-01", 1, 0, "60.25")]


def test_a_round_over_the_closing_hour_belongs_to_the_day_of_its_settlement(house: House) -> None:
    (*before, settle) = played("r-1", on(SUNDAY))
    hour_behind = settle._replace(command=replace(settle.command, at=on(MONDAY, 5)))
    take(a_handler(house.engine), *before)
    refused = house.close_day("tallinn", SUNDAY, ANN, LATER)
    assert getattr(refused, "rule", None) == "unfinished"
    close(house, SUNDAY, carry_over=True)
    (closed,) = events(house.engine, "days/tallinn")
    (left,) = json.loads(closed.data)["unfinished"]
    assert (left["round"], left["held"]) == ("r-1", {"EUR": 6025})
    take(a_handler(house.engine), hour_behind)
    assert figures(rows(house, of_day(MONDAY))) == [("2026-03-02", None, 1, 0, "60.25")]
    assert rows(house, of_day(SUNDAY, **{"as": "now-known"})) == []


def test_a_round_that_holds_nothing_of_the_casinos_players_is_in_nobodys_way(house: House) -> None:
    """One nobody staked in, one whose only stake was undone, one of another casino's player at a table of both."""
    at = {"at": on(SUNDAY).isoformat()}
    swede = {"casino": "stockholm", "player": "sven", "currency": "SEK"}
    take(
        a_handler(house.engine),
        opened("empty", **at),
        opened("undone", table="low-24h", **at),
        action("ante", round="undone", seat="1", **tallinn("ann"), amount="5.00", **at),
        action("undo", round="undone", seat="1", **at),
        action("deposit", **swede, amount="500.00", **at),
        opened("theirs", table="live-1", **at),
        action("ante", round="theirs", seat="1", **swede, amount="50.00", **at),
    )
    close(house, SUNDAY)
    theirs = house.close_day("stockholm", SUNDAY, ANN, LATER)
    assert "theirs" in getattr(theirs, "reason", "")


def test_days_closed_and_open_are_told_in_one_report(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)), *played("r-2", on(MONDAY)))
    close(house, SUNDAY)
    told = rows(house, Asked("tallinn", SUNDAY, MONDAY))
    assert figures(told) == [("2026-03-01", None, 1, 0, "60.25"), ("2026-03-02", None, 1, 0, "60.25")]


@pytest.mark.parametrize("seed", range(4))
def test_whenever_days_are_closed_nothing_is_lost_and_what_was_frozen_can_be_found_again(
    engine: Engine, seed: int
) -> None:
    """Rounds and reversals of random days, in random order, and closes in between."""
    chance = Random(seed)  # noqa: S311
    house = house_on(engine)
    take(a_handler(engine), founding(), deposit("ann"))
    days = list(days_from(SUNDAY, SUNDAY + timedelta(days=6)))
    settled: list[str] = []
    shut = 0
    for number in range(40):
        what = chance.random()
        if what < 0.7:
            take(a_handler(engine), *played(f"r-{number}", on(chance.choice(days))))
            settled.append(f"r-{number}")
        elif what < 0.85 and settled:
            reversed_(engine, settled.pop(chance.randrange(len(settled))))
        elif shut < len(days):
            close(house, days[shut])
            shut += 1
    everything = Asked("tallinn")
    reported, known = rows(house, everything), rows(house, Asked("tallinn", only={"as": "now-known"}))
    by_rounds = rows(house, everything, "revenue-rounds")
    for name in ("rounds", "cancelled", "hands", "ggr", "refunds"):
        assert added(reported, name) == added(known, name) == added(by_rounds, name)
    with reading(engine, house.codec, REVENUE.needs, everything) as snapshot:
        again = list(revenue_of(snapshot, "tallinn", as_known=False))
    assert list(frozen(house, days[:shut])) == [row for row in again if row["day"] in days[:shut]]


@pytest.mark.parametrize("seed", [8, 13])
def test_a_busy_evening_of_three_casinos_closed_in_the_middle_loses_nothing(
    engine: Engine, seed: int
) -> None:
    """Cancellations, reversals, corrections, compensations, debts written off: in front of a close and behind it."""
    pure = random_evening(seed, 700)[0]
    asked = [Request(command, "pure", actor="somebody") for command, _ in pure.asked]
    handler = Handler(PostgresLog(engine), CODEC, Recall(CODEC), reacts=pure.reacting)
    house = house_on(engine, reacts=pure.reacting)
    casinos = ("kuwait", "lugano", "stockholm", "tallinn")
    parts = [asked[:200], asked[200:400], asked[400:]]
    for part, day in zip(parts, (SUNDAY, MONDAY, None), strict=True):
        handler.commit(part)
        for casino in casinos if day else ():
            outcome = house.close_day(casino, day, person("ann:accountant"), LATER, carry_over=True)  # type: ignore[arg-type]
            assert isinstance(outcome, Accepted)
    reported, known = rows(house, Asked()), rows(house, Asked(only={"as": "now-known"}))
    details = rows(house, Asked(), "revenue-rounds")
    prior = [row for row in reported if row["prior"]]
    assert {row["day"] for row in prior} == {"2026-03-02", "2026-03-03"}
    for name in (*COUNTS, *MONEY):
        assert added(reported, name) == added(known, name) == added(details, name), name
    for casino in casinos:
        with reading(engine, house.codec, REVENUE.needs, Asked(casino)) as snapshot:
            again = list(revenue_of(snapshot, casino, as_known=False))
        assert list(frozen(house, [SUNDAY, MONDAY], casino)) == [row for row in again if row["day"] <= MONDAY]


def added(told: list[dict[str, Any]], name: str) -> dict[str, Decimal]:
    sums: dict[str, Decimal] = {}
    for row in told:
        sums[row["currency"]] = sums.get(row["currency"], Decimal()) + Decimal(row[name])
    return sums


def frozen(house: House, days: list[date], casino: str = "tallinn") -> Iterator[dict[str, Any]]:
    for recorded in events(house.engine, f"days/{casino}"):
        fact = house.codec.decode(recorded.type, recorded.schema, recorded.data)
        assert fact.day in days  # type: ignore[attr-defined]
        yield from frozen_rows(casino, fact.day, fact.figures)  # type: ignore[attr-defined]


def test_days_are_closed_and_listed_on_the_command_line(house: House) -> None:
    take(a_handler(house.engine), *played("r-1", on(SUNDAY)))
    asked = ("day", "close", "tallinn")
    done = backoffice(house.engine, *asked, "2026-03-01", "--as", "ann:accountant")
    assert (done.code, done.err) == (0, "")
    for day, why in [
        ("2026-03-01", "2026-03-01 of tallinn is closed already"),
        ("2026-03-03", "2026-03-02 of tallinn is still open: days are closed in their order"),
    ]:
        refused = backoffice(house.engine, *asked, day, "--as", "ann:accountant")
        assert (refused.code, refused.err) == (1, f"refused: {why}\n")
    future = backoffice(house.engine, "day", "close", "lugano", "2999-01-01", "--as", "ann:accountant")
    assert "is not over before 2999-01-02 03:00 UTC" in future.err
    nobody = backoffice(house.engine, "day", "close", "riga", "2026-03-01", "--as", "ann:accountant")
    assert (nobody.code, nobody.err) == (
        2,
        "backoffice: there is no casino riga: lugano, stockholm, tallinn\n",
    )
    listed = backoffice(house.engine, "day", "list").out
    assert "tallinn  2026-03-01  2026-03-01T04:00:00Z  2026-03-02T04:00:00Z" in listed


def test_the_report_of_a_day_that_is_not_closed_is_refused(house: House) -> None:
    with (
        pytest.raises(NotClosed, match="2026-03-01 of tallinn is not closed"),
        house.report("closed-day", of_day(SUNDAY)),
    ):
        pass
    with pytest.raises(NotClosed, match="give both"), house.report("closed-day", Asked("tallinn")):
        pass


def test_an_empty_day_is_closed_with_nothing(house: House) -> None:
    close(house, SUNDAY)
    assert b"No activity" in printed(house, SUNDAY)["csv"]
    (closed,) = events(house.engine, "days/tallinn")
    fact = house.codec.decode(closed.type, closed.schema, closed.data)
    assert (fact.figures, fact.unfinished) == ((), ())  # type: ignore[attr-defined]
    assert set(MONEY) & set(COUNTS) == set()
