"""A report to be printed, or made a PDF by any browser: one HTML file that needs nothing beside it."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import NO_ACTIVITY
from backoffice.reports.report import Column, Kind

_LEFT = {Kind.TEXT, Kind.TIME, Kind.DAY}
NARROW = 20
"""More columns than this need small letters to stand on a printed page."""
LONG = 40
"""A text of more characters than this goes on in a next line: a reason, but no name and no moment."""
STYLE = """
@page { size: A4 landscape; margin: 12mm }
body { font: 9pt/1.35 sans-serif; margin: 2em; color: #111; background: #fff }
h1 { font-size: 14pt }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em; font-size: 8pt }
dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: 8pt }
thead { display: table-header-group } tfoot { display: table-row-group; font-weight: bold }
tr { break-inside: avoid }
th, td { border: .5pt solid #bbb; padding: .15em .4em; text-align: left; vertical-align: top }
th { background: #eee; vertical-align: bottom }
td { white-space: nowrap }
tfoot tr:first-child td { border-top: 1.5pt solid #111 }
.l { white-space: normal; min-width: 20em; overflow-wrap: anywhere }
.n { text-align: right; font-variant-numeric: tabular-nums }
@media screen { thead th { position: sticky; top: 0 } }
@media print { body { margin: 0 } .wide { font-size: 5pt } .wide .l { min-width: 16em } }
"""
_ON_A_PHONE = '<meta name="viewport" content="width=device-width, initial-scale=1">'


def html_form(made: Made) -> Iterator[bytes]:
    """The report as an HTML page, row by row."""
    said = made.particulars
    title = escape(said["title"])
    yield f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8">{_ON_A_PHONE}'.encode()
    yield f"<title>{title}</title>\n".encode()
    yield f"<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<dl>\n".encode()
    for name, told in said.items():
        yield f"<dt>{escape(name.replace('_', ' '))}</dt><dd>{escape(told)}</dd>\n".encode()
    wide = " class=wide" if len(made.columns) > NARROW else ""
    yield f"</dl>\n<table{wide}>\n<thead>".encode()
    yield from _rows("th", made.columns, [tuple(column.name.replace("_", " ") for column in made.columns)])
    yield b"</thead>\n<tbody>\n"
    yield from _rows("td", made.columns, made.rows())
    if not made.rows_made:
        yield f'<tr><td colspan="{len(made.columns)}">{NO_ACTIVITY}</td></tr>\n'.encode()
    yield b"</tbody>\n<tfoot>\n"
    yield from _rows("td", made.columns, made.totals())
    yield b"</tfoot>\n</table>\n</body>\n</html>\n"


def _rows(tag: str, columns: Sequence[Column], rows: Iterable[Written]) -> Iterator[bytes]:
    for row in rows:
        cells = (
            f"<{tag}{_look(column, cell or '')}>{escape(cell or '')}</{tag}>"
            for column, cell in zip(columns, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n".encode()


def _look(column: Column, cell: str) -> str:
    """Numbers stand flush right, long texts in several lines."""
    if column.kind not in _LEFT:
        return " class=n"
    return " class=l" if len(cell) > LONG else ""
