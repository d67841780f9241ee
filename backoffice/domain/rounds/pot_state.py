"""A round of a pot game as it stands: seats, stacks, cards, whose turn it is, what there is to match.

`evolve_pot` never validates; an event that cannot follow crashes.
"""

from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import NamedTuple

from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    AntePosted,
    BetCalled,
    BetCompleted,
    BetMade,
    BetRaised,
    BringInPosted,
    CancellationRequested,
    ChipsPut,
    HandFolded,
    HandMucked,
    HandShown,
    Line,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSuspended,
    SeatChecked,
    SeatTaken,
    StackReturned,
    StreetDealt,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.terms import StudTerms
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money
from backoffice.rules.book import PotBook
from backoffice.rules.books import SHELF
from backoffice.rules.stud import clockwise, highest_showing, lowest_card

LAST_STREET = 4


class Hand(StrEnum):
    """What became of a seat's hand."""

    IN = "in"
    FOLDED = "folded"
    SHOWN = "shown"
    MUCKED = "mucked"


class Seat(NamedTuple):
    """A player at the table."""

    wallet: Wallet
    stack: int
    """What is left of it."""
    put: int = 0
    """All that went into the pot."""
    bet: int = 0
    """The part of it that went in on this street."""
    posted: bool = False
    down: tuple[str, ...] = ()
    up: tuple[str, ...] = ()
    hand: Hand = Hand.IN

    @property
    def contends(self) -> bool:
        """Whether this hand can still win."""
        return self.hand is Hand.IN or self.hand is Hand.SHOWN


class PotRound(NamedTuple):
    """A round of Five Card Stud. `seats` are in their order left of the dealer."""

    opened: RoundOpened
    book: PotBook
    stud: StudTerms
    phase: Phase = Phase.SEATING
    suspended: bool = False
    seats: Mapping[str, Seat] = MappingProxyType({})
    street: int = 0
    to_act: tuple[str, ...] = ()
    """Who has yet to act on this street, in order; at the showdown, who has yet to show or muck."""
    acted: tuple[str, ...] = ()
    """Who acted on this street, in order, once for every action."""
    to_match: int = 0
    """The highest bet of this street."""
    step: int = 0
    """The largest bet or raise of this street, in chips; the bring-in is none."""
    bets: int = 0
    """How many bets and raises this street has seen; the bring-in is none."""
    settled: PotSettled | None = None
    """Its newest result by the rules."""
    reversal: RoundReversed | None = None
    """Its newest reversal."""

    @property
    def in_play(self) -> tuple[str, ...]:
        """The seats that have not folded (nor mucked)."""
        return tuple(name for name, seat in self.seats.items() if seat.contends)

    @property
    def result_number(self) -> int:
        """The number of the result that settling would have."""
        return 1 if self.reversal is None else self.reversal.number + 1

    @property
    def unit(self) -> int:
        """The limit of this street: small, then big."""
        return self.stud.small if self.street < self.book.big_from_round else self.stud.big

    @property
    def bring_in_due(self) -> bool:
        """Whether the seat whose turn it is must bring in: nobody can act before it on the first street."""
        return self.street == 1 and not self.acted

    @property
    def incomplete(self) -> bool:
        """Whether the bring-in, posted or due, is not yet completed to a bet."""
        return self.street == 1 and not self.bets


def start_pot(opened: RoundOpened) -> PotRound:
    """A round of a pot game just opened. A table without stud terms or with a house game's book crashes."""
    book, stud = SHELF[opened.terms.ruleset], opened.terms.stud
    if not isinstance(book, PotBook) or stud is None:
        raise TypeError(f"{opened.table} does not play a pot game: {book.id}")
    return PotRound(opened, book, stud)


def refund_pot(state: PotRound) -> RoundCancelled:
    """The cancellation carried out: every chip goes back to the seat that put it in, the stacks too."""
    lines = (
        Line(name, *seat.wallet, "pot", seat.put, "refund", seat.put, "the round is cancelled")
        for name, seat in state.seats.items()
        if seat.put
    )
    return RoundCancelled(round=state.opened.round, lines=tuple(lines), stacks=stacks_left(state))


def stacks_left(state: PotRound) -> tuple[StackReturned, ...]:
    """What is left of each stack; a seat with nothing left has no entry."""
    return tuple(
        StackReturned(name, seat.wallet.casino, seat.wallet.player, Money(seat.stack, seat.wallet.currency))
        for name, seat in state.seats.items()
        if seat.stack
    )


def evolve_pot(state: PotRound, event: Event) -> PotRound:  # noqa: C901, PLR0912 - one flat match
    """`state` after `event`."""
    match event:
        case BetCalled() | BringInPosted():
            return _next_turn(_chips_put(state, event))
        case BetMade() | BetRaised() | BetCompleted():
            return _next_turn(_increased(state, event))
        case SeatChecked():
            return _next_turn(_acted(state, event.seat, state.seats[event.seat]))
        case HandFolded():
            return _next_turn(_with_hand(state, event.seat, Hand.FOLDED))
        case StreetDealt():
            return _next_turn(_dealt(state, event))
        case HandShown():
            return _with_hand(state, event.seat, Hand.SHOWN)
        case HandMucked():
            return _with_hand(state, event.seat, Hand.MUCKED)
        case SeatTaken():
            return _seated(state, event)
        case AntePosted():
            return _ante_posted(state, event)
        case RoundSuspended():
            return state._replace(suspended=True)
        case RoundResumed():
            return state._replace(suspended=False)
        case PotSettled():
            return state._replace(phase=Phase.SETTLED, settled=event)
        case CancellationRequested():
            return state._replace(phase=Phase.CANCELLING, suspended=False)
        case RoundCancelled():
            return state._replace(phase=Phase.CANCELLED)
        case RoundReversed():
            return state._replace(phase=Phase.REVERSED, reversal=event)
        case RoundCorrected():
            return _corrected(state, event)
        case _:
            raise TypeError(f"{event!r} is no fact of a pot game")


