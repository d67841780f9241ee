"""A report as an Excel workbook: its table, what it says about itself, its totals, each on sheets of their own.

A number is a number with the digits of its kind, a day a date. A workbook's numbers have fifteen digits: an amount with
more is written out as text, too, in a last column. Text is text: nothing in it is read as a formula, a link or a number.
The workbook says that it was made when the log reached its position. Memory stays flat; a table with more rows than a
sheet has goes on on the next one.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from functools import partial
from itertools import count, islice
from tempfile import TemporaryFile
from typing import Any

from xlsxwriter import Workbook
from xlsxwriter.format import Format
from xlsxwriter.worksheet import Worksheet

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import NO_ACTIVITY
from backoffice.reports.report import Column, Kind

ROWS_A_SHEET = 1_048_576
EXACT = "exact"
"""The last column: amounts with more digits than a number has, by the names of their columns."""
_DIGITS = 15
_PIECE = 1 << 16
_PLAIN = {"strings_to_formulas": False, "strings_to_urls": False, "strings_to_numbers": False}
_NUMBERS = frozenset({Kind.MONEY, Kind.MEAN, Kind.PERCENT, Kind.NUMBER, Kind.COUNT})
_FIRST_DAY = "1900-03-01"
"""Workbooks count days from here on: earlier ones are text."""
_BEFORE_ANYTHING = datetime(1980, 1, 1)  # noqa: DTZ001 - a workbook's times have no zone


class TooLong(Exception):
    """A text that no cell of a workbook holds; it would be cut."""


class _Sheet(Worksheet):  # type: ignore[misc]  # the library tells no types
    """A sheet in which text is never taken for markup, whatever it looks like."""

    def _xml_rich_inline_string(self, string: str, attributes: Any) -> None:
        self._xml_inline_string(string, True, attributes)  # noqa: FBT003 - the library's own


class _Book(Workbook):  # type: ignore[misc]
    """A workbook of such sheets, with what its cells look like."""

    worksheet_class = _Sheet

    def __init__(self, stream: Any, made_at: datetime) -> None:
        super().__init__(stream, {"constant_memory": True, "use_zip64": True, **_PLAIN})
        self.set_properties({"created": made_at})
        self.bold = self.add_format({"bold": True})
        self.day = self.add_format({"num_format": "yyyy-mm-dd"})
        self._by_digits: dict[int, Format] = {}

    def begun(self, name: str, heads: Iterable[str]) -> Worksheet:
        """A new sheet with its heads, which stay in sight."""
        sheet = self.add_worksheet(name)
        sheet.freeze_panes(1, 0)
        for place, head in enumerate(heads):
            _put_text(sheet, 0, place, head, self.bold)
        return sheet

    def digits(self, number: Decimal) -> Format:
        """What a number with so many digits behind the point looks like."""
        exponent = number.as_tuple().exponent
        assert isinstance(exponent, int)
        behind = max(0, -exponent)
        if behind not in self._by_digits:
            self._by_digits[behind] = self.add_format({"num_format": f"{0:.{behind}f}"})
        return self._by_digits[behind]


def xlsx_form(made: Made) -> Iterator[bytes]:
    """The report as a workbook: put together in temporary files, then handed out piece by piece. Raises TooLong."""
    with TemporaryFile() as stream:
        with _Book(stream, _made_at(made.particulars)) as book:
            _write_table(book, made)
            _write_about(book, made.particulars)
            _write_totals(book, made)
        stream.seek(0)
        yield from iter(partial(stream.read, _PIECE), b"")


def _made_at(said: Mapping[str, str]) -> datetime:
    """The log's time, by a clock without a zone as workbooks have it."""
    try:
        return datetime.fromisoformat(said["generated_at"]).replace(tzinfo=None, microsecond=0)
    except ValueError:  # the log is empty: there is no such time
        return _BEFORE_ANYTHING


def _write_table(book: _Book, made: Made) -> None:
    heads = [*(column.name for column in made.columns), EXACT]
    rows = made.rows()
    for number in count(1):
        sheet, last = book.begun("Table" if number == 1 else f"Table {number}", heads), 0
        for last, row in enumerate(islice(rows, ROWS_A_SHEET - 1), start=1):
            _put_row(book, sheet, last, made.columns, row)
        if last < ROWS_A_SHEET - 1:
            break
    if not made.rows_made:
        _put_text(sheet, 1, 0, NO_ACTIVITY)


def _write_about(book: _Book, said: Mapping[str, str]) -> None:
    sheet = book.begun("About", ("what", "is"))
    for row, pair in enumerate(said.items(), start=1):
        for place, text in enumerate(pair):
            _put_text(sheet, row, place, text)


def _write_totals(book: _Book, made: Made) -> None:
    sheet = book.begun("Totals", [*(column.name for column in made.columns), EXACT])
    for row, cells in enumerate(made.totals(), start=1):
        _put_row(book, sheet, row, made.columns, cells)


def _put_row(book: _Book, sheet: Worksheet, row: int, columns: Sequence[Column], cells: Written) -> None:
    exact = []
    for place, (column, cell) in enumerate(zip(columns, cells, strict=True)):
        if not cell:
            continue
        if column.kind in _NUMBERS:
            number = Decimal(cell)
            _check(sheet.write_number(row, place, number, book.digits(number)))
            if len(number.as_tuple().digits) > _DIGITS:
                exact.append(f"{column.name}={cell}")
        elif column.kind is Kind.DAY and cell >= _FIRST_DAY:
            _check(sheet.write_datetime(row, place, date.fromisoformat(cell), book.day))
        else:
            _put_text(sheet, row, place, cell)
    if exact:
        _put_text(sheet, row, len(columns), " ".join(exact))


def _put_text(sheet: Worksheet, row: int, place: int, text: str, look: Format | None = None) -> None:
    if text:
        _check(sheet.write_string(row, place, text, look))


def _check(done: int) -> None:
    """The library says by a number that it has cut, or left out, what it was given."""
    if done:
        raise TooLong("a text is longer than a cell of a workbook, or a table wider than a sheet")
