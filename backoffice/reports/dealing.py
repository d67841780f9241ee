"""Whether cards fall as they should, by table: how often each card is dealt, and whether hands come again.

Card frequency: cards of one deal exclude each other, so a deal of k cards strays less than k single ones. With O the
times a card was dealt and E = (sum of k) / 52, the sum of (O - E)^2 over the cards, times 52 * 51 / (sum of k (52 - k)),
is a chi-square of 51 degrees of freedom. Repeated hands: two hands of different rounds are the same five cards once in
2,598,960 times, so pairs of equal ones come as a Poisson number. As many tables are looked at together, chances are made
larger by Holm's method before one is flagged. All of these are floats: chances, never money.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import comb

from backoffice.kernel.cards import DECK
from backoffice.reports.chance import chi_square_tail, poisson_tail

ENOUGH = 5
"""How often each card must be due for a chi-square to be one."""
_HANDS = comb(len(DECK), 5)


@dataclass(frozen=True, slots=True)
class Frequency:
    """How often each card was dealt, and the deals: the sums of their numbers of cards k and of k (52 - k)."""

    dealt: Mapping[str, int]
    cards: int
    spread: int

    @property
    def statistic(self) -> Fraction | None:
        """The chi-square; None where it would be none yet."""
        if self.cards < ENOUGH * len(DECK) or not self.spread:
            return None
        strayed = sum(Fraction(self.dealt.get(card, 0) - self.expected) ** 2 for card in DECK)
        return Fraction(strayed * len(DECK) * (len(DECK) - 1), self.spread)

    @property
    def expected(self) -> Fraction:
        """How often each card was due."""
        return Fraction(self.cards, len(DECK))

    @property
    def chance(self) -> float | None:
        """Of cards straying so far, or farther, by chance."""
        statistic = self.statistic
        return None if statistic is None else chi_square_tail(float(statistic), len(DECK) - 1)

    @property
    def farthest(self) -> str:
        """The card that strayed most."""
        return max(DECK, key=lambda card: abs(self.dealt.get(card, 0) - self.expected))


@dataclass(frozen=True, slots=True)
class Repeats:
    """Hands of five, pairs of hands that lay in one round (and cannot be equal), and how often each repeated one came."""

    hands: int
    pairs_of_one_round: int
    times: Sequence[int]

    @property
    def pairs(self) -> int:
        """Pairs of equal hands."""
        return sum(comb(times, 2) for times in self.times)

    @property
    def expected(self) -> Fraction:
        """Pairs of equal hands that are due."""
        return Fraction(comb(self.hands, 2) - self.pairs_of_one_round, _HANDS)

    @property
    def chance(self) -> float:
        """Of so many pairs, or more, by chance."""
        return poisson_tail(self.pairs, float(self.expected))
