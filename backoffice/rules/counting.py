"""How many hands of a whole deck are worth what, counted exactly.

Cards are counted by their ranks, of which there are few, and by how many stand in one suit, which is all that suits are
good for: 6,188 sets of ranks instead of 2,598,960 hands of five, 18,564 instead of 20,358,520 of six.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod
from types import MappingProxyType

from backoffice.kernel.cards import RANKS
from backoffice.kernel.hands import Category, best_value

Repeats = Mapping[str, int]
"""Ranks of a set of cards, and how many cards there are of each."""


@cache
def best_hands(cards: int, ranks: str = RANKS) -> Mapping[Category, int]:
    """How many sets of `cards` cards (5 to 7) hold which best hand of five, in a deck of these ranks in four suits."""
    if not 5 <= cards <= 7:
        raise ValueError(f"hands of five are counted among five to seven cards, not {cards}")
    counts: Counter[Category] = Counter()
    for drawn in combinations_with_replacement(ranks, cards):
        repeats = Counter(drawn)
        if max(repeats.values()) <= 4:
            counts.update(_of_these_ranks(repeats))
    return MappingProxyType({category: counts[category] for category in Category})


def _of_these_ranks(repeats: Repeats) -> Counter[Category]:
    counts: Counter[Category] = Counter()
    unsuited = prod(comb(4, repeat) for repeat in repeats.values())
    for suited in _suited(repeats):
        ways = 4 * prod(comb(3, repeat - (rank in suited)) for rank, repeat in repeats.items())
        counts[best_value(_example(repeats, suited)).category] += ways
        unsuited -= ways
    counts[best_value(_example(repeats)).category] += unsuited
    return counts


def _suited(repeats: Repeats) -> Iterator[tuple[str, ...]]:
    """Ranks that may stand in one suit, five or more of them; the other cards are of other suits then."""
    for size in range(5, len(repeats) + 1):
        yield from combinations(repeats, size)


def _example(repeats: Repeats, suited: tuple[str, ...] = ()) -> tuple[str, ...]:
    """One set of cards of these ranks, with those of `suited` in spades, and no other five of one suit."""
    cards = [rank + "s" for rank in suited]
    others = "hdc" if suited else "hdcs"
    for rank, repeat in repeats.items():
        free = sorted(others, key=lambda suit: sum(card[1] == suit for card in cards))
        cards += [rank + suit for suit in free[: repeat - (rank in suited)]]
    return tuple(cards)
