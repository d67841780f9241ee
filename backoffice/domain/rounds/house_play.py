"""From the close to the reveal: cards, decisions, void hands, announcements."""

from dataclasses import replace

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Announce, Call, Deal, Exchange, Fold, Reveal, Timeout, Void
from backoffice.domain.rounds.events import (
    CardExchanged,
    DealerRevealed,
    HandAnnounced,
    HandCalled,
    HandFolded,
    HandsDealt,
    HandVoided,
)
from backoffice.domain.rounds.house_betting import own_seat, taken_seat
from backoffice.domain.rounds.house_state import SHARED, HouseRound, HouseSeat
from backoffice.domain.rounds.surroundings import Surroundings, check_cover
from backoffice.kernel.cards import pretty, repeated
from backoffice.kernel.hands import hand_value
from backoffice.kernel.money import Money, the_money
from backoffice.rules.settlement import Decision


def deal_hands(state: HouseRound, command: Deal, _: Surroundings) -> list[Event]:
    """Five cards to every box (or one hand for all) and the dealer's open card."""
    street_of_a_pot = command.street is not None or command.down is not None
    if command.hands is None or not isinstance(command.up, str) or street_of_a_pot:
        raise Refused("a deal of this game is `hands` and the dealer's open card `up`", "deal")
    expected = {SHARED: None} if state.book.shared_hand else state.seats
    for name in command.hands:
        if name not in expected:
            raise Refused(f"seat {name}: is dealt a hand, but nobody plays there", "deal")
    for name in expected:
        if name not in command.hands:
            raise Refused(f"seat {name}: is dealt no hand", "deal")
    for name, hand in command.hands.items():
        if len(hand) != 5:
            raise Refused(f"seat {name}: is dealt {len(hand)} cards instead of five", "deal")
    _check_new_cards(state, [card for hand in command.hands.values() for card in hand] + [command.up])
    return [HandsDealt(round=state.opened.round, hands=dict(command.hands), up=command.up)]


def exchange_card(state: HouseRound, command: Exchange, around: Surroundings) -> list[Event]:
    """One card changed for a fee equal to the ante; the jackpot is given up for that box (sheet 003)."""
    if not state.book.exchange:
        raise Refused(f"{state.book.id} has no exchange of cards", "exchange")
    seat, who = _undecided(state, command.seat), f"seat {command.seat}"
    if seat.exchanged:
        raise Refused(f"{who}: has already changed its one card", "exchange")
    hand = state.hand(command.seat) or ()
    if command.discard not in hand:
        raise Refused(f"{who}: does not hold {pretty([command.discard])}", "exchange")
    _check_new_cards(state, [command.draw])
    fee = seat.total("ante")
    check_cover(around, seat.wallet, fee, f"{who}: the exchange fee")
    return [
        CardExchanged(
            round=state.opened.round,
            seat=command.seat,
            casino=seat.wallet.casino,
            player=seat.wallet.player,
            stake=Money(fee, seat.wallet.currency),
            discard=command.discard,
            draw=command.draw,
            hand=tuple(command.draw if card == command.discard else card for card in hand),
        )
    ]


def call_hand(state: HouseRound, command: Call, around: Surroundings) -> list[Event]:
    """The call: exactly twice the ante."""
    seat = _undecided(state, command.seat)
    call = 2 * seat.total("ante")
    check_cover(around, seat.wallet, call, f"seat {command.seat}: the call")
    return [_called(state, command.seat, seat, call)]


def fold_hand(state: HouseRound, command: Fold, _: Surroundings) -> list[Event]:
    """The hand given up."""
    _undecided(state, command.seat)
    return [HandFolded(round=state.opened.round, seat=command.seat)]


def time_out(state: HouseRound, command: Timeout, around: Surroundings) -> list[Event]:
    """No decision in time: an automatic call where the book calls such a hand and the balance covers it, else a fold."""
    seat = _undecided(state, command.seat)
    fold = HandFolded(round=state.opened.round, seat=command.seat, automatic=True)
    if not _calls_by_itself(state, command.seat):
        return [fold]
    call = 2 * seat.total("ante")
    try:
        check_cover(around, seat.wallet, call, f"seat {command.seat}: the automatic call")
    except Refused as uncovered:
        return [replace(fold, reason=uncovered.reason)]
    return [_called(state, command.seat, seat, call, automatic=True)]


def void_hand(state: HouseRound, command: Void, _: Surroundings) -> list[Event]:
    """A hand void for breaking the rules; it outweighs a call or a fold."""
    if not state.book.voids_hands:
        raise Refused(f"{state.book.id} has no void hands", "void")
    if own_seat(state, command.seat).decision is Decision.VOID:
        raise Refused(f"seat {command.seat}: the hand is void already", "void")
    return [HandVoided(round=state.opened.round, seat=command.seat, reason=command.reason)]


def announce_hand(state: HouseRound, command: Announce, _: Surroundings) -> list[Event]:
    """A jackpot hand announced; without effect on a seat that cannot win."""
    if state.book.jackpot is None or not state.book.jackpot.must_announce:
        raise Refused(f"{state.book.id} has no announcements", "announce")
    if taken_seat(state, command.seat).announced:
        raise Refused(f"seat {command.seat}: has announced its hand already", "announce")
    return [HandAnnounced(round=state.opened.round, seat=command.seat)]


def reveal_dealer(state: HouseRound, command: Reveal, _: Surroundings) -> list[Event]:
    """The dealer's five cards, the open one among them, once every seat has decided."""
    for name, seat in state.seats.items():
        if seat.decision is None and seat.blind_by is None:
            raise Refused(f"seat {name}: has not decided yet", "reveal")
    if len(command.dealer) != 5:
        raise Refused(f"the dealer shows {len(command.dealer)} cards instead of five", "reveal")
    if state.up not in command.dealer:
        raise Refused(f"the dealer's open card {pretty([state.up])} is not among his five", "reveal")
    closed = list(command.dealer)
    closed.remove(state.up)
    _check_new_cards(state, closed)
    return [DealerRevealed(round=state.opened.round, dealer=command.dealer)]


def _undecided(state: HouseRound, name: str) -> HouseSeat:
    seat = own_seat(state, name)
    if seat.decision is not None:
        raise Refused(f"seat {name}: {_DECIDED[seat.decision]}", "decision")
    return seat


_DECIDED = {
    Decision.CALL: "has called already",
    Decision.FOLD: "has folded already",
    Decision.VOID: "the hand is void",
}


def _called(state: HouseRound, name: str, seat: HouseSeat, call: int, *, automatic: bool = False) -> Event:
    return HandCalled(
        round=state.opened.round,
        seat=name,
        casino=seat.wallet.casino,
        player=seat.wallet.player,
        stake=the_money(call, seat.wallet.currency),
        automatic=automatic,
    )


def _calls_by_itself(state: HouseRound, name: str) -> bool:
    least, hand = state.book.timeout_calls_from, state.hand(name)
    return least is not None and hand is not None and hand_value(hand).category >= least


def _check_new_cards(state: HouseRound, cards: list[str]) -> None:
    twice = repeated(cards) or next((card for card in cards if card in state.seen), None)
    if twice:
        raise Refused(f"{pretty([twice])} is on the table twice: a dealing error", "cards")
