"""A report for a terminal: columns in line, numbers to the right.

The first rows say how wide the columns are; a later cell that is wider pushes its line out, so memory stays flat.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, islice

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import NO_ACTIVITY
from backoffice.reports.report import Column, Kind

MEASURED = 1000
_LEFT = {Kind.TEXT, Kind.TIME, Kind.DAY}


def text_form(made: Made) -> Iterator[bytes]:
    """The report as lines of text."""
    said = made.particulars
    yield f"{said['title']}\n\n".encode()
    yield from (f"{name:<14}{told}\n".encode() for name, told in said.items() if name != "title")
    yield b"\n"
    rows = made.rows()
    first = list(islice(rows, MEASURED))
    if not first:
        yield f"{NO_ACTIVITY}\n".encode()
        return
    names: Written = tuple(column.name for column in made.columns)
    widths = [max(len(cell or "") for cell in cells) for cells in zip(names, *first, strict=True)]
    for row in chain([names], first, rows):
        yield _line(made.columns, widths, row)
    totals = list(made.totals())
    if totals:
        yield b"\ntotals\n"
        yield from (_line(made.columns, widths, row) for row in totals)


def _line(columns: Sequence[Column], widths: Sequence[int], row: Written) -> bytes:
    cells = (
        (cell or "").ljust(width) if column.kind in _LEFT else (cell or "").rjust(width)
        for column, width, cell in zip(columns, widths, row, strict=True)
    )
    return f"{'  '.join(cells).rstrip()}\n".encode()
