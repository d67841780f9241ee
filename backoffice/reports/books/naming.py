"""What accounts are called in journals that are text: `Liabilities:Tallinn:2000-Players-balances`.

Type, book, and the chart's account with its number. Two books never get one name, whatever their casinos are called.
"""

import re
from functools import lru_cache

from backoffice.domain.accounts import NETWORK_BOOK
from backoffice.reports.books.chart import AccountType, ChartAccount

_ROOTS = {
    AccountType.ASSET: "Assets",
    AccountType.LIABILITY: "Liabilities",
    AccountType.EQUITY: "Equity",
    AccountType.INCOME: "Income",
    AccountType.EXPENSE: "Expenses",
}
_NETWORK = "Network"


@lru_cache(maxsize=4096)
def account_name(book: str, root: AccountType, number: str, name: str) -> str:
    """The account's name in a book."""
    words = re.sub(r"[^A-Za-z0-9]+", "-", name).strip("-")
    return ":".join((_ROOTS[root], book_name(book), f"{number}-{words}" if words else number))


def name_in(book: str, account: ChartAccount) -> str:
    """The name of an account of the chart in a book."""
    return account_name(book, account.type, account.number, account.name)


def book_name(book: str) -> str:
    """A casino's id as a part of a name: a letter or digit first, then letters, digits and hyphens; the network's own.

    `tallinn` is `Tallinn`. What else an id may hold is written out by its code, so that no other id gets the same name.
    """
    if book == NETWORK_BOOK:
        return _NETWORK
    told = "".join(map(_told, book))
    plain = "a" <= told[0] <= "z" and told != _NETWORK.lower()
    return told[0].upper() + told[1:] if plain else f"0{told}"


def _told(character: str) -> str:
    if character.isascii() and character.isalnum():
        return character
    return "--" if character == "-" else f"-{ord(character):x}-"