def _seated(state: PotRound, event: SeatTaken) -> PotRound:
    taken = {**state.seats, event.seat: Seat(event.wallet, event.stack.minor)}
    return state._replace(seats={name: taken[name] for name in sorted(taken, key=int)})


def _ante_posted(state: PotRound, event: AntePosted) -> PotRound:
    seat = state.seats[event.seat]
    posted = seat._replace(stack=seat.stack - event.amount, put=seat.put + event.amount, posted=True)
    return state._replace(seats={**state.seats, event.seat: posted})


def _dealt(state: PotRound, event: StreetDealt) -> PotRound:
    seats = {name: _with_cards(name, seat, event) for name, seat in state.seats.items()}
    hands = {name: seat for name, seat in seats.items() if seat.contends}
    return state._replace(
        phase=Phase.PLAYING,
        seats=seats,
        street=event.street,
        to_act=tuple(name for name in clockwise(hands, _first(hands, event.street)) if seats[name].stack),
        acted=(),
        to_match=0,
        step=0,
        bets=0,
    )


def _with_cards(name: str, seat: Seat, event: StreetDealt) -> Seat:
    down, up = event.down.get(name), event.up.get(name)
    return seat._replace(
        bet=0, down=(*seat.down, down) if down else seat.down, up=(*seat.up, up) if up else seat.up
    )


def _first(hands: Mapping[str, Seat], street: int) -> str:
    """Who begins: the lowest card, later the highest showing hand; where it is all-in, the next clockwise."""
    if street == 1:
        return lowest_card({name: seat.up[0] for name, seat in hands.items()})
    return highest_showing({name: seat.up for name, seat in hands.items()})


def _corrected(state: PotRound, event: RoundCorrected) -> PotRound:
    """At the end of the showdown, with the right cards; what was left of the stacks is in the wallets already."""
    seats = {name: _with_hole_and_open(seat, event.hands[name]) for name, seat in state.seats.items()}
    return state._replace(phase=Phase.SHOWDOWN, to_act=(), seats=seats)


def _with_hole_and_open(seat: Seat, cards: tuple[str, ...]) -> Seat:
    hidden = len(seat.down)
    return seat._replace(stack=0, down=cards[:hidden], up=cards[hidden:])


def _chips_put(state: PotRound, event: ChipsPut) -> PotRound:
    seat = state.seats[event.seat]
    bet = seat.bet + event.amount
    paid = seat._replace(stack=seat.stack - event.amount, put=seat.put + event.amount, bet=bet)
    return _acted(state, event.seat, paid, max(state.to_match, bet))


def _increased(state: PotRound, event: ChipsPut) -> PotRound:
    """A bet, a completion or a raise: everyone else who can is to act again."""
    paid = _chips_put(state, event)
    others = clockwise(paid.in_play, event.seat)[1:]
    return paid._replace(
        to_act=tuple(name for name in others if paid.seats[name].stack),
        step=max(state.step, paid.to_match - state.to_match),
        bets=state.bets + 1,
    )


def _with_hand(state: PotRound, name: str, hand: Hand) -> PotRound:
    return _acted(state, name, state.seats[name]._replace(hand=hand))


def _acted(state: PotRound, name: str, seat: Seat, to_match: int | None = None) -> PotRound:
    """`name`, as it is now, acted in its turn."""
    if state.to_act[0] != name:
        raise ValueError(f"{state.opened.round}: seat {name} acted in seat {state.to_act[0]}'s turn")
    return state._replace(
        seats={**state.seats, name: seat},
        to_act=state.to_act[1:],
        acted=(*state.acted, name),
        to_match=state.to_match if to_match is None else to_match,
    )


def _next_turn(state: PotRound) -> PotRound:
    """Close the betting where nobody is left to bet against; after the last street comes the showdown."""
    hands = state.in_play
    if len(hands) == 1:
        return state._replace(phase=Phase.SHOWDOWN, to_act=())
    to_act = () if _nobody_to_bet_against(state, hands) else state.to_act
    if state.street == LAST_STREET and not to_act:
        return state._replace(phase=Phase.SHOWDOWN, to_act=clockwise(hands, _shows_first(state, hands)))
    return state if to_act is state.to_act else state._replace(to_act=to_act)


def _nobody_to_bet_against(state: PotRound, hands: tuple[str, ...]) -> bool:
    """At most one seat has chips left, and it owes nothing: a bet of its could not be called."""
    able = [name for name in hands if state.seats[name].stack]
    return not able or (len(able) == 1 and state.seats[able[0]].bet >= state.to_match)


def _shows_first(state: PotRound, hands: tuple[str, ...]) -> str:
    """Who acted last on the last street, among those still in; where nobody did, the dealer's left."""
    return next((name for name in reversed(state.acted) if name in hands), hands[0])
