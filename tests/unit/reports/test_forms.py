"""One report in every form: text cannot start a formula, numbers stay numbers, an empty one is whole."""

import csv
import json
from collections.abc import Iterable, Iterator
from datetime import UTC, date, datetime
from io import StringIO
from types import SimpleNamespace
from typing import Any

import pytest

from backoffice.log.chain import genesis
from backoffice.reports.asked import Asked
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import NO_ACTIVITY, guarded
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

COLUMNS = (
    *texts("player", "currency"),
    *counts("hands"),
    *sums("ggr", "stakes"),
    Column("hold", Kind.PERCENT, ratio=("ggr", "stakes")),
    Column("average", Kind.MEAN, ratio=("stakes", "hands")),
    Column("day", Kind.DAY),
    Column("at", Kind.TIME),
    Column("p", Kind.NUMBER),
)
ROWS: list[dict[str, Any]] = [
    {
        "player": "=cmd()",
        "currency": "EUR",
        "hands": 3,
        "ggr": -500,
        "stakes": 1000,
        "day": date(2026, 3, 1),
        "at": datetime(2026, 3, 1, 20, tzinfo=UTC),
        "p": "-0.25",
    },
    {
        "player": 'näver, "q" <b>',
        "currency": "JPY",
        "hands": 0,
        "ggr": 160,
        "stakes": 0,
        "day": None,
        "at": None,
        "p": None,
    },
]
WRITTEN = ("text", "csv", "json", "html")
"""The forms that are text; workbooks and Parquet have tests of their own."""


def made(rows: Iterable[Row]) -> Made:
    report = Report("trial", "A trial", "nothing", COLUMNS, lambda _: rows, totals_by=("currency",))
    reading: Any = SimpleNamespace(
        asked=Asked(only={"table": "@x"}),
        place=genesis("00000000-0000-0000-0000-000000000000"),
        recorded_at=datetime(2026, 3, 2, tzinfo=UTC),
        network=SimpleNamespace(id="baltic"),
    )
    return Made(report, reading)


def form(name: str, rows: Iterable[Row] = ROWS) -> str:
    return b"".join(FORMS[name](made(rows))).decode()


@pytest.mark.parametrize("text", ["=cmd", "+1", "@x", "-1", "\tx", "\rx", "＝1"])  # noqa: RUF001
def test_text_cannot_start_a_formula(text):
    assert guarded(text) == f"'{text}"


def test_a_negative_number_stays_a_number_in_csv():
    about, table, totals = form("csv").split("\n\n")
    rows = list(csv.reader(StringIO(table)))
    assert rows[0] == [column.name for column in COLUMNS]
    assert rows[1] == [
        "'=cmd()",
        "EUR",
        "3",
        "-5.00",
        "10.00",
        "-50.00",
        "3.33",
        "2026-03-01",
        "2026-03-01T20:00:00Z",
        "-0.25",
    ]
    assert rows[2] == ['näver, "q" <b>', "JPY", "0", "160", "0", "", "", "", "", ""]
    assert ["filters", "table=@x"] in list(csv.reader(StringIO(about)))
    assert totals.splitlines()[1:] == [",EUR,3,-5.00,10.00,-50.00,3.33,,,", ",JPY,0,160,0,,,,,"]


def test_a_program_reads_the_same_in_json():
    told = json.loads(form("json"))
    assert told["report"] == "trial"
    assert told["generated_at"] == "2026-03-02T00:00:00Z"
    assert told["position"] == "0"
    assert told["rows"][0]["player"] == "=cmd()"
    assert told["rows"][0]["ggr"] == "-5.00"
    assert told["rows"][0]["hands"] == 3
    assert told["rows"][1]["hold"] is None
    assert told["totals"][1] == {"currency": "JPY", "hands": 0, "ggr": "160", "stakes": "0"}
    assert (told["row_count"], told["activity"]) == (2, True)


def test_html_shows_text_as_text():
    page = form("html")
    assert "<td>näver, &quot;q&quot; &lt;b&gt;</td>" in page
    assert "http" not in page


def test_a_long_text_goes_on_in_a_next_line_of_its_cell_and_a_number_stands_flush_right():
    reason = "the hand was seen by both before the power went"
    page = form("html", [{**ROWS[0], "player": reason}])
    assert f"<td class=l>{reason}</td>" in page
    assert "<td class=n>-5.00</td>" in page
    assert "<td>2026-03-01T20:00:00Z</td>" in page


def test_a_terminal_gets_columns_in_line():
    lines = form("text").splitlines()
    header = next(line for line in lines if line.startswith("player"))
    first = lines[lines.index(header) + 1]
    assert header.index("ggr") + len("ggr") == first.index("-5.00") + len("-5.00")


@pytest.mark.parametrize("name", WRITTEN)
def test_an_empty_report_is_whole_and_says_so(name):
    empty = form(name, [])
    assert "A trial" in empty
    assert NO_ACTIVITY in empty if name != "json" else json.loads(empty)["activity"] is False


@pytest.mark.parametrize("name", WRITTEN)
def test_the_same_rows_give_the_same_bytes(name):
    assert form(name) == form(name)


@pytest.mark.parametrize("name", WRITTEN)
def test_rows_stream(name):
    asked: list[int] = []

    def rows() -> Iterator[Row]:
        for number in range(5000):
            asked.append(number)
            yield ROWS[0]

    pieces = FORMS[name](made(rows()))
    for _ in range(40):
        next(pieces)
    assert len(asked) <= 1000, "no form waits for all rows before it gives the first"
