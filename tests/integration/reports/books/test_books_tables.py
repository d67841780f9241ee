"""Journal, general ledger and trial balance of the sample feed: they balance, agree, and are cut by the books' own days."""

import json
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import func, select

from backoffice.bootstrap import House
from backoffice.kernel.calendar import Days
from backoffice.kernel.currencies import format_minor
from backoffice.projections.balances import balances
from backoffice.projections.entries import entries
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import BadChart, default_chart, read_chart
from backoffice.reports.books.tables import tables
from backoffice.reports.making import UnknownReport, making
from backoffice.reports.rendering.forms import FORMS

TABLES = {report.name: report for report in tables(read_chart())}
DAY = date(2026, 3, 1)
Rows = list[dict[str, Any]]


def made(house: House, name: str, asked: Asked = Asked()) -> dict[str, Any]:  # noqa: B008 - frozen
    with making(house.engine, house.codec, TABLES[name], asked) as report:
        said: dict[str, Any] = json.loads(b"".join(FORMS["json"](report)))
    return said


def rows(house: House, name: str, asked: Asked = Asked()) -> Rows:  # noqa: B008 - frozen
    return list(made(house, name, asked)["rows"])


def amount(text: str | None) -> Decimal:
    return Decimal(text or 0)


def test_every_posting_is_in_the_journal_with_its_debit_or_credit(sample_house: House) -> None:
    journal = rows(sample_house, "journal")
    with sample_house.engine.connect() as connection:
        stored = connection.execute(select(entries)).all()
    assert Counter((row["position"], row["line"]) for row in journal) == Counter(
        (row.position, row.line) for row in stored
    )
    by_place = {(row["position"], row["line"]): row for row in journal}
    for row in stored:
        told = by_place[row.position, row.line]
        debit, credit = amount(told["debit"]), amount(told["credit"])
        assert credit - debit == Decimal(format_minor(row.amount_minor, row.currency))
        assert (told["casino"], told["round"], told["type"]) == (row.casino, row.round, row.type)
        assert told["account"] == ":".join(filter(None, (row.kind, row.owner, row.holder)))


def test_the_journal_is_in_the_order_of_days_and_of_the_log(sample_house: House) -> None:
    places = [
        (row["day"], row["position"], row["casino"], row["line"]) for row in rows(sample_house, "journal")
    ]
    assert places == sorted(places)


def test_every_fact_balances_in_every_book_and_currency(sample_house: House) -> None:
    sums: Counter[tuple[str, ...]] = Counter()
    for row in rows(sample_house, "journal"):
        sums[row["casino"], row["position"], row["currency"]] += amount(row["debit"]) - amount(row["credit"])  # type: ignore[assignment]
    assert not any(sums.values())


@pytest.mark.parametrize("by", [None, "day", "month"])
def test_every_trial_balance_is_nought_in_every_book_period_and_currency(
    sample_house: House, by: str | None
) -> None:
    said = made(sample_house, "trial-balance", Asked(only={"by": by} if by else {}))
    assert said["totals"]
    for total in said["totals"]:
        assert amount(total["opening"]) == amount(total["closing"]) == 0
        assert amount(total["debit"]) == amount(total["credit"])
    assert {row["casino"] for row in said["rows"]} == {"-", "lugano", "stockholm", "tallinn"}
    assert {row["name"] for row in said["rows"]} >= {"Currency exchange", "Rounding differences"}


def test_a_period_opens_with_what_the_one_before_closed_with(sample_house: House) -> None:
    held: dict[tuple[str, ...], str] = {}
    for row in rows(sample_house, "trial-balance", Asked(only={"by": "day"})):
        account = row["casino"], row["number"], row["currency"]
        assert amount(row["opening"]) == amount(held.get(account))
        assert amount(row["closing"]) == amount(row["opening"]) + amount(row["debit"]) - amount(row["credit"])
        held[account] = row["closing"]
    whole = rows(sample_house, "trial-balance")
    assert {(row["casino"], row["number"], row["currency"]): row["closing"] for row in whole} == held


def test_days_of_a_book_end_with_its_gaming_days_and_the_networks_with_those_of_utc(
    sample_house: House,
) -> None:
    calendars = {"tallinn": (2, 6), "stockholm": (1, 6), "lugano": (1, 4), "-": (0, 0)}
    for row in rows(sample_house, "journal"):
        if row["happened_at"].startswith("2026-03"):  # winter time still, in the sample
            ahead, begins = calendars[row["casino"]]
            hour, day = int(row["happened_at"][11:13]) + ahead - begins, int(row["happened_at"][8:10])
            assert int(row["day"][8:10]) == day + hour // 24, row


