"""Who takes what out of a pot: the uncalled part, main and side pots, the split and its odd unit, the rake.

Pure, in minor units. Seats come in and go out in their order left of the dealer. Side pots follow common
practice, the sheet being silent (rules/five-card-stud.md).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cache

from backoffice.kernel.hands import HandValue


@dataclass(frozen=True, slots=True)
class Pot:
    """Chips that the same hands can win."""

    amount: int
    contenders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Award:
    """One pot paid out: `shares` and `rake` add up to the pot, `rake_from` to the rake; both by winner."""

    pot: Pot
    rake: int
    shares: Mapping[str, int]
    rake_from: Mapping[str, int]


def uncalled(put: Mapping[str, int]) -> dict[str, int]:
    """What the highest put-in has above the second highest, folded seats counted; by seat, at most one.

    Nobody matched it, so it belongs to no pot: it goes back and is never raked.
    """
    *_, second, highest = sorted([0, 0, *put.values()])
    return {seat: highest - second for seat, amount in put.items() if amount > second}


def form_pots(put: Mapping[str, int], contenders: Sequence[str]) -> tuple[Pot, ...]:
    """The main pot, then the side pots, of what each seat `put` in; `contenders` can still win.

    Chips for which the same hands contend are one pot: no folded or mucked put-in makes a pot of its own.
    """
    back = uncalled(put)
    matched = {seat: amount - back.get(seat, 0) for seat, amount in put.items()}
    pots: list[Pot] = []
    below = 0
    for level in sorted({matched[seat] for seat in contenders}):
        amount = sum(min(chips, level) - min(chips, below) for chips in matched.values())
        pots.append(Pot(amount, tuple(seat for seat in contenders if matched[seat] >= level)))
        below = level
    return tuple(pot for pot in pots if pot.amount)


def award(pot: Pot, hands: Mapping[str, HandValue], rake_percent: str) -> Award:
    """`pot`, less the rake, to the best of its contenders' `hands`; a lone contender needs no hand."""
    winners = _winners(pot, hands)
    rake = rake_of(pot.amount, rake_percent)
    return Award(pot, rake, divide(pot.amount - rake, winners), divide(rake, winners))


def _winners(pot: Pot, hands: Mapping[str, HandValue]) -> tuple[str, ...]:
    if len(pot.contenders) == 1:
        return pot.contenders
    best = max(hands[seat] for seat in pot.contenders)
    return tuple(seat for seat in pot.contenders if hands[seat] == best)


def divide(amount: int, winners: Sequence[str]) -> dict[str, int]:
    """Equal parts; what does not divide goes to the first of `winners`, nearest to the dealer's left."""
    part, odd = divmod(amount, len(winners))
    return {seat: part + odd if seat == winners[0] else part for seat in winners}


def rake_of(amount: int, percent: str) -> int:
    """`percent` (as it was written, "2.5") of `amount`, rounded down to the minor unit."""
    numerator, denominator = _fraction_of(percent)
    return amount * numerator // denominator


@cache
def _fraction_of(percent: str) -> tuple[int, int]:
    return (Fraction(percent) / 100).as_integer_ratio()
