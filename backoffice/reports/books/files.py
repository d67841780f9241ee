"""Every accounting file there is, by name and format; what is written, and what a manifest beside it says."""

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from hashlib import sha256
from types import MappingProxyType

from sqlalchemy import Engine

from backoffice.log.codec import Codec
from backoffice.projections.entries import ENTRIES
from backoffice.reports.asked import Asked
from backoffice.reports.books.as_beancount import beancount_form
from backoffice.reports.books.as_hledger import hledger_form
from backoffice.reports.books.as_saft import saft_form
from backoffice.reports.books.book import Book
from backoffice.reports.books.chart import Chart, read_chart
from backoffice.reports.books.day_ends import NEEDS
from backoffice.reports.books.ledger import Ledger
from backoffice.reports.books.tables import tables
from backoffice.reports.making import Made
from backoffice.reports.reading import reading
from backoffice.reports.rendering.as_parquet import parquet_form
from backoffice.reports.rendering.as_table import excel_table_form, table_form
from backoffice.reports.rendering.as_xlsx import xlsx_form
from backoffice.reports.report import Report

TABLES: Mapping[str, Callable[[Made], Iterator[bytes]]] = MappingProxyType(
    {"csv": table_form, "csv-excel": excel_table_form, "xlsx": xlsx_form, "parquet": parquet_form}
)
"""The formats of every table."""
JOURNALS: Mapping[str, Callable[[Book], Iterator[bytes]]] = MappingProxyType(
    {"beancount": beancount_form, "hledger": hledger_form, "saft": saft_form}
)
"""The formats of the journal beside."""
_BLOCK = 1 << 16
NAMES = ("journal", "general-ledger", "trial-balance")
FORMATS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {name: (*TABLES, *(JOURNALS if name == "journal" else ())) for name in NAMES}
)


class UnknownFile(Exception):
    """There is no accounting file of this name, or not in this format; the message says what there is."""


def refuse_unknown_file(name: str, form: str, asked: Asked) -> None:
    """Raise UnknownFile for what there is not, or not in this format, or for a filter that it does not know."""
    if form not in FORMATS.get(name, ()):
        told = "; ".join(f"{each} as {', '.join(forms)}" for each, forms in FORMATS.items())
        raise UnknownFile(f"there is no {name} as {form}: {told}")
    known = _table(read_chart(), name).filters
    for filter_name in asked.only.keys() - known.keys():
        raise UnknownFile(f"{name} knows no filter {filter_name}: {', '.join(known)}")


def _table(chart: Chart, name: str) -> Report:
    return next(table for table in tables(chart) if table.name == name)


class AccountingFile:
    """A file being made. Go through `pieces` once, then ask for the `manifest`."""

    def __init__(self, form: str, made: Made, book: Book) -> None:
        self._form = form
        self._made = made
        self._book = book
        self._digest = sha256()
        self._length = 0

    def pieces(self) -> Iterator[bytes]:
        """The file, piece by piece, in flat memory."""
        pieces = JOURNALS[self._form](self._book) if self._is_journal else TABLES[self._form](self._made)
        for piece in _gathered(pieces):
            self._digest.update(piece)
            self._length += len(piece)
            yield piece

    def manifest(self, name: str) -> bytes:
        """What is in the file called `name`: its hash and size, rows and totals, and which place of which log it is of."""
        rows = self._book.rows if self._is_journal else self._made.rows_made
        said = {
            "file": name,
            "format": self._form,
            "sha256": self._digest.hexdigest(),
            "bytes": self._length,
            "rows": rows,
            "activity": rows > 0,
            "totals": list(self._totals()),
            **self._book.particulars,
        }
        return json.dumps(said, ensure_ascii=False, indent=2).encode() + b"\n"

    @property
    def _is_journal(self) -> bool:
        return self._form in JOURNALS

    def _totals(self) -> Iterator[Mapping[str, str]]:
        if self._is_journal:
            yield from self._book.totals()
            return
        names = [column.name for column in self._made.columns]
        for cells in self._made.totals():
            yield {name: cell for name, cell in zip(names, cells, strict=True) if cell is not None}


@contextmanager
def accounting_file(
    engine: Engine, codec: Codec, chart: Chart, name: str, form: str, asked: Asked
) -> Iterator[AccountingFile]:
    """An accounting file by a chart; its pieces can be had until the block ends.

    What cannot be made is said before the first piece: raises UnknownFile, UnknownReport, UnknownCasino, BadChart
    where an account is not mapped, and what `reading` does.
    """
    refuse_unknown_file(name, form, asked)
    report = _table(chart, name)
    needs = (ENTRIES, *NEEDS) if form in JOURNALS else report.needs
    with reading(engine, codec, needs, asked) as snapshot:
        ledger = Ledger(snapshot, chart)
        ledger.refuse_unmapped()
        made = Made(report, snapshot)
        yield AccountingFile(form, made, Book(ledger, {**made.particulars, "chart": chart.title}))


def _gathered(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """The same bytes in larger pieces."""
    block: list[bytes] = []
    length = 0
    for piece in pieces:
        block.append(piece)
        length += len(piece)
        if length >= _BLOCK:
            yield b"".join(block)
            block, length = [], 0
    if block:
        yield b"".join(block)
