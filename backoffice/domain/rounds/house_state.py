"""A round against the dealer as its facts leave it. `evolve_house` never validates; an impossible fact crashes."""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

from backoffice.domain.claims import Entitlement
from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    AntePlaced,
    BettingClosed,
    BlindPlaced,
    BonusPlaced,
    CancellationRequested,
    CardExchanged,
    DealerRevealed,
    HandAnnounced,
    HandCalled,
    HandFolded,
    HandsDealt,
    HandVoided,
    JackpotMarked,
    PlayerLeft,
    RoundCancelled,
    RoundCorrected,
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSettled,
    RoundSuspended,
    StakeUndone,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.ids import Wallet
from backoffice.kernel.values import packing
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.settlement import Bet, Box, Decision

SHARED = "shared"
"""The name under which the one hand of a shared-hand table is dealt."""


class Stake(NamedTuple):
    """Money on one bet. A mark also has what of it went to which cycle's pool, its place among the round's marks, and
    what of the pool's part is in the reserve."""

    bet: Bet
    minor: int
    contribution: int = 0
    cycle: int = 0
    order: int = 0
    reserved: int = 0


class HouseSeat(NamedTuple):
    """A box: who plays it, what was placed on it action by action, and what became of its hand."""

    wallet: Wallet
    placed: tuple[tuple[Stake, ...], ...] = ()
    blind_by: str | None = None
    decision: Decision | None = None
    exchanged: bool = False
    announced: bool = False

    @property
    def stakes(self) -> Iterable[Stake]:
        """Every stake on this box, oldest first."""
        return (stake for action in self.placed for stake in action)

    def total(self, bet: Bet) -> int:
        """What stands on one bet, in minor units."""
        return sum([stake.minor for action in self.placed for stake in action if stake.bet == bet])

    def totals(self) -> dict[Bet, int]:
        """What stands on each bet that has anything, in minor units."""
        totals: dict[Bet, int] = {}
        for action in self.placed:
            for stake in action:
                totals[stake.bet] = totals.get(stake.bet, 0) + stake.minor
        return totals

    @property
    def mark(self) -> Stake | None:
        """The jackpot chip, if the box is marked."""
        for action in self.placed:
            for stake in action:
                if stake.bet == "jackpot":
                    return stake
        return None


class HouseRound(NamedTuple):
    """One round of a house-banked game."""

    opened: RoundOpened
    book: HouseBook
    """The book the round was opened under."""
    seats: Mapping[str, HouseSeat]
    phase: Phase = Phase.BETTING
    suspended: bool = False
    marks: int = 0
    """How many marks were ever recorded: the next one's place in the order."""
    hands: Mapping[str, tuple[str, ...]] | None = None
    seen: frozenset[str] = frozenset()
    """Every card that has left the deck."""
    up: str = ""
    dealer: tuple[str, ...] = ()
    entitlements: tuple[Entitlement, ...] = ()
    """Once cancelled: the hands a person must decide about."""
    settled: RoundSettled | None = None
    """Its newest result by the rules."""
    reversal: RoundReversed | None = None
    """Its newest reversal."""

    def hand(self, seat: str) -> tuple[str, ...] | None:
        """The five cards of a box as they stand, or None before the deal."""
        if self.hands is None:
            return None
        return self.hands[SHARED if self.book.shared_hand else seat]

    @property
    def discarded(self) -> frozenset[str]:
        """What was exchanged away: seen, and in nobody's hand."""
        held = {card for hand in (self.hands or {}).values() for card in hand}
        return self.seen - held - {*self.dealer, self.up}

    @property
    def result_number(self) -> int:
        """The number of the result that settling would have."""
        return 1 if self.reversal is None else self.reversal.number + 1

    def box(self, name: str) -> Box:
        """A box as the rules settle it; a blind box calls by itself."""
        seat, cards = self.seats[name], self.hand(name)
        if cards is None or (seat.decision is None and not seat.blind_by):
            raise ValueError(f"seat {name} of round {self.opened.round} is not ready to be settled")
        totals = seat.totals()
        return Box(
            ante=totals["ante"],
            cards=cards,
            decision=seat.decision or Decision.CALL,
            call=totals.get("call", 0),
            bonus=totals.get("bonus", 0),
            fee=totals.get("exchange", 0),
            blind=seat.blind_by is not None,
            exchanged=seat.exchanged,
            announced=seat.announced,
        )

    def blind_boxes(self, by: str) -> list[str]:
        """The boxes that the player of seat `by` plays blind."""
        return [name for name, seat in self.seats.items() if seat.blind_by == by]


