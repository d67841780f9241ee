"""The operators' rulebooks, one module a game sheet. A published book never changes: another reading is another book."""

from collections.abc import Mapping
from inspect import cleandoc

from backoffice.rules.book import Book
from backoffice.rules.books import (
    caribbean_24h,
    caribbean_live,
    caribbean_swiss,
    five_card_stud,
    stud_dublinbet,
)

SHELF: dict[str, Book] = {
    book.id: book
    for book in (
        caribbean_24h.FIRST,
        caribbean_24h.SECOND,
        stud_dublinbet.FIRST,
        caribbean_live.FIRST,
        caribbean_swiss.FIRST,
        five_card_stud.FIRST,
    )
}
"""Every published book by its id."""

READINGS: Mapping[str, str] = {
    book.id: cleandoc(sheet.__doc__ or "")
    for sheet in (caribbean_24h, caribbean_live, caribbean_swiss, five_card_stud, stud_dublinbet)
    for book in SHELF.values()
    if book in vars(sheet).values()
}
"""What each book is and how its sheet was read where it is silent or odd, by the book's id: the words of its module."""
