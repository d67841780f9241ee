"""What the bets that need no decision bring by theory: 5+1, the fixed Bonus, the fixed prizes of a jackpot table.

Every hand of a whole deck is counted, so each figure is exact. A bet pays by the category of a hand: a multiple of what
was staked, or a sum however much was staked, or both. What such bets come to over many hands follows from the mean and
the spread of these two; how often the hand is played on, announced, or void is not part of the theory.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import prod
from typing import Literal, NamedTuple

from backoffice.kernel.hands import Category
from backoffice.rules.book import Amounts, Chips, FixedBonus, HouseBook, OddsBonus, Percent
from backoffice.rules.counting import best_hands

Part = Literal["times", "amount"]


class Pay(NamedTuple):
    """What one category of hand gives back, the stake included where it is returned."""

    times: int = 0
    """Of the stake."""
    amount: int = 0
    """In minor units, a bet."""


class Staked(NamedTuple):
    """Bets on hands, added up as far as the theory needs them. Bets on one and the same hand are one observation."""

    stake: int
    """All stakes, in minor units."""
    bets: int
    stake_squares: int
    """Each hand's stakes together, squared; summed over the hands."""
    stake_bets: int
    """Each hand's stakes times its bets, summed."""
    bets_squares: int


@dataclass(frozen=True, slots=True)
class Theory:
    """One bet of a book: of `hands` equally likely sets of `cards` cards, how many are paid what."""

    cards: int
    ways: Mapping[Category, int]
    pays: Mapping[Category, Pay]

    @property
    def hands(self) -> int:
        """All sets of so many cards."""
        return sum(self.ways.values())

    def expected(self, staked: Staked) -> Fraction:
        """What the bets bring back on average, in minor units."""
        return self._mean("times") * staked.stake + self._mean("amount") * staked.bets

    def variance(self, staked: Staked) -> Fraction:
        """Of what the bets bring back: hands fall independently, all bets on one hand fall with it."""
        return (
            self._covariance("times", "times") * staked.stake_squares
            + 2 * self._covariance("times", "amount") * staked.stake_bets
            + self._covariance("amount", "amount") * staked.bets_squares
        )

    def share(self, stake: int) -> Fraction:
        """What one bet of `stake` minor units brings back on average, as a part of it."""
        return self.expected(Staked(stake, 1, 0, 0, 0)) / stake

    def _covariance(self, one: Part, other: Part) -> Fraction:
        return self._mean(one, other) - self._mean(one) * self._mean(other)

    def _mean(self, *parts: Part) -> Fraction:
        """Of the product of `parts`, over all hands."""
        products = (
            self.ways[category] * prod(getattr(pay, part) for part in parts)
            for category, pay in self.pays.items()
        )
        return Fraction(sum(products), self.hands)


def bonus_theory(book: HouseBook) -> Theory | None:
    """The Bonus of `book`, before any table's maximum payout; None where it has none.

    5+1 looks at six cards, all equally likely. A fixed Bonus that a fold loses is taken to be played on: it pays for
    hands only that nobody folds.
    """
    match book.bonus:
        case OddsBonus(odds):
            return _theory(6, {category: Pay(times=n + 1) for category, n in odds.items()})
        case FixedBonus(prizes=prizes, returns_stake=returned):
            return _theory(5, {category: Pay(int(returned), prize) for category, prize in prizes.items()})
        case None:
            return None


def fixed_prizes_theory(book: HouseBook, currency: str) -> Theory | None:
    """The fixed prizes of the jackpot table for a chip of `currency`: what is not a part of the pool. None without a table.

    Every winning hand is taken to be announced where it must be, and no card to be exchanged.
    """
    if book.jackpot is None:
        return None
    pays: dict[Category, Pay] = {}
    for category, prize in book.jackpot.prizes.items():
        match prize:
            case Chips(times):
                pays[category] = Pay(times=times)
            case Amounts(by_currency):
                pays[category] = Pay(amount=by_currency[currency])
            case Percent():
                pass  # of the pool, into which a part of every chip goes
    return _theory(5, pays)


def _theory(cards: int, pays: Mapping[Category, Pay]) -> Theory:
    return Theory(cards, best_hands(cards), pays)
