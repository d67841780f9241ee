"""The books as an hledger journal, which `hledger check -s ordereddates` proves: every account and commodity declared, every
leg explicit, every day's end asserted.
"""

import re
from collections.abc import Iterator

from backoffice.kernel.currencies import exponent, format_minor
from backoffice.reports.books.book import Book, Entry
from backoffice.reports.books.day_ends import DayEnd
from backoffice.reports.books.journal import Transaction
from backoffice.reports.books.naming import name_in
from backoffice.reports.cells import moment


def hledger_form(book: Book) -> Iterator[bytes]:
    """The journal, entry by entry."""
    yield "".join(_head(book)).encode()
    for entry in book.entries():
        yield "".join(_told(entry)).encode()
    if not book.rows:
        yield b"\n; No activity\n"


def _head(book: Book) -> Iterator[str]:
    yield from (f"; {name}: {said}\n" for name, said in book.particulars.items())
    yield "\ndecimal-mark .\n"
    for currency in book.currencies:
        yield f"commodity 1000.{'0' * exponent(currency)} {currency}\n"
    for name in book.ledger.spans:
        yield "\n"
        for account in book.ledger.chart.by_number.values():
            yield f"account {name_in(name, account)}\n"


def _told(entry: Entry) -> Iterator[str]:
    return _asserted(entry) if isinstance(entry, DayEnd) else _transaction(entry)


def _transaction(transaction: Transaction) -> Iterator[str]:
    code = f" ({transaction.position})" if transaction.position else ""
    yield f"\n{transaction.day} *{code} {transaction.narration}\n"
    if transaction.position:
        yield f"    ; type: {transaction.type}\n    ; happened: {moment(transaction.happened_at)}\n"
    if transaction.round is not None:
        yield f"    ; round: {_plain(transaction.round)}\n"
    for leg in transaction.legs:
        amount = f"{format_minor(leg.minor, leg.currency)} {leg.currency}"
        of = f"  ; account: {_plain(leg.of)}" if leg.of else ""
        yield f"    {name_in(transaction.book, leg.account)}  {amount}{of}\n"


def _asserted(end: DayEnd) -> Iterator[str]:
    """A posting of nothing, behind which the account must hold this."""
    nothing, amount = (format_minor(minor, end.currency) for minor in (0, end.minor))
    yield f"\n{end.day} * Day end\n"
    yield f"    {name_in(end.book, end.account)}  {nothing} {end.currency} = {amount} {end.currency}\n"


def _plain(text: str) -> str:
    """Text in a comment in which hledger would find the end of a tag, or a date: written as in an address on the web."""
    return re.sub(r"[%,\[\]]", lambda found: f"%{ord(found[0]):02X}", text)
