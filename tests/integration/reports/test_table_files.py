"""Tables as files for table calculators and engines, read back by libraries that had no part in writing them."""

import csv
import os
import re
import time
from collections.abc import Iterator
from datetime import UTC, date, datetime
from decimal import Decimal
from io import BytesIO, StringIO
from typing import Any
from zipfile import ZipFile

import openpyxl
import pyarrow.parquet as pq
import pytest
import python_calamine
from sqlalchemy import Engine

from backoffice.bootstrap import CODEC
from backoffice.reports.asked import Asked
from backoffice.reports.making import making
from backoffice.reports.reading import Reading
from backoffice.reports.rendering import as_parquet, as_xlsx
from backoffice.reports.rendering.as_parquet import parquet_form
from backoffice.reports.rendering.as_table import excel_table_form, table_form
from backoffice.reports.rendering.as_xlsx import TooLong, xlsx_form
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

AT = datetime(2026, 3, 1, 20, 15, 0, 250, tzinfo=UTC)
HOSTILE = [
    "=cmd|' /C calc'!A0", "+1", "-1", "@x", "\t=1", "=HYPERLINK(\"http://x\")", "http://example.org/", "<r>x</r>",
    "<r><t>x</t></r>", "internal:A1", "a;b", 'a,"b"', " é 𝄞 ", "1e5", "007", "& < > '",
]  # fmt: skip
MONEY = [
    ("EUR", -500, "-5.00"), ("EUR", -5, "-0.05"), ("EUR", 0, "0.00"), ("JPY", 160, "160"), ("KWD", 1, "0.001"),
    ("EUR", 2**63 - 1, "92233720368547758.07"), ("KWD", -(2**63), "-9223372036854775.808"),
    ("EUR", 99999999999999, "999999999999.99"),
]  # fmt: skip
COLUMNS = (
    *texts("name", "currency"),
    *sums("amount"),
    *counts("pieces"),
    Column("day", Kind.DAY),
    Column("at", Kind.TIME),
    Column("share", Kind.PERCENT, ratio=("pieces", "pieces")),
    Column("chance", Kind.NUMBER),
)


def rows(_: Reading) -> Iterator[Row]:
    for number, (currency, minor, _) in enumerate(MONEY):
        yield row(f"amount {number}", currency, minor)
    for text in HOSTILE:
        yield row(text)
    yield row("nothing") | {"amount": None, "day": None, "at": None, "chance": None}


def row(name: str, currency: str = "EUR", minor: int = 100) -> dict[str, Any]:
    return {
        "name": name, "currency": currency, "amount": minor, "pieces": 3, "day": date(2026, 3, 1), "at": AT, "chance": "0.0123",
    }  # fmt: skip


TABLE = Report(
    name="table", title="A table", about="what can be told wrong", columns=COLUMNS, rows=rows, totals_by=("currency",)
)  # fmt: skip
EMPTY = Report(name="empty", title="Empty", about="nothing", columns=COLUMNS, rows=lambda _: iter(()))


def written(engine: Engine, form: Any, report: Report = TABLE) -> bytes:
    with making(engine, CODEC, report, Asked()) as made:
        return b"".join(form(made))


def test_csv_is_by_rfc_4180_with_text_that_starts_no_formula_and_numbers_that_are_numbers(
    engine: Engine,
) -> None:
    written_down = written(engine, table_form).decode()
    assert written_down.endswith("\r\n")
    assert "\n" not in written_down.replace("\r\n", "")
    header, *told = csv.reader(StringIO(written_down, newline=""), strict=True)
    assert header == [column.name for column in COLUMNS]
    assert [cells[2] for cells in told[: len(MONEY)]] == [text for _, _, text in MONEY]
    names = [cells[0] for cells in told[len(MONEY) : -1]]
    assert [name.removeprefix("'") for name in names] == HOSTILE
    assert not any(re.match(r"[=+\-@\t\r]", name) for name in names)
    assert told[-1] == ["nothing", "EUR", "", "3", "", "", "100.00", ""]


def test_the_excel_profile_has_a_mark_semicolons_and_decimal_commas(engine: Engine) -> None:
    data = written(engine, excel_table_form)
    assert data.startswith(b"\xef\xbb\xbfname;currency;amount;")
    plain = list(csv.reader(StringIO(written(engine, table_form).decode(), newline="")))
    excel = list(csv.reader(StringIO(data.decode("utf-8-sig"), newline=""), delimiter=";", strict=True))
    commas = {2, 6, 7}
    assert excel[1:] == [
        [cell.replace(".", ",") if place in commas else cell for place, cell in enumerate(cells)]
        for cells in plain[1:]
    ]
    assert excel[1][2] == "-5,00"


def test_a_workbook_says_to_two_readers_what_it_was_told(engine: Engine) -> None:
    data = written(engine, xlsx_form)
    names = [f"amount {number}" for number in range(len(MONEY))] + HOSTILE
    book = openpyxl.load_workbook(BytesIO(data), read_only=True)
    assert book.sheetnames == ["Table", "About", "Totals"]
    by_openpyxl = [[cell.value for cell in cells] for cells in book["Table"].iter_rows()]
    by_calamine = python_calamine.CalamineWorkbook.from_filelike(BytesIO(data)).get_sheet_by_name("Table")
    for read in (by_openpyxl[1:], by_calamine.to_python()[1:]):
        assert [cells[0] for cells in read[:-1]] == names
        for cells, (_, _, text) in zip(read, MONEY, strict=False):
            exact = len(text.replace("-", "").replace(".", "").lstrip("0")) > 15
            assert cells[-1] == (f"amount={text}" if exact else cells[-1])
            if not exact:
                assert Decimal(repr(cells[2])) == Decimal(text)
                assert not cells[-1]
        assert read[0][3] == 3
        assert str(read[0][4]).startswith("2026-03-01")
        assert read[0][5] == "2026-03-01T20:15:00.000250Z"
        assert not any(read[-1][place] for place in (2, 4, 5, 7))


