"""A report for a table calculator: what it says about itself, its table, its totals, each with an empty line between.

UTF-8, LF, quotes where a field needs them (RFC 4180). A cell of text that would start a formula has a `'` before it; a
number is a number, also a negative one.
"""

import csv
from collections.abc import Iterable, Iterator, Sequence
from io import StringIO

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.report import Column, Kind

_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")  # noqa: RUF001 - the wide ones calculate, too
NO_ACTIVITY = "No activity"


def guarded(text: str) -> str:
    """Text that no table calculator takes for a formula; a dash alone is none."""
    return f"'{text}" if text.startswith(_FORMULA) and text != "-" else text


def csv_form(made: Made) -> Iterator[bytes]:
    """The report as CSV, line by line."""
    yield from _lines(([name, guarded(said)] for name, said in made.particulars.items()), "\n")
    yield from _lines([[column.name for column in made.columns]])
    yield from _lines(_cells(made.columns, row) for row in made.rows())
    if not made.rows_made:
        yield from _lines([[NO_ACTIVITY]])
    totals = list(made.totals())
    if totals:
        yield b"\n"
        yield from _lines([["totals"]])
        yield from _lines(_cells(made.columns, row) for row in totals)


def _cells(columns: Sequence[Column], row: Written) -> list[str]:
    return [
        "" if cell is None else guarded(cell) if column.kind is Kind.TEXT else cell
        for column, cell in zip(columns, row, strict=True)
    ]


def _lines(rows: Iterable[Sequence[str]], end: str = "") -> Iterator[bytes]:
    line = StringIO()
    writer = csv.writer(line, lineterminator="\n")
    for row in rows:
        writer.writerow(row)
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()
    yield end.encode()
