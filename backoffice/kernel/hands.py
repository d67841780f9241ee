"""What five cards are worth: category first, then ranks (rules, "Common to all"). Suits never break a tie."""

from collections.abc import Iterable, Sequence
from enum import IntEnum
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from backoffice.kernel.cards import RANK_OF, SUIT_OF


class Category(IntEnum):
    """Hand categories, the higher the better. A royal flush is one of its own."""

    HIGH_CARD = 0
    ONE_PAIR = 1
    TWO_PAIRS = 2
    THREE_OF_A_KIND = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR_OF_A_KIND = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9

    @property
    def words(self) -> str:
        """`"three of a kind"`: the name in exports and stories."""
        return _WORDS[self]


_WORDS = {category: category.name.lower().replace("_", " ") for category in Category}


class HandValue(NamedTuple):
    """A hand's worth: greater wins, equal ties. `ranks` are 2..14, the category's own first, then kickers falling."""

    category: Category
    ranks: tuple[int, ...]


_BY_COUNTS = {
    (4, 1): Category.FOUR_OF_A_KIND,
    (3, 2): Category.FULL_HOUSE,
    (3, 1, 1): Category.THREE_OF_A_KIND,
    (2, 2, 1): Category.TWO_PAIRS,
    (2, 1, 1, 1): Category.ONE_PAIR,
}
_WHEEL = (14, 5, 4, 3, 2)
_WHEEL_VALUE = (5, 4, 3, 2, 1)


def hand_value(cards: Sequence[str]) -> HandValue:
    """The value of exactly five different cards."""
    return _hand_value(tuple(cards))


@lru_cache(maxsize=4096)  # a shared hand is valued for each of its players
def _hand_value(cards: tuple[str, ...]) -> HandValue:
    if len(cards) != 5:
        raise ValueError(f"a hand has five cards, not {len(cards)}")
    ranks = sorted([RANK_OF[card] for card in cards], reverse=True)
    return _ranked(tuple(ranks), flush=len({card[1] for card in cards}) == 1)


@cache  # but for their suits there are 7,462 different hands
def _ranked(ranks: tuple[int, ...], *, flush: bool) -> HandValue:
    if len(set(ranks)) < 5:
        counts, falling = zip(
            *sorted([(ranks.count(rank), rank) for rank in set(ranks)], reverse=True), strict=True
        )
        return HandValue(_BY_COUNTS[counts], falling)
    return _unpaired(ranks, flush=flush)


def _unpaired(ranks: tuple[int, ...], *, flush: bool) -> HandValue:
    if ranks == _WHEEL:
        ranks = _WHEEL_VALUE
    straight = ranks[0] - ranks[4] == 4
    if straight and flush:
        return HandValue(Category.ROYAL_FLUSH if ranks[0] == 14 else Category.STRAIGHT_FLUSH, ranks)
    if straight:
        return HandValue(Category.STRAIGHT, ranks)
    return HandValue(Category.FLUSH if flush else Category.HIGH_CARD, ranks)


def best_value(cards: Sequence[str]) -> HandValue:
    """The best five-card value among five or more cards (the 5+1 Bonus looks at six)."""
    return _best_value(tuple(cards))


@lru_cache(maxsize=4096)
def _best_value(cards: tuple[str, ...]) -> HandValue:
    return max(hand_value(five) for five in combinations(cards, 5))


def showing_value(cards: Sequence[str]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The value of one to four open cards, for who acts first: pairs and more count, straights and flushes do not."""
    ranks = [RANK_OF[card] for card in cards]
    groups = sorted(((ranks.count(rank), rank) for rank in set(ranks)), reverse=True)
    return tuple(count for count, _ in groups), tuple(rank for _, rank in groups)


def in_order(cards: Iterable[str]) -> list[str]:
    """The same cards, highest first and by suit among equals: two hands of the same cards are written the same."""
    return sorted(cards, key=lambda card: (RANK_OF[card], SUIT_OF[card]), reverse=True)
