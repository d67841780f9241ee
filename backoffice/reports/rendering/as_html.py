"""A report to be printed, or made a PDF by any browser: one HTML file that needs nothing beside it."""

from collections.abc import Iterable, Iterator, Sequence
from html import escape

from backoffice.reports.cells import Written
from backoffice.reports.making import Made
from backoffice.reports.rendering.as_csv import NO_ACTIVITY
from backoffice.reports.report import Column, Kind

_LEFT = {Kind.TEXT, Kind.TIME, Kind.DAY}
NARROW = 20
"""More columns than this need small letters to stand on a page."""
STYLE = """
@page { size: A4 landscape; margin: 15mm }
body { font: 9pt/1.35 sans-serif; margin: 2em; color: #111 }
h1 { font-size: 14pt }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1em 1em; font-size: 8pt }
dt { color: #555 } dd { margin: 0; overflow-wrap: anywhere }
table { border-collapse: collapse; font-size: 8pt }
thead { display: table-header-group } tfoot { display: table-row-group; font-weight: bold }
tr { break-inside: avoid }
th, td { border: .5pt solid #bbb; padding: .15em .4em; text-align: left }
td { white-space: nowrap }
.wide { font-size: 5pt }
.n { text-align: right; font-variant-numeric: tabular-nums }
@media print { body { margin: 0 } }
"""


def html_form(made: Made) -> Iterator[bytes]:
    """The report as an HTML page, row by row."""
    said = made.particulars
    title = escape(said["title"])
    yield f'<!doctype html>\n<html lang="en">\n<head><meta charset="utf-8"><title>{title}</title>\n'.encode()
    yield f"<style>{STYLE}</style></head>\n<body>\n<h1>{title}</h1>\n<dl>\n".encode()
    for name, told in said.items():
        yield f"<dt>{escape(name)}</dt><dd>{escape(told)}</dd>\n".encode()
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
            f"<{tag}{'' if column.kind in _LEFT else ' class=n'}>{escape(cell or '')}</{tag}>"
            for column, cell in zip(columns, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>\n".encode()
