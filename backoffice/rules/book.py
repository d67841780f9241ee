"""What a rulebook is made of. A book is data: two operators who differ in a number differ here and nowhere else."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Literal

from backoffice.kernel.cards import RANK_OF
from backoffice.kernel.hands import Category, HandValue

Odds = Mapping[Category, int]


class Qualifier(StrEnum):
    """The lowest hand with which the dealer plays."""

    ACE_KING = "ace-king or better"
    ACE_OR_KING_HIGH = "ace or king high, or better"


def qualifies(qualifier: Qualifier, value: HandValue, cards: tuple[str, ...]) -> bool:
    """Whether the dealer's hand plays. Lowest ace-king hand: A-K-4-3-2; highest that does not qualify: A-Q-J-10-9."""
    if value.category > Category.HIGH_CARD:
        return True
    ranks = {RANK_OF[card] for card in cards}
    if qualifier is Qualifier.ACE_KING:
        return {14, 13} <= ranks
    return bool({14, 13} & ranks)


@dataclass(frozen=True, slots=True)
class OddsBonus:
    """A side bet of any amount within the table's limits, paid n : 1 on the best of the hand and the dealer's open card."""

    odds: Odds


@dataclass(frozen=True, slots=True)
class FixedBonus:
    """A side bet of one exact stake, paid in fixed amounts (minor units by category) of one currency."""

    currency: str
    stake: int
    prizes: Mapping[Category, int]
    returns_stake: bool = False


@dataclass(frozen=True, slots=True)
class Percent:
    """A prize that is a percentage of the pool; 100 empties it."""

    percent: int


@dataclass(frozen=True, slots=True)
class Chips:
    """A prize of n times the chip that marked the jackpot, in the chip's own currency."""

    times: int


@dataclass(frozen=True, slots=True)
class Amounts:
    """A prize of a fixed sum, in minor units by currency."""

    by_currency: Mapping[str, int]


JackpotPrize = Percent | Chips | Amounts


@dataclass(frozen=True, slots=True)
class JackpotTable:
    """What a marked hand wins. `must_announce`: no prize without a word where nobody would turn the hand over anyway."""

    prizes: Mapping[Category, JackpotPrize]
    must_announce: bool = False

    def lacks(self, currency: str) -> list[Category]:
        """The hands for which this table has no prize in `currency`."""
        return [
            category
            for category, prize in self.prizes.items()
            if isinstance(prize, Amounts) and currency not in prize.by_currency
        ]


@dataclass(frozen=True, slots=True)
class HouseBook:
    """A game of seats against the dealer. See the module of each book for the sheet's own words."""

    id: str
    sheet: str
    seats: int | None
    """How many boxes there are, "1" to this number; None: any names, unlimited."""
    shared_hand: bool
    """One hand of five cards for everyone, instead of one for each box."""
    qualifier: Qualifier
    ante_unqualified: Literal["win", "push"]
    """What the ante does when the dealer does not qualify."""
    call_odds: Odds
    call_odds_unqualified: Odds = field(default_factory=dict)
    """What a call wins although the dealer does not qualify; a hand not listed gets it back."""
    bonus: OddsBonus | FixedBonus | None = None
    fold_loses_bonus: bool = False
    jackpot: JackpotTable | None = None
    timeout_calls_from: Category | None = None
    """A time-out calls by itself from this hand on; anything less (or None) folds."""
    exchange: bool = False
    blind_boxes: int = 0
    """How many vacant boxes a seated player may play blind."""
    voids_hands: bool = False
    capped: bool = False
    """Winnings of bet and Bonus together are paid up to the table's maximum payout a player."""
    return_percent_over_100: bool = False
    """The book as printed returns more than it takes: every report of it says so."""


@dataclass(frozen=True, slots=True)
class PotBook:
    """A game of players against each other for a pot, fixed limit."""

    id: str
    sheet: str
    seats: int
    raises: int = 3
    """Raises a round after the one bet."""
    open_pair_round: int = 2
    """The only round in which an open pair allows two units."""
    big_from_round: int = 3
    last_card: Literal["up", "down"] = "up"


Book = HouseBook | PotBook
