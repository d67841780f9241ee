"""Who acts first on a stud street: what the open cards say. Pure; seats in their order left of the dealer."""

from collections.abc import Iterable, Mapping, Sequence

from backoffice.kernel.cards import RANK_OF, SUIT_OF
from backoffice.kernel.hands import showing_value


def lowest_card(open_cards: Mapping[str, str]) -> str:
    """The seat with the lowest open card, which posts the bring-in. Ties by suit, clubs lowest."""
    return min(open_cards, key=lambda seat: (RANK_OF[open_cards[seat]], SUIT_OF[open_cards[seat]]))


def highest_showing(open_cards: Mapping[str, Sequence[str]]) -> str:
    """The seat with the highest showing hand, which opens. Ties: the first, nearest to the dealer's left."""
    return max(open_cards, key=lambda seat: showing_value(open_cards[seat]))


def shows_pair(open_cards: Sequence[str]) -> bool:
    """Whether two of one seat's open cards are of one rank: an open pair."""
    return len({card[0] for card in open_cards}) < len(open_cards)


def clockwise(seats: Iterable[str], first: str) -> tuple[str, ...]:
    """All `seats`, beginning with `first` and going round."""
    order = tuple(seats)
    start = order.index(first)
    return order[start:] + order[:start]
