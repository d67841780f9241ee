"""Cards as the feed writes them: rank `23456789TJQKA` and suit `shdc`, `"As"`, `"Td"`."""

from collections.abc import Iterable
from typing import Final

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"  # weakest first: the order in which suits decide a bring-in
DECK: Final = tuple(rank + suit for rank in RANKS for suit in SUITS)
RANK_OF: Final = {card: RANKS.index(card[0]) + 2 for card in DECK}
SUIT_OF: Final = {card: SUITS.index(card[1]) for card in DECK}
CARD_PATTERN: Final = f"^[{RANKS}][{SUITS}]$"
_SIGNS: Final = {"s": "♠", "h": "♥", "d": "♦", "c": "♣"}


def pretty(cards: Iterable[str]) -> str:
    """`["As", "Td"]` -> `"A♠ 10♦"`, as a person reads them."""
    return " ".join(("10" if card[0] == "T" else card[0]) + _SIGNS[card[1]] for card in cards)


def repeated(cards: Iterable[str]) -> str | None:
    """The first card that stands twice among `cards`, or None."""
    seen: set[str] = set()
    for card in cards:
        if card in seen:
            return card
        seen.add(card)
    return None
