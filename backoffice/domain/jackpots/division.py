"""Dividing a whole number of minor units among winners so that the parts sum to it (FORMAT.md, shared jackpot, 4)."""

from collections.abc import Sequence
from fractions import Fraction


def divide_equally(amount: int, parts: int) -> list[int]:
    """`amount` in `parts`: everyone the same, the first ones one unit more until nothing is left."""
    each, left = divmod(amount, parts)
    return [each + 1] * left + [each] * (parts - left)


def divide_by_weight(amount: int, weights: Sequence[Fraction]) -> list[int]:
    """`amount` in proportion to `weights`, by the largest remainder over the exact fractions, ties in order."""
    whole = sum(weights, Fraction())
    exact = [amount * weight / whole for weight in weights]
    floors = [part.numerator // part.denominator for part in exact]
    by_remainder = sorted(range(len(exact)), key=lambda index: floors[index] - exact[index])
    for index in by_remainder[: amount - sum(floors)]:
        floors[index] += 1
    return floors
