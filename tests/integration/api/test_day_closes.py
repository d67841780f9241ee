"""Closing gaming days over HTTP: once, in order, by who may, with evidence; on a real server process."""

from datetime import date, timedelta
from itertools import count
from typing import Any

import httpx
import pytest
from api_server import Server, problem
from command_line import backoffice
from front_door import a_handler, action, deposit, events, opened, rows, take, tallinn
from rounds_on_days import on, played
from sqlalchemy import Engine

from backoffice.bootstrap import CODEC
from backoffice.domain.days.events import DayClosed

_days = (date(2026, 3, 1) + timedelta(days=number) for number in count())
_numbers = count(1)


@pytest.fixture
def day(books: Engine) -> str:
    """The next day of Tallinn's that is open; a round was lost on it."""
    day = next(_days)
    take(a_handler(books), deposit("ann", "100.00"), *played(f"on-{day}", on(day)))
    return day.isoformat()


@pytest.fixture(scope="module")
def acc(server: Server) -> httpx.Client:
    return server.person("acc", "accountant", casinos=["tallinn"])


def close(who: httpx.Client, day: str, *, key: str | None = None, **fields: Any) -> httpx.Response:
    headers = {"Idempotency-Key": key or f"close-{next(_numbers)}"}
    return who.post("/v1/day-closes", json={"casino": "tallinn", "day": day, **fields}, headers=headers)


def test_a_day_is_closed_and_its_figures_are_there(acc: httpx.Client, books: Engine, day: str) -> None:
    answer = close(acc, day)
    assert answer.status_code == 200, answer.text
    receipt = answer.json()
    assert receipt["streams"] == ["days/tallinn"]
    assert receipt["position"] == receipt["first_position"] == events(books)[-1].position
    (told,) = receipt["told"]
    assert day in told
    asked = {"casino": "tallinn", "day": day}
    report = acc.get("/v1/reports/closed-day", params=asked).json()
    assert [row["ggr"] for row in report["rows"]] == ["60.25"]
    assert report["closed_by"] == "acc"
    listed = acc.get("/v1/reports/closed-days", params=asked).json()["rows"]
    assert [(row["day"], row["by"]) for row in listed] == [(day, "acc")]


def test_it_is_evidence_who_closed_it(acc: httpx.Client, books: Engine, day: str) -> None:
    position = close(acc, day).json()["position"]
    query = (
        "select who, whence, what, last_position from intake.significant_events order by number desc limit 1"
    )
    assert rows(books, query) == [("acc", "127.0.0.1 by token", "close day", position)]


def test_closed_again_with_the_same_key_it_is_answered_as_the_first_time(
    acc: httpx.Client, books: Engine, day: str
) -> None:
    first = close(acc, day, key="twice")
    take(a_handler(books), *played(f"late-{day}", on(date.fromisoformat(day))))
    again = close(acc, day, key="twice")
    assert first.json() == again.json()
    assert again.headers["Idempotency-Replayed"] == "true"
    assert problem(close(acc, day), 409, "refused")["rule"] == "closed"
    problem(close(acc, day, key="twice", carry_over=True), 422, "idempotency-key-reused")


def test_days_are_closed_in_their_order_and_when_they_are_over(acc: httpx.Client, day: str) -> None:
    following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
    assert close(acc, day).status_code == 200
    next_but_one = (date.fromisoformat(following) + timedelta(days=1)).isoformat()
    assert problem(close(acc, next_but_one), 409, "refused")["rule"] == "order"
    assert problem(close(acc, day), 409, "refused")["rule"] == "closed"


def test_a_day_that_is_not_over_is_not_closed(server: Server) -> None:
    everywhere = server.person("acc-all", "accountant")
    answer = close(everywhere, "2999-01-01", casino="lugano")
    assert problem(answer, 409, "refused")["rule"] == "over"


def test_rounds_without_a_result_are_in_the_way_or_carried_over(
    acc: httpx.Client, books: Engine, day: str
) -> None:
    at = {"round": f"open-{day}", "at": on(date.fromisoformat(day)).isoformat()}
    seat = action("ante", **at, seat="1", **tallinn("ann"), amount="20.00")
    take(a_handler(books), opened(at["round"], at=at["at"]), seat)
    document = problem(close(acc, day), 409, "refused")
    assert document["rule"] == "unfinished"
    assert at["round"] in document["detail"]
    assert close(acc, day, carry_over=True).status_code == 200
    fact = CODEC.decode(DayClosed.type_name, 1, events(books)[-1].data)
    assert [one.round for one in fact.unfinished] == [at["round"]]


def test_the_command_line_and_the_api_close_one_after_the_other(
    acc: httpx.Client, books: Engine, day: str
) -> None:
    done = backoffice(books, "day", "close", "tallinn", day, "--carry-over", "--as", "ann:accountant")
    assert done.code == 0, done.err
    assert problem(close(acc, day), 409, "refused")["rule"] == "closed"


def test_only_who_may_closes_a_day_and_only_of_their_casino(server: Server, day: str) -> None:
    for role in ("auditor", "cashier", "compliance"):
        assert problem(close(server.person("x", role), day), 403, "forbidden")["rule"] == "role"
    leo = server.person("leo", "administrator", casinos=["lugano"])
    assert problem(close(leo, day), 403, "forbidden")["rule"] == "casino"
    mia = server.person("mia", "shift_manager", casinos=["tallinn", "lugano"])
    assert close(mia, day, carry_over=True).status_code == 200


@pytest.mark.parametrize("wrong", ["yesterday", "20260301", "2026-03-01T00:00:00", "0001-01-01", 20000, None])
def test_what_is_no_day_is_told(acc: httpx.Client, wrong: Any) -> None:
    document = problem(close(acc, wrong), 422, "invalid")
    assert document["errors"][0]["field"] == "day"


def test_a_casino_that_there_is_not_has_no_days(server: Server) -> None:
    everywhere = server.person("acc-all", "accountant")
    document = problem(close(everywhere, "2026-03-01", casino="atlantis"), 422, "invalid")
    assert document["errors"][0]["field"] == "casino"


def test_figures_are_not_given_but_drawn_up(acc: httpx.Client, day: str) -> None:
    document = problem(close(acc, day, figures=[]), 422, "invalid")
    assert document["errors"][0]["field"] == "figures"
