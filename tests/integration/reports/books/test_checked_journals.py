"""Journals are proved by the programs they are for; a day's end that is wrong by one unit is found by both."""

import os
import re
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest
from beancount import loader
from beancount.core import data as beancount
from sqlalchemy import Engine

from backoffice.bootstrap import House, house_on
from backoffice.kernel.calendar import Days
from backoffice.reports.asked import Asked
from backoffice.reports.books import day_ends
from backoffice.reports.books.book import Book
from backoffice.reports.books.chart import default_chart, read_chart
from backoffice.reports.books.files import accounting_file
from backoffice.reports.books.naming import book_name

CHART = read_chart()
DAY = date(2026, 3, 1)
PERIODS = {
    "everything": Asked(),
    "everything by the days of UTC": Asked(days=Days.UTC),
    "a day of one book": Asked("tallinn", DAY, DAY),
    "a day of all": Asked(None, DAY, DAY),
    "the network's own": Asked("-"),
    "one currency by the law's days": Asked("stockholm", DAY, DAY, Days.LEGAL, {"currency": "JPY"}),
    "days after": Asked(None, date(2027, 1, 1), date(2027, 1, 2)),
    "days before": Asked("tallinn", date(2020, 1, 1), date(2020, 1, 2)),
}


def journal(house: House, form: str, asked: Asked = Asked(), chart: Any = CHART) -> str:  # noqa: B008 - frozen
    with accounting_file(house.engine, house.codec, chart, "journal", form, asked) as made:
        return b"".join(made.pieces()).decode()


