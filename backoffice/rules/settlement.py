"""What each bet of one box pays against the dealer: pure, box by box, by the book's numbers.

Amounts are whole minor units of the box's own currency. The jackpot line is not made here: what a marked hand may
claim is in `prizes.py`, what a pool pays for it is the jackpot's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Literal, NamedTuple

from backoffice.kernel.hands import HandValue, best_value, hand_value
from backoffice.rules.book import FixedBonus, HouseBook, OddsBonus, qualifies

Bet = Literal["ante", "call", "bonus", "jackpot", "exchange", "pot"]
Result = Literal["win", "lose", "push", "refund", "void"]


class Decision(StrEnum):
    """What became of a hand."""

    CALL = "call"
    FOLD = "fold"
    VOID = "void"


class Box(NamedTuple):
    """One hand as it stands at the settling: what was staked on it, its final five cards, and how it was played."""

    ante: int
    cards: tuple[str, ...]
    decision: Decision
    call: int = 0
    bonus: int = 0
    fee: int = 0
    blind: bool = False
    exchanged: bool = False
    announced: bool = False


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dealer's hand, valued once a round."""

    cards: tuple[str, ...]
    open_card: str
    value: HandValue
    plays: bool

    @classmethod
    def of(cls, book: HouseBook, cards: Sequence[str], open_card: str) -> "Dealer":
        """The dealer's five cards, the open one among them, as `book` reads them."""
        value = hand_value(cards)
        return cls(tuple(cards), open_card, value, qualifies(book.qualifier, value, tuple(cards)))


class PayLine(NamedTuple):
    """One bet settled: what was taken, what goes back (the stake included where it is returned), and by which rule."""

    bet: Bet
    stake: int
    result: Result
    payout: int
    rule: str
    odds: int | None = None
    returned: int = 0
    """How much of the payout is the stake itself coming back; the rest is won."""
    cut: int = 0
    """What the table's maximum payout took off."""

    @property
    def won(self) -> int:
        """What the payout brings beyond a returned stake."""
        return self.payout - self.returned


def settle_box(
    book: HouseBook, box: Box, dealer: Dealer, max_payout: int | None = None
) -> tuple[PayLine, ...]:
    """Every line of one box but the jackpot's: ante, then call, bonus and exchange fee where there are any."""
    value = hand_value(box.cards)
    lines = [*_main_game(book, box, value, dealer)]
    if box.bonus:
        lines.append(_bonus(book, box, value, dealer))
    if box.fee:
        lines.append(PayLine("exchange", box.fee, "lose", 0, "the exchange fee is kept"))
    return _capped(lines, max_payout) if book.capped and max_payout is not None else tuple(lines)


def _main_game(book: HouseBook, box: Box, value: HandValue, dealer: Dealer) -> tuple[PayLine, ...]:
    if box.decision is Decision.VOID:
        return _both(box, "void", "the hand is void")
    if box.decision is Decision.FOLD:
        return (PayLine("ante", box.ante, "lose", 0, "folded"),)
    if not dealer.plays:
        return _dealer_does_not_qualify(book, box, value)
    if value < dealer.value:
        return _both(box, "lose", "the dealer's hand is better")
    if value == dealer.value:
        return _both(box, "push", "a tie with the dealer")
    rule = f"better than the dealer: {value.category.words}"
    return _won("ante", box.ante, 1, rule), _won("call", box.call, book.call_odds[value.category], rule)


def _dealer_does_not_qualify(book: HouseBook, box: Box, value: HandValue) -> tuple[PayLine, PayLine]:
    rule = "the dealer does not qualify"
    ante = (
        _won("ante", box.ante, 1, rule) if book.ante_unqualified == "win" else _back("ante", box.ante, rule)
    )
    odds = book.call_odds_unqualified.get(value.category)
    if odds is None:
        return ante, _back("call", box.call, rule)
    return ante, _won("call", box.call, odds, f"{rule}: {value.category.words}")


def _both(box: Box, result: Literal["lose", "push", "void"], rule: str) -> tuple[PayLine, ...]:
    """Ante and call (where there is one) go the same way."""
    stakes: tuple[tuple[Bet, int], ...] = (("ante", box.ante), ("call", box.call))
    back = result == "push"
    return tuple(
        _back(bet, stake, rule) if back else PayLine(bet, stake, result, 0, rule)
        for bet, stake in stakes
        if stake
    )


def _won(bet: Bet, stake: int, odds: int, rule: str) -> PayLine:
    return PayLine(bet, stake, "win", stake + odds * stake, rule, odds, returned=stake)


def _back(bet: Bet, stake: int, rule: str) -> PayLine:
    return PayLine(bet, stake, "push", stake, rule, returned=stake)


def _bonus(book: HouseBook, box: Box, value: HandValue, dealer: Dealer) -> PayLine:
    if book.fold_loses_bonus and box.decision is not Decision.CALL:
        return PayLine("bonus", box.bonus, "lose", 0, f"the hand is {_GONE[box.decision]}")
    match book.bonus:
        case FixedBonus():
            return _fixed_bonus(book.bonus, box, value)
        case OddsBonus():
            return _odds_bonus(book.bonus, box, best_value((*box.cards, dealer.open_card)))
        case None:
            raise ValueError(f"{book.id} has no Bonus, and yet {box.bonus} is staked on it")


_GONE = {Decision.FOLD: "folded", Decision.VOID: "void"}


def _fixed_bonus(bonus: FixedBonus, box: Box, value: HandValue) -> PayLine:
    prize = bonus.prizes.get(value.category)
    if prize is None:
        return PayLine("bonus", box.bonus, "lose", 0, f"no Bonus for {value.category.words}")
    returned = box.bonus if bonus.returns_stake else 0
    rule = f"Bonus for {value.category.words}"
    return PayLine("bonus", box.bonus, "win", prize + returned, rule, returned=returned)


def _odds_bonus(bonus: OddsBonus, box: Box, best: HandValue) -> PayLine:
    odds = bonus.odds.get(best.category)
    if odds is None:
        return PayLine("bonus", box.bonus, "lose", 0, f"no 5+1 Bonus for {best.category.words}")
    return _won("bonus", box.bonus, odds, f"5+1 Bonus for {best.category.words}")


def _capped(lines: Sequence[PayLine], cap: int) -> tuple[PayLine, ...]:
    """Winnings of bet and Bonus together above `cap` are cut: off the Bonus first, then off the bet."""
    excess = sum(line.won for line in lines if line.bet in _CAPPED_BETS) - cap
    settled: dict[Bet, PayLine] = {line.bet: line for line in lines}
    for bet in _CAPPED_BETS:
        if excess > 0 and bet in settled:
            cut = min(excess, settled[bet].won)
            settled[bet] = settled[bet]._replace(payout=settled[bet].payout - cut, cut=cut)
            excess -= cut
    return tuple(settled.values())


_CAPPED_BETS: tuple[Bet, ...] = ("bonus", "call")