def start_house(opened: RoundOpened) -> HouseRound:
    """The state of a round just opened. A table with a pot game's book crashes."""
    book = SHELF[opened.terms.ruleset]
    assert isinstance(book, HouseBook)
    return HouseRound(opened, book, {})


def evolve_house(state: HouseRound, event: Event) -> HouseRound:
    """`state` after `event`. Never validates; a fact of another game crashes."""
    return _EVOLVE[type(event)](state, event)


def _ante_placed(state: HouseRound, event: AntePlaced) -> HouseRound:
    seat = state.seats.get(event.seat) or HouseSeat(event.wallet)
    return _placed(state, event.seat, seat, Stake("ante", event.stake.minor))


def _bonus_placed(state: HouseRound, event: BonusPlaced) -> HouseRound:
    return _placed(state, event.seat, state.seats[event.seat], Stake("bonus", event.stake.minor))


def _marked(state: HouseRound, event: JackpotMarked) -> HouseRound:
    chip = Stake("jackpot", event.stake.minor, event.contribution, event.cycle, state.marks, event.reserved)
    seat = _with_stakes(state.seats[event.seat], chip)
    return state._replace(seats={**state.seats, event.seat: seat}, marks=state.marks + 1)


def _called(state: HouseRound, event: HandCalled) -> HouseRound:
    seat = _with_stakes(state.seats[event.seat], Stake("call", event.stake.minor))
    return _seat(state, event.seat, _decided(seat, Decision.CALL))


def _blind_placed(state: HouseRound, event: BlindPlaced) -> HouseRound:
    stakes = [Stake("ante", event.stake.minor), Stake("call", event.call)]
    if event.chip:
        stakes.append(
            Stake("jackpot", event.chip, event.contribution, event.cycle, state.marks, event.reserved)
        )
    seat = HouseSeat(event.wallet, blind_by=event.by)
    marks = state.marks + bool(event.chip)
    seats = {**state.seats, event.seat: _with_stakes(seat, *stakes)}
    return state._replace(seats=seats, marks=marks)


def _exchanged(state: HouseRound, event: CardExchanged) -> HouseRound:
    assert state.hands is not None
    hand = tuple(event.draw if card == event.discard else card for card in state.hands[event.seat])
    dealt = state._replace(hands={**state.hands, event.seat: hand}, seen=state.seen | {event.draw})
    seat = dealt.seats[event.seat]._replace(exchanged=True)
    return _placed(dealt, event.seat, seat, Stake("exchange", event.stake.minor))


def _placed(state: HouseRound, name: str, seat: HouseSeat, *stakes: Stake) -> HouseRound:
    return _seat(state, name, _with_stakes(seat, *stakes))


# The next two and `_seat` are what most facts do: a fourth of the price of `_replace`.
_as_seat, _as_round = packing(HouseSeat), packing(HouseRound)


def _with_stakes(seat: HouseSeat, *stakes: Stake) -> HouseSeat:
    return _as_seat((seat.wallet, (*seat.placed, stakes), *seat[2:]))


def _decided(seat: HouseSeat, decision: Decision) -> HouseSeat:
    return _as_seat((*seat[:3], decision, *seat[4:]))


