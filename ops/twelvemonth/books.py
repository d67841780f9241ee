"""The year's accounting files, with their manifests: what each comes to is what all the others do."""

import json
from collections.abc import Iterator, Mapping
from decimal import Decimal
from pathlib import Path

from backoffice.bootstrap import House
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.files import FORMATS, accounting_file
from ops.twelvemonth.calendar import FIRST, LAST

BOOKS = tuple((name, form) for name, forms in FORMATS.items() for form in forms)
"""Every file there is."""
_MANIFEST = ".manifest.json"


def write_books(house: House, name: str, form: str, company: str, folder: Path) -> list[Path]:
    """One of the books in one format: of all casinos together, or where that is of one company, of `company`'s."""
    asked = Asked(company if form == "saft" else None, FIRST, LAST)
    path = folder / f"books-{name}.{form}"
    with (
        accounting_file(house.engine, house.codec, read_chart(), name, form, asked) as made,
        path.open("wb") as stream,
    ):
        stream.writelines(made.pieces())
    manifest = path.with_name(path.name + _MANIFEST)
    manifest.write_bytes(made.manifest(path.name))
    return [path, manifest]


def book_sums(folder: Path) -> Iterator[tuple[str, Mapping[tuple[str, str], tuple[Decimal, Decimal]]]]:
    """What each file says it comes to: debits and credits by book and currency."""
    for path in sorted(folder.glob(f"books-*{_MANIFEST}")):
        said = json.loads(path.read_text(encoding="utf-8"))
        yield (
            said["file"],
            {
                (total["casino"], total["currency"]): (Decimal(total["debit"]), Decimal(total["credit"]))
                for total in said["totals"]
                if Decimal(total["debit"])
            },
        )