def test_the_general_ledger_says_what_the_trial_balance_says(sample_house: House) -> None:
    asked = Asked(None, DAY, DAY)
    ends: dict[tuple[str, ...], str] = {}
    sums: Counter[tuple[str, ...]] = Counter()
    for row in rows(sample_house, "general-ledger", asked):
        account = row["casino"], row["number"], row["currency"]
        ends[account] = row["balance"]
        sums[(*account, "debit")] += amount(row["debit"])  # type: ignore[assignment]
        sums[(*account, "credit")] += amount(row["credit"])  # type: ignore[assignment]
    balance = rows(sample_house, "trial-balance", asked)
    assert ends == {(row["casino"], row["number"], row["currency"]): row["closing"] for row in balance}
    for row in balance:
        for side in ("debit", "credit"):
            assert sums[row["casino"], row["number"], row["currency"], side] == amount(row[side])


def test_days_add_up_to_the_whole_whatever_a_day_is(sample_house: House) -> None:
    for days in Days:
        by_day: Counter[tuple[str, ...]] = Counter()
        for row in rows(sample_house, "trial-balance", Asked(days=days, only={"by": "day"})):
            by_day[row["casino"], row["number"], row["currency"]] += amount(row["debit"])  # type: ignore[assignment]
        for row in rows(sample_house, "trial-balance", Asked(days=days)):
            assert by_day[row["casino"], row["number"], row["currency"]] == amount(row["debit"])


def test_one_book_and_one_currency_can_be_asked_for(sample_house: House) -> None:
    assert {row["casino"] for row in rows(sample_house, "journal", Asked("tallinn"))} == {"tallinn"}
    asked = Asked("stockholm", only={"currency": "JPY"})
    assert {row["currency"] for row in rows(sample_house, "general-ledger", asked)} == {"JPY"}
    with pytest.raises(UnknownReport, match="by day or month, not by year"):
        rows(sample_house, "trial-balance", Asked(only={"by": "year"}))


def test_a_period_without_a_fact_has_its_balances_and_no_movement(sample_house: House) -> None:
    later = Asked("tallinn", date(2027, 1, 1), date(2027, 1, 31))
    assert rows(sample_house, "journal", later) == []
    balance = rows(sample_house, "trial-balance", later)
    assert {row["period"] for row in balance} == {"2027-01-01/2027-01-31"}
    assert all(row["opening"] == row["closing"] and amount(row["debit"]) == 0 for row in balance)
    ledger = rows(sample_house, "general-ledger", later)
    assert {row["type"] for row in ledger} == {"opening balance"}
    assert (
        made(sample_house, "trial-balance", Asked("tallinn", date(2020, 1, 1), date(2020, 1, 1)))["rows"]
        == []
    )


def test_an_account_that_no_account_of_the_chart_takes_is_named(sample_house: House, tmp_path: Path) -> None:
    path = tmp_path / "chart.toml"
    path.write_text(default_chart().replace('"house:*"', '"house:tallinn", "house:lugano"'), encoding="utf-8")
    for report in tables(read_chart(path)):
        with (
            pytest.raises(BadChart, match="no account of the chart takes house:stockholm"),
            making(sample_house.engine, sample_house.codec, report, Asked()) as unmade,
        ):
            list(unmade.rows())
        with making(sample_house.engine, sample_house.codec, report, Asked("tallinn")) as mapped:
            assert list(mapped.rows())


def test_players_balances_are_the_account_of_their_wallets(sample_house: House) -> None:
    closing = {
        (row["casino"], row["currency"]): row["closing"]
        for row in rows(sample_house, "trial-balance")
        if row["number"] == "2000"
    }
    assert closing == dict(_wallets(sample_house))


def _wallets(house: House) -> Iterator[tuple[tuple[str, str], str]]:
    total = func.sum(balances.c.balance_minor)
    query = select(balances.c.casino, balances.c.currency, total).group_by(
        balances.c.casino, balances.c.currency
    )
    with house.engine.connect() as connection:
        for casino, currency, minor in connection.execute(query):
            yield (casino, currency), format_minor(-int(minor), currency)