def _undone(state: HouseRound, event: StakeUndone) -> HouseRound:
    seat = state.seats[event.seat]
    if len(seat.placed) == 1:
        return state._replace(seats=_without(state.seats, {event.seat}))
    return _seat(state, event.seat, seat._replace(placed=seat.placed[:-1]))


def _left(state: HouseRound, event: PlayerLeft) -> HouseRound:
    return state._replace(seats=_without(state.seats, {back.seat for back in event.stakes}))


def _folded(state: HouseRound, event: HandFolded) -> HouseRound:
    return _seat(state, event.seat, _decided(state.seats[event.seat], Decision.FOLD))


def _voided(state: HouseRound, event: HandVoided) -> HouseRound:
    return _seat(state, event.seat, _decided(state.seats[event.seat], Decision.VOID))


def _announced(state: HouseRound, event: HandAnnounced) -> HouseRound:
    return _seat(state, event.seat, state.seats[event.seat]._replace(announced=True))


def _dealt(state: HouseRound, event: HandsDealt) -> HouseRound:
    seen = frozenset(card for hand in event.hands.values() for card in hand) | {event.up}
    return state._replace(phase=Phase.DEALT, hands=event.hands, up=event.up, seen=seen)


def _revealed(state: HouseRound, event: DealerRevealed) -> HouseRound:
    return state._replace(phase=Phase.REVEALED, dealer=event.dealer, seen=state.seen.union(event.dealer))


def _corrected(state: HouseRound, event: RoundCorrected) -> HouseRound:
    """As it was revealed, with the right cards. What an exchange took out of play stays out."""
    pooled = {back.seat for back in event.stakes if back.contribution and back.borne_by == "pool"}
    seats = {
        name: _in_cycle(seat, event.cycle) if name in pooled else seat for name, seat in state.seats.items()
    }
    cards = {card for hand in event.hands.values() for card in hand}.union(event.dealer)
    return state._replace(
        phase=Phase.REVEALED,
        seats=seats,
        hands=event.hands,
        dealer=event.dealer,
        up=event.up,
        seen=state.discarded | cards,
    )


def _in_cycle(seat: HouseSeat, cycle: int) -> HouseSeat:
    """The seat with its mark in another pool."""
    placed = tuple(
        tuple(stake._replace(cycle=cycle) if stake.bet == "jackpot" else stake for stake in action)
        for action in seat.placed
    )
    return seat._replace(placed=placed)


def _seat(state: HouseRound, name: str, seat: HouseSeat) -> HouseRound:
    return _as_round((*state[:2], {**state.seats, name: seat}, *state[3:]))


def _without(seats: Mapping[str, HouseSeat], names: set[str]) -> dict[str, HouseSeat]:
    return {name: seat for name, seat in seats.items() if name not in names}


_EVOLVE: dict[type[Event], Callable[[HouseRound, Any], HouseRound]] = {
    AntePlaced: _ante_placed,
    BonusPlaced: _bonus_placed,
    JackpotMarked: _marked,
    BlindPlaced: _blind_placed,
    StakeUndone: _undone,
    PlayerLeft: _left,
    BettingClosed: lambda state, _: state._replace(phase=Phase.CLOSED),
    HandsDealt: _dealt,
    CardExchanged: _exchanged,
    HandCalled: _called,
    HandFolded: _folded,
    HandVoided: _voided,
    HandAnnounced: _announced,
    DealerRevealed: _revealed,
    RoundSettled: lambda state, event: state._replace(phase=Phase.SETTLED, settled=event),
    RoundSuspended: lambda state, _: state._replace(suspended=True),
    RoundResumed: lambda state, _: state._replace(suspended=False),
    CancellationRequested: lambda state, event: state._replace(
        phase=Phase.CANCELLING, suspended=False, entitlements=event.entitlements
    ),
    RoundCancelled: lambda state, _: state._replace(phase=Phase.CANCELLED),
    RoundReversed: lambda state, event: state._replace(phase=Phase.REVERSED, reversal=event),
    RoundCorrected: _corrected,
}
"""Every fact of a game against the dealer, and what it does to the round."""
