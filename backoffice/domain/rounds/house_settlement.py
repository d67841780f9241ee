"""Settling a house-banked round, refunding a cancelled one, and what its marked hands claim from the jackpot."""

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache

from backoffice.domain.claims import Award, Claim, Entitlement
from backoffice.domain.event import Event
from backoffice.domain.rounds.commands import Settle
from backoffice.domain.rounds.discrepancies import discrepancies
from backoffice.domain.rounds.events import Line, RoundCancelled, RoundSettled, Withdrawal
from backoffice.domain.rounds.house_state import HouseRound, HouseSeat, Stake
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.kernel.hands import Category
from backoffice.kernel.money import Money
from backoffice.rules.book import FixedBonus, HouseBook, JackpotPrize
from backoffice.rules.books import SHELF
from backoffice.rules.prizes import jackpot_claim, jackpot_hand
from backoffice.rules.settlement import Bet, Box, Dealer, Decision, PayLine, settle_box

Won = tuple[Category, JackpotPrize]
_HOUSE_BETS: tuple[Bet, ...] = ("ante", "call", "bonus", "jackpot", "exchange")


def settle_house(state: HouseRound, command: Settle, around: Surroundings) -> list[Event]:
    """Every line of the round by the rules, the jackpot's facts with it, and where the table's claims differ."""
    book = _book_of(state)
    dealer = Dealer.of(book, state.dealer, state.up)
    boxes = {name: state.box(name) for name in state.seats}
    marks = {name: mark for name, seat in state.seats.items() if (mark := seat.mark) is not None}
    won = _claims_won(book, {name: boxes[name] for name in marks}, dealer)
    award = _award(state, won, around)
    lines: list[Line] = []
    for name, box in boxes.items():
        seat = state.seats[name]
        cap = state.opened.terms.max_payout.get(seat.wallet.currency)
        lines += [_line(name, seat, paid) for paid in settle_box(book, box, dealer, cap)]
        if name in marks:
            lines.append(_jackpot_line(name, seat, marks[name], won.get(name), award))
    differing = discrepancies(command.payouts, lines)
    settled = RoundSettled(
        round=state.opened.round, lines=tuple(lines), discrepancies=differing, number=state.result_number
    )
    return [settled, *award.facts]


def refund_house(state: HouseRound) -> RoundCancelled:
    """Every stake back to whoever placed it, the chip and the exchange fee included, as it was taken."""
    lines = tuple(
        _line(name, seat, PayLine(bet, minor, "refund", minor, "the round was cancelled"))
        for name, seat in state.seats.items()
        for bet in _HOUSE_BETS
        if (minor := seat.total(bet))
    )
    return RoundCancelled(round=state.opened.round, lines=lines)


def withdraw_marks(state: HouseRound, around: Surroundings) -> tuple[Withdrawal, ...]:
    """Each mark's contribution out of the pool it went to, or out of the house once that pool has been paid."""
    return tuple(
        Withdrawal(
            name,
            seat.wallet.casino,
            seat.wallet.currency,
            mark.contribution,
            around.bearer(mark.cycle, mark.reserved),
            mark.reserved,
        )
        for name, seat in state.seats.items()
        if (mark := seat.mark) is not None
    )


def entitlements(state: HouseRound, around: Surroundings) -> tuple[Entitlement, ...]:
    """The marked hands that would have won, and what, were the round settled now.

    Folded ones too, exchanged and void ones never; announcing plays no part (FORMAT.md, compensation-cases).
    """
    pool = around.pool
    if state.hands is None or pool is None:
        return ()
    won: dict[str, Won] = {}
    for name, seat in state.seats.items():
        hand = state.hand(name)
        if seat.mark is None or hand is None or seat.exchanged or seat.decision is Decision.VOID:
            continue
        if prize := jackpot_hand(state.book, hand):
            won[name] = prize
    worth = pool.worth(_in_mark_order(state, won)) if won else {}
    return tuple(
        Entitlement(
            seat=name,
            casino=state.seats[name].wallet.casino,
            player=state.seats[name].wallet.player,
            hand=category.words,
            cards=state.hand(name) or (),
            suggested=Money(worth[name], state.seats[name].wallet.currency),
        )
        for name, (category, _) in won.items()
    )


def _book_of(state: HouseRound) -> HouseBook:
    """The round's book, with the option its table chose (sheet 001: whether a Bonus prize returns the stake)."""
    return _returning_stake(state.book.id) if state.opened.terms.bonus_returns_stake else state.book


@lru_cache(maxsize=64)
def _returning_stake(ruleset: str) -> HouseBook:
    book = SHELF[ruleset]
    assert isinstance(book, HouseBook)
    assert isinstance(book.bonus, FixedBonus)  # a network file that says so of another book was refused
    return replace(book, bonus=replace(book.bonus, returns_stake=True))


def _claims_won(book: HouseBook, marked: Mapping[str, Box], dealer: Dealer) -> dict[str, Won]:
    return {
        name: claim
        for name, box in marked.items()
        if (claim := jackpot_claim(book, box, dealer_plays=dealer.plays)) is not None
    }


def _award(state: HouseRound, won: Mapping[str, Won], around: Surroundings) -> Award:
    if not won:
        return Award()
    pool = around.pool
    if pool is None:
        raise ValueError(f"round {state.opened.round} has marks and no jackpot")
    return pool.award(state.opened.round, _in_mark_order(state, won), state.result_number)


def _in_mark_order(state: HouseRound, won: Mapping[str, Won]) -> list[Claim]:
    claims = []
    for name, (_, prize) in won.items():
        seat = state.seats[name]
        if (mark := seat.mark) is not None:
            claims.append((mark.order, Claim(name, seat.wallet, mark.minor, prize)))
    return [claim for _, claim in sorted(claims, key=lambda ordered: ordered[0])]


def _line(name: str, seat: HouseSeat, paid: PayLine) -> Line:
    bet, stake, result, payout, rule, odds, _, cut = paid
    return Line(name, *seat.wallet, bet, stake, result, payout, rule, odds, cut)


def _jackpot_line(name: str, seat: HouseSeat, mark: Stake, won: Won | None, award: Award) -> Line:
    return Line(
        name,
        *seat.wallet,
        bet="jackpot",
        stake=mark.minor,
        result="win" if won else "lose",
        payout=award.prizes.get(name, 0),
        rule=f"jackpot prize for {won[0].words}" if won else "no jackpot prize",
        pooled=mark.contribution,
        paid_by="pool" if name in award.from_pool else "house",
    )
