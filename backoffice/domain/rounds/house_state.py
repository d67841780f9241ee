"""A round against the dealer as its facts leave it. `evolve_house` never validates; an impossible fact crashes."""

from collections.abc import Iterable, Mapping
from typing import NamedTuple

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
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSettled,
    RoundSuspended,
    StakeUndone,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.ids import Wallet
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.settlement import Bet, Box, Decision

SHARED = "shared"
"""The name under which the one hand of a shared-hand table is dealt."""


class Stake(NamedTuple):
    """Money on one bet. A mark also has what of it went to which cycle's pool, and its place among the round's marks."""

    bet: Bet
    minor: int
    contribution: int = 0
    cycle: int = 0
    order: int = 0


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
        return sum(stake.minor for stake in self.stakes if stake.bet == bet)

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
        return next((stake for stake in self.stakes if stake.bet == "jackpot"), None)


class HouseRound(NamedTuple):
    """One round of a house-banked game."""

    opened: RoundOpened
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

    @property
    def book(self) -> HouseBook:
        """The book the round was opened under."""
        book = SHELF[self.opened.terms.ruleset]
        assert isinstance(book, HouseBook)
        return book

    def hand(self, seat: str) -> tuple[str, ...] | None:
        """The five cards of a box as they stand, or None before the deal."""
        if self.hands is None:
            return None
        return self.hands[SHARED if self.book.shared_hand else seat]

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
    """The state of a round just opened."""
    return HouseRound(opened, {})


def evolve_house(state: HouseRound, event: Event) -> HouseRound:
    """`state` after `event`."""
    match event:
        case AntePlaced() | BonusPlaced() | JackpotMarked() | BlindPlaced() | CardExchanged() | HandCalled():
            return _stake_taken(state, event)
        case StakeUndone():
            return _undone(state, event)
        case PlayerLeft():
            return state._replace(seats=_without(state.seats, {back.seat for back in event.stakes}))
        case HandFolded():
            return _decided(state, event.seat, Decision.FOLD)
        case HandVoided():
            return _decided(state, event.seat, Decision.VOID)
        case HandAnnounced():
            return _seat(state, event.seat, state.seats[event.seat]._replace(announced=True))
        case HandsDealt():
            seen = frozenset(card for hand in event.hands.values() for card in hand) | {event.up}
            return state._replace(phase=Phase.DEALT, hands=event.hands, up=event.up, seen=seen)
        case DealerRevealed():
            return state._replace(
                phase=Phase.REVEALED, dealer=event.dealer, seen=state.seen.union(event.dealer)
            )
        case _:
            return _phase_changed(state, event)


def _phase_changed(state: HouseRound, event: Event) -> HouseRound:
    match event:
        case BettingClosed():
            return state._replace(phase=Phase.CLOSED)
        case RoundSettled():
            return state._replace(phase=Phase.SETTLED, settled=event)
        case RoundSuspended():
            return state._replace(suspended=True)
        case RoundResumed():
            return state._replace(suspended=False)
        case CancellationRequested():
            return state._replace(phase=Phase.CANCELLING, entitlements=event.entitlements)
        case RoundCancelled():
            return state._replace(phase=Phase.CANCELLED)
        case RoundReversed():
            return state._replace(phase=Phase.REVERSED)
        case _:
            raise TypeError(f"{event!r} is no fact of a house-banked round")


def _stake_taken(
    state: HouseRound,
    event: AntePlaced | BonusPlaced | JackpotMarked | BlindPlaced | CardExchanged | HandCalled,
) -> HouseRound:
    match event:
        case AntePlaced():
            seat = state.seats.get(event.seat) or HouseSeat(event.wallet)
            return _placed(state, event.seat, seat, Stake("ante", event.stake.minor))
        case BonusPlaced():
            return _placed(state, event.seat, state.seats[event.seat], Stake("bonus", event.stake.minor))
        case JackpotMarked():
            chip = Stake("jackpot", event.stake.minor, event.contribution, event.cycle, state.marks)
            return _placed(state, event.seat, state.seats[event.seat], chip)
        case BlindPlaced():
            return _blind_placed(state, event)
        case HandCalled():
            called = _decided(state, event.seat, Decision.CALL)
            return _placed(called, event.seat, called.seats[event.seat], Stake("call", event.stake.minor))
        case CardExchanged():
            return _exchanged(state, event)


def _blind_placed(state: HouseRound, event: BlindPlaced) -> HouseRound:
    stakes = [Stake("ante", event.stake.minor), Stake("call", event.call)]
    if event.chip:
        stakes.append(Stake("jackpot", event.chip, event.contribution, event.cycle, state.marks))
    seat = HouseSeat(event.wallet, blind_by=event.by)
    return _placed(state, event.seat, seat, *stakes)


def _exchanged(state: HouseRound, event: CardExchanged) -> HouseRound:
    assert state.hands is not None
    hand = tuple(event.draw if card == event.discard else card for card in state.hands[event.seat])
    dealt = state._replace(hands={**state.hands, event.seat: hand}, seen=state.seen | {event.draw})
    seat = dealt.seats[event.seat]._replace(exchanged=True)
    return _placed(dealt, event.seat, seat, Stake("exchange", event.stake.minor))


def _placed(state: HouseRound, name: str, seat: HouseSeat, *stakes: Stake) -> HouseRound:
    marks = state.marks + sum(stake.bet == "jackpot" for stake in stakes)
    placed = seat._replace(placed=(*seat.placed, stakes))
    return state._replace(marks=marks, seats={**state.seats, name: placed})


def _undone(state: HouseRound, event: StakeUndone) -> HouseRound:
    seat = state.seats[event.seat]
    if len(seat.placed) == 1:
        return state._replace(seats=_without(state.seats, {event.seat}))
    return _seat(state, event.seat, seat._replace(placed=seat.placed[:-1]))


def _decided(state: HouseRound, name: str, decision: Decision) -> HouseRound:
    return _seat(state, name, state.seats[name]._replace(decision=decision))


def _seat(state: HouseRound, name: str, seat: HouseSeat) -> HouseRound:
    return state._replace(seats={**state.seats, name: seat})


def _without(seats: Mapping[str, HouseSeat], names: set[str]) -> dict[str, HouseSeat]:
    return {name: seat for name, seat in seats.items() if name not in names}
