"""Every file, read back by a program that had no part in writing it, says what the ledger's own function says: by book,
account and currency.
"""

import csv
import os
import shutil
import subprocess
from collections import Counter
from collections.abc import Callable, Iterator
from decimal import Decimal
from io import BytesIO, StringIO
from pathlib import Path
from typing import Any

import openpyxl
import pyarrow.parquet as pq
import pytest
import python_calamine
from beancount import loader
from beancount.core import data as beancount

from backoffice.bootstrap import House
from backoffice.domain.accounts import book_of
from backoffice.domain.ledger import postings
from backoffice.kernel.currencies import format_minor
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.files import accounting_file
from backoffice.reports.books.naming import name_in

CHART = read_chart()
Sums = Counter[tuple[str, str, str]]
"""Debits less credits by book, account number and currency."""


def written(house: House, name: str, form: str) -> bytes:
    with accounting_file(house.engine, house.codec, CHART, name, form, Asked()) as made:
        return b"".join(made.pieces())


@pytest.fixture(scope="module")
def ledger(sample_house: House) -> Sums:
    """What the facts of the log come to: no read model is asked."""
    sums: Sums = Counter()
    for recorded in sample_house.log.read():
        event: Any = sample_house.codec.decode(recorded.type, recorded.schema, recorded.data)
        for account, currency, minor in postings(event):
            taker = CHART.taker(account)
            assert taker is not None
            sums[book_of(account), taker.number, currency] -= minor
    return Counter({key: Decimal(format_minor(minor, key[2])) for key, minor in sums.items() if minor})  # type: ignore[arg-type,misc]


def added(rows: Iterator[tuple[str, str, str, Any, Any]]) -> Sums:
    sums: Sums = Counter()
    for book, number, currency, debit, credit in rows:
        sums[book, number, currency] += _amount(debit) - _amount(credit)  # type: ignore[assignment]
    return Counter({key: amount for key, amount in sums.items() if amount})


def _amount(cell: Any) -> Decimal:
    """An amount as text, as a decimal, or as a number of a workbook."""
    if not cell:
        return Decimal()
    return cell if isinstance(cell, Decimal) else Decimal(str(cell).replace(",", "."))


def from_csv(data: bytes) -> Iterator[tuple[Any, ...]]:
    for row in csv.DictReader(StringIO(data.decode(), newline="")):
        yield row["casino"], row["number"], row["currency"], row["debit"], row["credit"]


def from_excel_csv(data: bytes) -> Iterator[tuple[Any, ...]]:
    for row in csv.DictReader(StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";"):
        yield row["casino"], row["number"], row["currency"], row["debit"], row["credit"]


def from_workbook_by_openpyxl(data: bytes) -> Iterator[tuple[Any, ...]]:
    sheet = openpyxl.load_workbook(BytesIO(data), read_only=True)["Table"]
    return _from_cells(sheet.iter_rows(values_only=True))


def from_workbook_by_calamine(data: bytes) -> Iterator[tuple[Any, ...]]:
    sheet = python_calamine.CalamineWorkbook.from_filelike(BytesIO(data)).get_sheet_by_name("Table")
    return _from_cells(iter(sheet.to_python()))


def _from_cells(rows: Iterator[Any]) -> Iterator[tuple[Any, ...]]:
    heads = list(next(rows))
    places = [heads.index(name) for name in ("casino", "number", "currency", "debit", "credit")]
    for row in map(list, rows):
        book, number, currency, debit, credit = (row[place] for place in places)
        yield book, number, currency, debit, credit


def from_parquet(data: bytes) -> Iterator[tuple[Any, ...]]:
    for row in pq.read_table(BytesIO(data)).to_pylist():
        yield row["casino"], row["number"], row["currency"], row["debit"], row["credit"]


READERS: list[tuple[str, Callable[[bytes], Iterator[Any]]]] = [
    ("csv", from_csv),
    ("csv-excel", from_excel_csv),
    ("xlsx", from_workbook_by_openpyxl),
    ("xlsx", from_workbook_by_calamine),
    ("parquet", from_parquet),
]


@pytest.mark.parametrize(("form", "read"), READERS, ids=[read.__name__ for _, read in READERS])
@pytest.mark.parametrize("name", ["journal", "general-ledger", "trial-balance"])
def test_every_table_foots_to_the_ledger(
    sample_house: House, ledger: Sums, name: str, form: str, read: Callable[[bytes], Iterator[Any]]
) -> None:
    assert added(read(written(sample_house, name, form))) == ledger


def _by_name(ledger: Sums) -> dict[tuple[str, str], Decimal]:
    return {
        (name_in(book, CHART.by_number[number]), currency): Decimal(amount)
        for (book, number, currency), amount in ledger.items()
    }


def test_beancounts_own_reader_foots_to_the_ledger(sample_house: House, ledger: Sums) -> None:
    entries, errors, _ = loader.load_string(written(sample_house, "journal", "beancount").decode())
    assert not errors
    sums: Counter[tuple[str, str]] = Counter()
    for entry in entries:
        if isinstance(entry, beancount.Transaction):
            for posting in entry.postings:
                sums[posting.account, posting.units.currency] += posting.units.number  # type: ignore[assignment]
    assert {key: amount for key, amount in sums.items() if amount} == _by_name(ledger)


def test_hledgers_own_balance_foots_to_the_ledger(sample_house: House, ledger: Sums, tmp_path: Path) -> None:
    if shutil.which("hledger") is None:
        pytest.skip("hledger is not on this machine: its journals are not added up here")
    path = tmp_path / "books.journal"
    path.write_bytes(written(sample_house, "journal", "hledger"))
    command = ["hledger", "-f", path, "balance", "--flat", "-N", "-O", "csv", "--layout", "bare"]
    told = subprocess.run(
        command, capture_output=True, text=True, check=True, env={**os.environ, "LANG": "C.UTF-8"}
    )
    _, *rows = csv.reader(StringIO(told.stdout))
    sums = {(account, currency): Decimal(amount) for account, currency, amount in rows}
    assert {key: amount for key, amount in sums.items() if amount} == _by_name(ledger)


def test_what_casinos_owe_each_other_comes_to_nought(ledger: Sums) -> None:
    between: Counter[str] = Counter()
    for (_, number, currency), amount in ledger.items():
        if number in {"1500", "2500"}:
            between[currency] += amount
    assert between
    assert not any(between.values())
