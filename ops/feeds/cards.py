"""A shuffled deck, and fine hands to put on top of it: jackpots are to be won more often than by nature."""

from random import Random

from backoffice.kernel.cards import DECK, RANKS, SUITS


class Deck:
    """Fifty-two cards in an order of their own."""

    def __init__(self, chance: Random) -> None:
        self._cards = chance.sample(DECK, len(DECK))

    def draw(self, count: int) -> list[str]:
        """The next cards, gone from the deck."""
        drawn, self._cards = self._cards[:count], self._cards[count:]
        return drawn

    def take(self, cards: list[str]) -> list[str]:
        """These very cards, gone from the deck."""
        self._cards = [card for card in self._cards if card not in cards]
        return cards


def fine_hand(chance: Random) -> list[str]:
    """A flush at least, a royal flush in one of six."""
    suit, second, third, fourth = chance.sample(SUITS, 4)
    rank, other = chance.sample(RANKS, 2)
    match chance.choices(("royal", "straight flush", "four", "full house", "flush"), (2, 2, 2, 3, 3))[0]:
        case "royal":
            return [each + suit for each in "TJQKA"]
        case "straight flush":
            lowest = chance.randrange(8)
            return [each + suit for each in RANKS[lowest : lowest + 5]]
        case "four":
            return [*(rank + each for each in SUITS), other + suit]
        case "full house":
            return [rank + suit, rank + second, rank + third, other + suit, other + fourth]
        case _:
            return [each + suit for each in chance.sample(RANKS, 5)]
