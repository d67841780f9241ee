"""How likely it is to see what was seen, or worse, were all as it should be. These are floats: chances, never money."""

from collections.abc import Mapping, Sequence
from itertools import accumulate
from math import exp, lgamma, log
from typing import TypeVar

Test = TypeVar("Test")
_STEPS = 100_000
_SMALL = 1e-300
_ENOUGH = 1e-16


def chi_square_tail(statistic: float, freedom: int) -> float:
    """The chance that a chi-square of so many degrees of freedom is at least `statistic`."""
    return gamma_tails(freedom / 2, statistic / 2)[1]


def poisson_tail(count: int, expected: float) -> float:
    """The chance of `count` or more where `expected` come on average, each by itself."""
    return 1.0 if count == 0 else gamma_tails(count, expected)[0]


def gamma_tails(shape: float, upto: float) -> tuple[float, float]:
    """The regularized lower and upper incomplete gamma functions of `shape` > 0 at `upto` >= 0.

    Whichever is the smaller one is worked out, so that a small chance is as exact as a large one: by its series below
    the mean, by its continued fraction above.
    """
    if upto <= 0:
        return 0.0, 1.0
    scale = exp(shape * log(upto) - upto - lgamma(shape))
    if upto < shape + 1:
        lower = scale * _series(shape, upto)
        return lower, 1 - lower
    upper = scale * _fraction(shape, upto)
    return 1 - upper, upper


def _series(shape: float, upto: float) -> float:
    """1/a + x/a(a+1) + x2/a(a+1)(a+2) + ..., until nothing is added any more."""
    term = total = 1 / shape
    for step in range(1, _STEPS):
        term *= upto / (shape + step)
        total += term
        if term < total * _ENOUGH:
            return total
    raise ArithmeticError(f"no end of the series of {shape} at {upto}")


def _fraction(shape: float, upto: float) -> float:
    """1/(x+1-a- 1(1-a)/(x+3-a- 2(2-a)/(x+5-a- ...))), by Lentz's way of working it out from the front."""
    bottom = upto + 1 - shape
    above, below = 1 / _SMALL, 1 / bottom
    value = below
    for step in range(1, _STEPS):
        numerator = -step * (step - shape)
        bottom += 2
        below = 1 / ((numerator * below + bottom) or _SMALL)
        above = (bottom + numerator / above) or _SMALL
        value *= above * below
        if abs(above * below - 1) < _ENOUGH * 10:
            return value
    raise ArithmeticError(f"no end of the fraction of {shape} at {upto}")


def holm(chances: Mapping[Test, float]) -> dict[Test, float]:
    """Each test's chance, made larger for the tests made beside it (Holm, 1979).

    Flagging those below a level flags anything at all by mistake no more often than that level says, however many tests
    there are and however they hang together.
    """
    rising: Sequence[Test] = sorted(chances, key=chances.__getitem__)
    weighed = (min(1.0, chances[test] * (len(rising) - rank)) for rank, test in enumerate(rising))
    return dict(zip(rising, accumulate(weighed, max), strict=True))
