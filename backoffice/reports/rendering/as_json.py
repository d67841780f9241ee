"""A report for a program: one JSON object, a row a line. Counts are numbers, money and other decimals are strings."""

import json
from collections.abc import Iterable, Iterator, Sequence

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.report import Column, Kind


def json_form(made: Made) -> Iterator[bytes]:
    """The report as JSON, piece by piece."""
    about = {
        **made.particulars,
        "columns": [{"name": column.name, "kind": column.kind} for column in made.columns],
    }
    yield f'{_said(about)[:-1]},"rows":['.encode()
    yield from _objects(made.columns, made.rows())
    yield b'],"totals":['
    yield from _objects(made.columns, made.totals(), sparse=True)
    yield f'],"activity":{_said(made.rows_made > 0)},"row_count":{made.rows_made}}}\n'.encode()


def _objects(columns: Sequence[Column], rows: Iterable[Written], *, sparse: bool = False) -> Iterator[bytes]:
    before = "\n"
    for row in rows:
        said = {
            column.name: int(cell) if column.kind is Kind.COUNT and cell is not None else cell
            for column, cell in zip(columns, row, strict=True)
            if cell is not None or not sparse
        }
        yield f"{before}{_said(said)}".encode()
        before = ",\n"
    if before != "\n":
        yield b"\n"


def _said(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