def test_nothing_in_a_workbook_is_a_formula_or_a_link(engine: Engine) -> None:
    with ZipFile(BytesIO(written(engine, xlsx_form))) as parts:
        for name in parts.namelist():
            text = parts.read(name).decode()
            assert "<f>" not in text
            assert "<hyperlink " not in text
    book = openpyxl.load_workbook(BytesIO(written(engine, xlsx_form)))
    types = {cell.data_type for cells in book["Table"].iter_rows() for cell in cells}
    assert types <= {"n", "s", "d", "inlineStr"}


def test_amounts_in_a_workbook_show_the_digits_of_their_currency(engine: Engine) -> None:
    book = openpyxl.load_workbook(BytesIO(written(engine, xlsx_form)))
    formats = {cells[1].value: cells[2].number_format for cells in list(book["Table"].iter_rows())[1:9]}
    assert formats == {"EUR": "0.00", "JPY": "0", "KWD": "0.000"}


def test_a_workbook_says_where_it_is_from_and_what_it_comes_to(engine: Engine) -> None:
    book = openpyxl.load_workbook(BytesIO(written(engine, xlsx_form)), read_only=True)
    about = dict(book["About"].iter_rows(values_only=True))
    assert (about["title"], about["position"], about["generated_at"]) == ("A table", "0", "the log is empty")
    totals = {cells[1]: cells[2] for cells in book["Totals"].iter_rows(values_only=True, min_row=2)}
    assert totals["JPY"] == 160
    assert set(totals) == {"EUR", "JPY", "KWD"}


def test_a_long_table_goes_on_on_the_next_sheet(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(as_xlsx, "ROWS_A_SHEET", 11)
    book = openpyxl.load_workbook(BytesIO(written(engine, xlsx_form)), read_only=True)
    assert book.sheetnames == ["Table", "Table 2", "Table 3", "About", "Totals"]
    names = [
        cells[0]
        for sheet in book.sheetnames[:3]
        for cells in book[sheet].iter_rows(values_only=True, min_row=2)
    ]
    assert names == [f"amount {number}" for number in range(len(MONEY))] + [*HOSTILE, "nothing"]


def test_a_text_that_no_cell_holds_is_not_cut(engine: Engine) -> None:
    long = Report("long", "Long", "long", COLUMNS, lambda _: iter([row("x" * 40_000)]))
    with pytest.raises(TooLong):
        written(engine, xlsx_form, long)


def test_parquet_is_lossless(engine: Engine) -> None:
    table = pq.read_table(BytesIO(written(engine, parquet_form)))
    assert table.column("amount").to_pylist()[: len(MONEY)] == [Decimal(text) for _, _, text in MONEY]
    assert table.column("name").to_pylist()[len(MONEY) : -1] == HOSTILE
    assert table.column("pieces").to_pylist() == [3] * table.num_rows
    assert (table.column("day")[0].as_py(), table.column("at")[0].as_py()) == (date(2026, 3, 1), AT)
    assert table.slice(table.num_rows - 1).to_pylist() == [
        {
            "name": "nothing", "currency": "EUR", "amount": None, "pieces": 3, "day": None, "at": None,
            "share": Decimal("100.00"), "chance": None,
        }
    ]  # fmt: skip
    assert table.schema.metadata[b"title"] == b"A table"


def test_parquet_is_the_same_table_whatever_its_row_groups(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = pq.read_table(BytesIO(written(engine, parquet_form)))
    monkeypatch.setattr(as_parquet, "ROWS_A_GROUP", 4)
    data = written(engine, parquet_form)
    assert pq.ParquetFile(BytesIO(data)).num_row_groups == 7
    assert pq.read_table(BytesIO(data)).equals(whole)


@pytest.mark.parametrize("form", [table_form, excel_table_form, xlsx_form, parquet_form])
def test_the_bytes_do_not_depend_on_the_place_of_the_process(
    engine: Engine, form: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    here = written(engine, form)
    with monkeypatch.context() as elsewhere:
        elsewhere.setenv("TZ", "Asia/Kathmandu")
        time.tzset()
        mask = os.umask(0o077)
        try:
            assert written(engine, form) == here
        finally:
            os.umask(mask)
    time.tzset()


@pytest.mark.parametrize("form", [table_form, excel_table_form, xlsx_form, parquet_form])
def test_an_empty_table_is_whole_and_all_have_the_same_bytes_again(engine: Engine, form: Any) -> None:
    assert written(engine, form) == written(engine, form)
    empty = written(engine, form, EMPTY)
    if form is parquet_form:
        assert pq.read_table(BytesIO(empty)).num_rows == 0
    elif form is xlsx_form:
        book = openpyxl.load_workbook(BytesIO(empty), read_only=True)
        assert [cells[0] for cells in book["Table"].iter_rows(values_only=True)] == ["name", "No activity"]
    else:
        assert empty.decode("utf-8-sig").count("\r\n") == 1
