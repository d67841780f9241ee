"""HTML by elements: whatever is no markup already is escaped, so no text of a feed ever becomes part of a page."""

import re
from collections.abc import Iterable
from html import escape

STYLE = """
@page { size: A4; margin: 16mm 14mm; }
body { font: 10pt/1.35 "DejaVu Sans", Verdana, sans-serif; color: #111; background: #fff; margin: 0 auto; max-width: 190mm; }
h1 { font-size: 15pt; } h2 { font-size: 12pt; margin-top: 8mm; } h1, h2, h3 { break-after: avoid; }
table { border-collapse: collapse; width: 100%; margin: 2mm 0; font-size: 8.5pt; } thead { display: table-header-group; }
tr { break-inside: avoid; } th, td { border: 0.2mm solid #999; padding: 0.6mm 1.4mm; text-align: left; vertical-align: top; }
th { background: #eee; } td { unicode-bidi: isolate; overflow-wrap: break-word; } td.long { overflow-wrap: anywhere; }
.amount { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; } .whole { white-space: nowrap; }
@media screen { body { padding: 0 4mm 10mm; } }
@media print { body { max-width: none; } }
code, pre { font: 7.5pt/1.3 "DejaVu Sans Mono", monospace; white-space: pre-wrap; overflow-wrap: anywhere; }
"""
"""For the screen and for paper."""
LONGEST_WORD = 24
"""A longer one may be broken anywhere: a hash. Others are not, so that columns are as wide as their words."""
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d\S*( UTC)?", re.ASCII)


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
    """A table; the columns named in `amounts` stand flush right. Columns without a name have no heads."""
    columns, right = list(columns), set(amounts)
    heads = (_cell("th", column.replace("_", " "), amount=column in right) for column in columns)
    body = (
        tag("tr", (_cell("td", cell, amount=name in right) for name, cell in zip(columns, row, strict=True)))
        for row in rows
    )
    return tag("table", tag("thead", tag("tr", heads)) if any(columns) else "", tag("tbody", body))


def _cell(name: str, text: str, *, amount: bool) -> Markup:
    look = "amount" if amount else _look(text)
    return tag(name, text, class_=look) if look else tag(name, text)


def _look(text: str) -> str:
    """A moment, and a name of one word, stands in one line; what has a longer word in it may be broken there."""
    if _MOMENT.fullmatch(text):
        return "whole"
    longest = max(map(len, text.split()), default=0)
    if longest > LONGEST_WORD:
        return "long"
    return "whole" if longest == len(text) > 0 else ""


def page(title: str, *content: Content) -> str:
    """A whole document that needs nothing beside itself, and runs nothing."""
    head = tag(
        "head",
        Markup('<meta charset="utf-8">'),
        Markup('<meta name="viewport" content="width=device-width, initial-scale=1">'),
        Markup(
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src 'unsafe-inline'\">"
        ),
        tag("title", title),
        tag("style", Markup(STYLE)),
    )
    whole = tag("html", head, tag("body", tag("h1", title), *content), lang="en")
    return f"<!DOCTYPE html>\n{whole}\n"
