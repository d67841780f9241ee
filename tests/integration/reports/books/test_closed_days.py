"""What comes after a day was closed is booked in the day still open: the closed day's books stay as they were."""

import json
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from feeding import SENDER, Feeding
from sqlalchemy import Engine

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Accepted, Request
from backoffice.bootstrap import CODEC, House, house_on
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.staff import Person, Role
from backoffice.kernel.calendar import Days
from backoffice.log.postgres import PostgresLog
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.tables import tables
from backoffice.reports.making import making
from backoffice.reports.rendering.forms import FORMS

TABLES = {report.name: report for report in tables(read_chart())}


def rows(house: House, name: str, asked: Asked) -> list[dict[str, Any]]:
    with making(house.engine, house.codec, TABLES[name], asked) as report:
        said = json.loads(b"".join(FORMS["json"](report)))
    return list(said["rows"])


def close(engine: Engine, day: date, upto: int) -> None:
    accountant = Person(name="ada", role=Role.ACCOUNTANT, casinos=())
    command = CloseDay(
        id=f"close {day}", at=datetime(2027, 1, 1, tzinfo=UTC), by=accountant, casino="tallinn", day=day,
        upto=upto, hash="0" * 64, figures=(), unfinished=(),
    )  # fmt: skip
    handler = Handler(PostgresLog(engine), CODEC, Recall(CODEC))
    (outcome,) = handler.commit([Request(command, SENDER, actor="ada")])
    assert isinstance(outcome, Accepted), outcome


@pytest.mark.parametrize("name", ["journal", "general-ledger", "trial-balance"])
def test_a_closed_days_books_stay_and_late_facts_are_booked_in_the_next(engine: Engine, name: str) -> None:
    feeding, house = Feeding(engine), house_on(engine)
    feeding.take(1500)
    first = date.fromisoformat(rows(house, "journal", Asked("tallinn"))[0]["day"])
    asked = Asked("tallinn", first, first)
    before, closed_at = rows(house, name, asked), house.log.head().position
    close(engine, first, closed_at)
    feeding.take(500)  # of the same evening
    assert rows(house, name, asked) == before

    late = [row for row in rows(house, "journal", Asked("tallinn")) if row["position"] > closed_at]
    following = (first + timedelta(days=1)).isoformat()
    assert late
    assert {row["day"] for row in late} == {following}
    assert any(row["happened_at"][:10] == first.isoformat() for row in late)

    # Nothing is lost, and by the law's day or that of UTC it is where it happened.
    sums = [
        {(row["number"], row["currency"]): row["closing"] for row in rows(house, "trial-balance", Asked("tallinn", days=days))}
        for days in Days
    ]  # fmt: skip
    assert sums[0] == sums[1] == sums[2]
    of_utc = rows(house, "journal", Asked("tallinn", first, first, Days.UTC))
    assert any(row["position"] > closed_at for row in of_utc)


def test_the_days_after_a_closed_one_open_with_what_it_closed_with(engine: Engine) -> None:
    feeding, house = Feeding(engine), house_on(engine)
    feeding.take(1500)
    first = date.fromisoformat(rows(house, "journal", Asked("tallinn"))[0]["day"])
    close(engine, first, house.log.head().position)
    feeding.take(500)
    days = [
        rows(house, "trial-balance", Asked("tallinn", day, day)) for day in (first, first + timedelta(days=1))
    ]
    closing, opening = ({(row["number"], row["currency"]): row for row in day} for day in days)
    assert {key: row["closing"] for key, row in closing.items()} == {
        key: row["opening"] for key, row in opening.items() if key in closing
    }