def bean_check(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "books.beancount"
    path.write_text(text, encoding="utf-8")
    program = Path(sys.executable).with_name("bean-check")
    return subprocess.run([program, "--no-cache", path], capture_output=True, text=True, check=False)


def hledger_check(text: str, folder: Path) -> subprocess.CompletedProcess[str]:
    path = folder / "books.journal"
    path.write_text(text, encoding="utf-8")
    command = ["hledger", "-f", path, "check", "-s", "ordereddates"]
    environment = {**os.environ, "LANG": "C.UTF-8"}
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@pytest.fixture
def bean(tmp_path: Path) -> Any:
    return lambda text: bean_check(text, tmp_path)


@pytest.fixture
def hledger(tmp_path: Path) -> Any:
    if shutil.which("hledger") is None:
        pytest.skip("hledger is not on this machine: its journals are not proved here")
    return lambda text: hledger_check(text, tmp_path)


@pytest.mark.parametrize("asked", PERIODS.values(), ids=PERIODS)
def test_beancount_accepts_its_journal(sample_house: House, bean: Any, asked: Asked) -> None:
    checked = bean(journal(sample_house, "beancount", asked))
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


@pytest.mark.parametrize("asked", PERIODS.values(), ids=PERIODS)
def test_hledger_accepts_its_journal(sample_house: House, hledger: Any, asked: Asked) -> None:
    checked = hledger(journal(sample_house, "hledger", asked))
    assert (checked.returncode, checked.stdout, checked.stderr) == (0, "", "")


def test_the_journal_of_an_empty_log_is_whole(engine: Engine, bean: Any, hledger: Any) -> None:
    for form, check in (("beancount", bean), ("hledger", hledger)):
        told = journal(house_on(engine), form)
        assert "No activity" in told
        assert (check(told).returncode, check(told).stderr) == (0, "")


def test_both_say_what_the_ledger_says(sample_house: House, tmp_path: Path) -> None:
    legs = Counter(_posted(journal(sample_house, "hledger")))
    entries, errors, _ = loader.load_string(journal(sample_house, "beancount"))
    assert not errors
    told: Counter[tuple[str, ...]] = Counter()
    for entry in entries:
        if isinstance(entry, beancount.Transaction):
            for posting in entry.postings:
                place = str(entry.meta.get("position", "")), posting.account, posting.units.currency
                told[(*place, str(posting.units.number))] += 1
    assert told == legs
    assert len([entry for entry in entries if isinstance(entry, beancount.Balance)]) > 10


def _posted(text: str) -> Iterator[tuple[str, ...]]:
    position = ""
    for line in text.splitlines():
        if head := re.match(r"\d{4}-\d\d-\d\d \*(?: \((\d+)\))?", line):
            position = head[1] or ""
        elif (leg := re.match(r"    ([A-Z]\S+)  (\S+) ([A-Z]{3})", line)) and " = " not in line:
            yield position, leg[1], leg[3], leg[2]


def test_every_transaction_has_all_its_legs_and_they_come_to_nought(sample_house: House) -> None:
    sums: Counter[tuple[str, str]] = Counter()
    for position, account, currency, amount in _posted(journal(sample_house, "hledger")):
        sums[position + account.split(":")[1], currency] += Decimal(amount)  # type: ignore[assignment]
    assert sums
    assert not any(sums.values())


@pytest.mark.parametrize("currency", ["EUR", "JPY"])
def test_a_day_end_that_is_wrong_by_one_unit_is_found_by_both(
    sample_house: House, bean: Any, hledger: Any, currency: str
) -> None:
    for form, check in (("beancount", bean), ("hledger", hledger)):
        lines = journal(sample_house, form).splitlines()
        asserting = [
            number
            for number, line in enumerate(lines)
            if ("balance " in line or " = " in line) and "2000-" in line and line.endswith(currency)
        ]
        number = asserting[-1]
        lines[number] = re.sub(r"(\d)(?=( ~ 0)? [A-Z]{3}$)", _one_more, lines[number], count=1)
        checked = check("\n".join([*lines, ""]))
        assert checked.returncode != 0, lines[number]
        assert "alance" in checked.stderr + checked.stdout


def _one_more(last: re.Match[str]) -> str:
    return str((int(last[1]) + 1) % 10)


def test_a_posting_that_the_ledger_lacks_is_found_by_both(
    sample_house: House, bean: Any, hledger: Any
) -> None:
    """The ends of days are not the journal's own sums: they do not move with it."""
    for form, check, blank in (("beancount", bean, "\n\n"), ("hledger", hledger, "\n\n")):
        transactions = journal(sample_house, form).split(blank)
        lacking = next(number for number, text in enumerate(transactions) if "Money deposited" in text)
        assert check(blank.join(transactions[:lacking] + transactions[lacking + 1 :])).returncode != 0


def test_what_days_end_with_is_never_read_from_the_journal(
    sample_house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = [line for line in journal(sample_house, "beancount").splitlines() if " balance " in line]
    monkeypatch.setattr(Book, "transactions", lambda _: iter(()))
    assert [line for line in journal(sample_house, "beancount").splitlines() if " balance " in line] == whole
    assert not {"entries", "transactions"} & vars(day_ends).keys()


def test_accounts_that_hold_more_than_the_balances_know_are_not_asserted(
    sample_house: House, bean: Any, tmp_path: Path
) -> None:
    path = tmp_path / "chart.toml"
    text = default_chart().replace('takes = ["player:*:*"]', 'takes = ["player:*:*", "stakes:*:*"]')
    path.write_text(text.replace('takes = ["stakes:*:*"]', 'takes = ["nothing"]'), encoding="utf-8")
    told = journal(sample_house, "beancount", chart=read_chart(path))
    assert "balance Liabilities:Tallinn:2000" not in told
    assert "balance Liabilities:Tallinn:2100" in told
    assert bean(told).returncode == 0


@pytest.mark.parametrize("form", ["beancount", "hledger"])
def test_journals_of_the_same_log_have_the_same_bytes_also_after_a_rebuild(
    sample_house: House, form: str
) -> None:
    before = journal(sample_house, form)
    sample_house.projector().rebuild("entries")
    assert journal(sample_house, form) == before


@pytest.mark.parametrize(
    ("casino", "name"),
    [
        ("tallinn", "Tallinn"),
        ("Tallinn", "0Tallinn"),
        ("-", "Network"),
        ("network", "0network"),
        ("casino-royal", "Casino--royal"),
        ("a b", "A-20-b"),
        ("24h", "024h"),
        ("é", "0-e9-"),
    ],
)
def test_no_two_books_have_the_same_name(casino: str, name: str) -> None:
    assert book_name(casino) == name
