"""A report as nothing but its table, in two profiles of CSV: RFC 4180 for programs, and one for a European Excel.

Both end their lines with CRLF. Excel's begins with a byte order mark, separates by `;` and writes decimals with a comma.
A cell of text that would start a formula has a `'` before it; a number is a number, also a negative one. What the report
says about itself is not in the file: a manifest beside it says it.
"""

import csv
from collections.abc import Iterable, Iterator
from io import StringIO
from typing import NamedTuple

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import guarded
from backoffice.reports.report import Column, Kind

DECIMALS = frozenset({Kind.MONEY, Kind.MEAN, Kind.PERCENT, Kind.NUMBER})


class _Profile(NamedTuple):
    """How a table is written down."""

    start: bytes
    separator: str
    point: str


_RFC_4180 = _Profile(b"", ",", ".")
_EXCEL = _Profile(b"\xef\xbb\xbf", ";", ",")


def table_form(made: Made) -> Iterator[bytes]:
    """The table by RFC 4180, in UTF-8, row by row."""
    return _table(made, _RFC_4180)


def excel_table_form(made: Made) -> Iterator[bytes]:
    """The table as Excel opens it where decimals have a comma."""
    return _table(made, _EXCEL)


def _table(made: Made, profile: _Profile) -> Iterator[bytes]:
    line = StringIO()
    writer = csv.writer(line, delimiter=profile.separator, lineterminator="\r\n")
    yield profile.start
    for cells in _rows(made, profile):
        writer.writerow(cells)
        yield line.getvalue().encode()
        line.seek(0)
        line.truncate()


def _rows(made: Made, profile: _Profile) -> Iterator[Iterable[str]]:
    yield [column.name for column in made.columns]
    for row in made.rows():
        yield _cells(made.columns, row, profile)


def _cells(columns: Iterable[Column], row: Written, profile: _Profile) -> Iterator[str]:
    for column, cell in zip(columns, row, strict=True):
        if cell is None:
            yield ""
        elif column.kind is Kind.TEXT:
            yield guarded(cell)
        else:
            yield cell.replace(".", profile.point) if column.kind in DECIMALS else cell
