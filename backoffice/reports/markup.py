"""HTML by elements: whatever is no markup already is escaped, so no text of a feed ever becomes part of a page."""

from collections.abc import Iterable
from html import escape

STYLE = """
@page { size: A4; margin: 16mm 14mm; }
body { font: 10pt/1.35 "DejaVu Sans", Verdana, sans-serif; color: #111; margin: 0 auto; max-width: 190mm; }
h1 { font-size: 15pt; } h2 { font-size: 12pt; margin-top: 8mm; } h1, h2, h3 { break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: 2mm 0; } thead { display: table-header-group; }
tr { break-inside: avoid; } th, td { border: 0.2mm solid #999; padding: 0.6mm 1.4mm; text-align: left; vertical-align: top; }
th { background: #eee; } td { unicode-bidi: isolate; overflow-wrap: anywhere; }
td.amount { text-align: right; white-space: nowrap; }
code, pre { font: 7.5pt/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
"""
"""For the screen and for paper."""


class Markup(str):
    """Text that is HTML already."""

    __slots__ = ()


Content = str | Iterable[str]


def tag(name: str, *content: Content, **attributes: str) -> Markup:
    """`tag("td", "a < b", class_="amount")`: an element; an attribute's trailing underscore falls away."""
    head = "".join(f' {key.rstrip("_")}="{escape(value)}"' for key, value in attributes.items())
    return Markup(f"<{name}{head}>{''.join(map(_written, content))}</{name}>")


def _written(content: Content) -> str:
    if isinstance(content, Markup):
        return content
    if isinstance(content, str):
        return escape(content)
    return "".join(map(_written, content))


def table(columns: Iterable[str], rows: Iterable[Iterable[str]], amounts: Iterable[str] = ()) -> Markup:
    """A table; the columns named in `amounts` stand flush right."""
    columns, right = list(columns), set(amounts)
    head = tag("thead", tag("tr", (tag("th", column) for column in columns)))
    body = (
        tag("tr", (_cell(cell, column in right) for column, cell in zip(columns, row, strict=True)))
        for row in rows
    )
    return tag("table", head, tag("tbody", body))


def _cell(text: str, amount: bool) -> Markup:
    return tag("td", text, class_="amount") if amount else tag("td", text)


def page(title: str, *content: Content) -> str:
    """A whole document that needs nothing beside itself, and runs nothing."""
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        ),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    whole = tag("html", head, tag("body", tag("h1", title), *content), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"
