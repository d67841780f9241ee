"""Jackpots: what went in is what came out and is there; each winner's record; who owes whom, to nought."""

import csv
import json
from collections import Counter
from datetime import date, timedelta
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from front_door import a_handler, founding, staff, take
from random_office import played
from shared_folder import shared
from sqlalchemy import Engine, select, text
from written_house import written

from backoffice.bootstrap import House, house_on
from backoffice.domain.cases.commands import Approve, RequestReversal
from backoffice.domain.cases.names import reversal_id
from backoffice.kernel.calendar import Days
from backoffice.projections.entries import entries
from backoffice.projections.jackpot_shares import jackpot_shares
from backoffice.reports.asked import Asked
from backoffice.reports.rendering.forms import FORMS

Rows = list[dict[str, Any]]


def told(house: House, name: str, asked: Asked = Asked()) -> dict[str, Any]:  # noqa: B008 - frozen
    with house.report(name, asked) as made:
        return json.loads(b"".join(FORMS["json"](made)))  # type: ignore[no-any-return]


def test_every_bucket_reconciles_with_its_meter_to_a_difference_of_nought(sample_house: House) -> None:
    rows = told(sample_house, "jackpot-reconciliation")["rows"]
    meters = csv.DictReader(StringIO(shared("feeds", "expected", "jackpot-meters.csv").read_text("utf-8")))
    expected = {(one["casino"], one["jackpot"], one["currency"]): one["balance"] for one in meters}
    assert {(row["casino"], row["jackpot"], row["currency"]): row["shown"] for row in rows} == expected
    assert {Decimal(row["difference"]) for row in rows} == {Decimal(0)}
    assert all(row["meter"] == row["shown"] for row in rows)


def test_a_meter_that_is_not_what_the_ledger_has_shows_as_a_difference(engine: Engine) -> None:
    take(a_handler(engine), founding())
    with engine.begin() as connection:
        connection.execute(
            text(
                "update read.jackpot_meters set contributed_minor = contributed_minor + 1,"
                " balance_minor = balance_minor + 1 where jackpot = 'royal' and casino = '-'"
            )
        )
    rows = told(house_on(engine), "jackpot-reconciliation")["rows"]
    assert {row["jackpot"]: row["difference"] for row in rows if row["casino"] == "-"} == {
        "house-24h": "0.00",
        "royal": "0.01",
    }


def test_day_after_day_what_a_bucket_begins_with_is_what_it_ended_with(sample_house: House) -> None:
    days = {row["day"] for row in told(sample_house, "revenue", Asked(days=Days.UTC))["rows"]}
    first, last = date.fromisoformat(min(days)), date.fromisoformat(max(days))
    closing: dict[tuple[str, ...], Decimal] = {}
    for number in range((last - first).days + 2):
        day = first + timedelta(days=number)
        for row in told(sample_house, "jackpot-reconciliation", Asked(None, day, day, Days.UTC))["rows"]:
            key = (row["casino"], row["jackpot"], row["currency"])
            assert row["difference"] in {"0.00", "0"}
            assert closing.get(key, Decimal(row["opening"])) == Decimal(row["opening"])
            closing[key] = Decimal(row["shown"]) + Decimal(row["reserve"])


def test_each_winner_has_a_record_and_the_pool_falls_by_what_was_won(sample_house: House) -> None:
    rows = told(sample_house, "jackpot-hits")["rows"]
    expected = list(
        csv.DictReader(StringIO(shared("feeds", "expected", "jackpot-shares.csv").read_text("utf-8")))
    )
    names = ("jackpot", "round", "seat", "casino", "player", "currency", "amount")
    assert sorted(tuple(row[name] for name in names) for row in rows) == sorted(
        tuple(one[name] for name in names) for one in expected
    )
    behind: dict[int, str] = {}
    for row in rows:
        assert Decimal(row["pool_before"]) - Decimal(row["pool_behind"]) == Decimal(row["share"])
        assert behind.get(row["position"], row["pool_before"]) == row["pool_before"]
        behind[row["position"]] = row["pool_behind"]
        if row["percent"] == 100:
            last = row is next(one for one in reversed(rows) if one["position"] == row["position"])
            assert not last or Decimal(row["pool_behind"]) == 0
        assert row["won_at"] < row["captured_at"]


def test_settlement_of_every_hit_sums_to_nought(sample_house: House) -> None:
    report = told(sample_house, "jackpot-settlement")
    assert report["rows"]
    assert {total["net_base"] for total in report["totals"]} == {"0.00"}


def test_what_a_casino_owes_for_a_hit_is_what_its_settlement_account_says(sample_house: House) -> None:
    query = select(entries.c.position, entries.c.casino, entries.c.currency, entries.c.amount_minor).where(
        entries.c.kind == "settlement", entries.c.casino != "-", entries.c.type.like("jackpot.hit%")
    )
    with sample_house.engine.connect() as connection:
        booked = {tuple(row[:3]): row[3] for row in connection.execute(query) if row[3]}
    rows = [row for row in told(sample_house, "jackpot-settlement")["rows"] if row["casino"] != "-"]
    owed = {
        (row["position"], row["casino"], row["currency"]): int(row["net"].replace(".", ""))
        for row in rows
        if Decimal(row["net"])
    }
    assert owed == booked


def test_a_casino_is_told_of_its_own_part(sample_house: House) -> None:
    rows = told(sample_house, "jackpot-settlement", Asked("tallinn"))["rows"]
    assert {row["casino"] for row in rows} == {"tallinn"}


def test_a_hit_that_is_taken_back_settles_backwards_and_says_so(engine: Engine) -> None:
    from feeding import Feeding  # noqa: PLC0415

    Feeding(engine).take_all()
    house = house_on(engine)
    house.projector().catch_up()
    with engine.connect() as connection:
        round_ = (
            connection.execute(select(jackpot_shares.c.round).where(jackpot_shares.c.percent == 100))
            .scalars()
            .first()
        )
    take(a_handler(engine), staff(RequestReversal, "mia", round=round_, reason="marked cards"))
    take(a_handler(engine), staff(Approve, "otto:compliance", case=reversal_id(str(round_)), proposal=1))
    hits = [row for row in told(house, "jackpot-hits")["rows"] if row["round"] == round_]
    assert all(row["taken_back_at"] for row in hits)
    settled = told(house, "jackpot-settlement")
    nets: Counter[str] = Counter()
    for row in settled["rows"]:
        if row["round"] == round_:
            nets[row["casino"]] += int(Decimal(row["net_base"]) * 100)
    assert set(nets.values()) == {0}
    assert {row["difference"] for row in told(house, "jackpot-reconciliation")["rows"]} <= {"0.00", "0"}


@pytest.mark.parametrize("seed", [3, 14])
def test_random_evenings_with_ceilings_and_reversals_reconcile(engine: Engine, seed: int) -> None:
    house = written(engine, played(seed, 600)[0])
    rows = told(house, "jackpot-reconciliation")["rows"]
    assert rows
    assert {Decimal(row["difference"]) for row in rows} == {Decimal(0)}
