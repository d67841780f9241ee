"""How far an actual return may stray from what it should be: 1.96 standard deviations either way, which chance leaves once
in twenty times.

All in whole numbers and fractions, the root too, so the same bets give the same band on every machine. The normal curve
behind the 1.96 fits badly as long as the rarest prize has hardly been due: such a band is called rough.
"""

from fractions import Fraction
from math import isqrt
from typing import NamedTuple

from backoffice.rules.returns import Staked, Theory

_DEVIATIONS = Fraction(196, 100)
ENOUGH = 5
"""How often the rarest prize should have been due, for the normal curve to fit."""


class Observed(NamedTuple):
    """What bets came to, added up over observations: hands, or rounds, that fall independently of each other."""

    observations: int
    staked: Staked
    paid: int
    paid_squares: int
    """Each observation's payouts together, squared; summed."""
    paid_stakes: int
    """Each observation's payouts times its stakes, summed."""


class Band(NamedTuple):
    """The middle, and how far it reaches either way, as parts of what was staked."""

    middle: Fraction
    variance: Fraction

    def holds(self, actual: Fraction) -> bool:
        """Whether an actual return lies within."""
        return (actual - self.middle) ** 2 <= self.variance * _DEVIATIONS**2

    @property
    def edges(self) -> tuple[Fraction, Fraction]:
        """The lowest return within, which is not below nothing, and the highest; to the hundredth of a percent."""
        reach = Fraction(_root(self.variance * (_DEVIATIONS * 10_000) ** 2), 10_000)
        return max(Fraction(0), self.middle - reach), self.middle + reach


def band_of_theory(theory: Theory, observed: Observed) -> Band:
    """Where the actual return of so many hands should lie, by the spread that the theory itself gives them."""
    stake = observed.staked.stake
    return Band(theory.expected(observed.staked) / stake, theory.variance(observed.staked) / stake**2)


def band_of_observations(observed: Observed) -> Band | None:
    """Around the actual return, by the spread of the observations themselves; None where two are needed and are not there.

    Payouts are taken for each unit staked: an observation with large stakes weighs more.
    """
    number, staked = observed.observations, observed.staked
    if number < 2:
        return None
    actual = Fraction(observed.paid, staked.stake)
    strayed = observed.paid_squares - 2 * actual * observed.paid_stakes + actual**2 * staked.stake_squares
    return Band(actual, strayed * Fraction(number, number - 1) / staked.stake**2)


def is_rough(theory: Theory, observations: int) -> bool:
    """Whether the rarest hand that pays has been due less than ENOUGH times."""
    return any(theory.ways[hand] * observations < ENOUGH * theory.hands for hand in theory.pays)


def _root(square: Fraction) -> int:
    """The square root, to the nearest whole number."""
    return (isqrt(4 * square.numerator // square.denominator) + 1) // 2
