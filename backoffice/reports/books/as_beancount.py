"""The books as a Beancount journal, which `bean-check` proves: every leg explicit, every day's end asserted to the unit."""

from collections.abc import Iterator
from datetime import timedelta

from backoffice.kernel.currencies import format_minor
from backoffice.reports.books.book import Book, Entry
from backoffice.reports.books.day_ends import DayEnd
from backoffice.reports.books.journal import Transaction
from backoffice.reports.books.naming import name_in
from backoffice.reports.cells import moment

_DAY = timedelta(days=1)


def beancount_form(book: Book) -> Iterator[bytes]:
    """The journal, entry by entry."""
    yield "".join(_head(book)).encode()
    yield "".join(_opened(book)).encode()
    for entry in book.entries():
        yield "".join(_told(entry)).encode()
    if not book.rows:
        yield b"\n;; No activity\n"


def _head(book: Book) -> Iterator[str]:
    yield from (f";; {name}: {said}\n" for name, said in book.particulars.items())
    yield f'\noption "title" {_quoted(book.particulars["title"])}\n'
    # Nothing is near enough: not one minor unit.
    yield 'option "tolerance_multiplier" "0"\n\n'


def _opened(book: Book) -> Iterator[str]:
    """Accounts and currencies, from the eve of the first day on."""
    eves = {name: span.first - _DAY for name, span in book.ledger.spans.items()}
    yield from (f"{min(eves.values())} commodity {currency}\n" for currency in book.currencies)
    for name, eve in eves.items():
        yield "\n"
        for account in book.ledger.chart.by_number.values():
            yield f"{eve} open {name_in(name, account)}\n"


def _told(entry: Entry) -> Iterator[str]:
    return _asserted(entry) if isinstance(entry, DayEnd) else _transaction(entry)


def _transaction(transaction: Transaction) -> Iterator[str]:
    yield f"\n{transaction.day} * {_quoted(transaction.narration)}\n"
    if transaction.position:
        yield f"  position: {transaction.position}\n  type: {_quoted(transaction.type)}\n"
        yield f"  happened: {_quoted(moment(transaction.happened_at))}\n"
    if transaction.round is not None:
        yield f"  round: {_quoted(transaction.round)}\n"
    for leg in transaction.legs:
        amount = format_minor(leg.minor, leg.currency)
        yield f"  {name_in(transaction.book, leg.account)}  {amount} {leg.currency}\n"
        if leg.of:
            yield f"    account: {_quoted(leg.of)}\n"


def _asserted(end: DayEnd) -> Iterator[str]:
    """An assertion holds at the beginning of its day: a day's end is the next one's."""
    amount = format_minor(end.minor, end.currency)
    yield f"{end.day + _DAY} balance {name_in(end.book, end.account)}  {amount} ~ 0 {end.currency}\n"


def _quoted(text: str) -> str:
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
