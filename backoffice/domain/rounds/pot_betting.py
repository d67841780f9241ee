"""The betting of Five Card Stud, fixed limit: who may put how much (rules/five-card-stud.md).

Where the sheet is silent, these readings hold; they are common practice and PokerKit's:

- More than the stack is an all-in for what is left, whatever the word: bring-in, bet, call, raise.
  A raise that does not get past the bet is an all-in call.
- What lies there is what there is to call, also after an all-in for less than the bring-in or the unit.
- An all-in bet or raise counts as one of the one bet and three raises; the next raise adds a whole unit.
- An all-in raise for less opens no new betting: who then owes less than the street's largest bet or raise so
  far, or less than a unit where that was larger, may only call or fold.
- Nobody bets or raises when nobody else still in has chips to call more.
- A raise over the bring-in completes it, also by the seat that brings in. Where the lowest card is all-in
  with its ante, the next seat clockwise that has chips brings in.
- A fold is always possible, except for the seat that must bring in.
- A time-out brings in where that is due, checks where nothing is owed, folds otherwise.
"""

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Bet, BringIn, Call, Check, Complete, Fold, Raise
from backoffice.domain.rounds.events import (
    BetCalled,
    BetCompleted,
    BetMade,
    BetRaised,
    BringInPosted,
    HandFolded,
    SeatChecked,
)
from backoffice.domain.rounds.pot_state import PotRound, Seat
from backoffice.domain.rounds.pot_turn import bettor
from backoffice.kernel.currencies import format_minor
from backoffice.rules.stud import shows_pair


def post_bring_in(state: PotRound, command: BringIn) -> list[Event]:
    """The bring-in, by the seat that must. Raises Refused."""
    seat = bettor(state, command.seat)
    if not state.bring_in_due:
        why = "the bring-in is posted" if state.street == 1 else "there is a bring-in on street 1 only"
        raise Refused(f"seat {command.seat}: {why}", "bring-in")
    return [_bring_in(state, command.seat, seat)]


def complete_bet(state: PotRound, command: Complete) -> list[Event]:
    """The bring-in completed to one small bet. Raises Refused."""
    seat = bettor(state, command.seat)
    if not state.incomplete:
        why = "the bet is complete: raise it" if state.street == 1 else "only the bring-in is completed"
        raise Refused(f"seat {command.seat}: {why}", "bring-in")
    return _completion(state, command.seat, seat)


def check_hand(state: PotRound, command: Check) -> list[Event]:
    """No bet, and still in. Raises Refused where there is something to call."""
    seat = bettor(state, command.seat)
    _check_brought_in(state, command.seat)
    if owed(state, seat):
        raise Refused(f"seat {command.seat} cannot check: {_money(state, owed(state, seat))} to call", "bet")
    return [SeatChecked(round=state.opened.round, seat=command.seat)]


def make_bet(state: PotRound, command: Bet) -> list[Event]:
    """The street's first bet, of one unit or two. Raises Refused."""
    seat = bettor(state, command.seat)
    _check_brought_in(state, command.seat)
    if state.to_match:
        raise Refused(
            f"seat {command.seat} cannot bet: {_money(state, state.to_match)} is bet already", "bet"
        )
    _check_increase(state, command.seat, seat, command.units)
    amount = min(state.unit * command.units, seat.stack)
    return [
        BetMade(
            round=state.opened.round,
            seat=command.seat,
            amount=amount,
            all_in=amount == seat.stack,
            units=command.units,
        )
    ]


def call_bet(state: PotRound, command: Call) -> list[Event]:
    """The bet matched, or as much of it as the stack has. Raises Refused where nothing is owed."""
    seat = bettor(state, command.seat)
    _check_brought_in(state, command.seat)
    if not owed(state, seat):
        raise Refused(f"seat {command.seat} has nothing to call", "bet")
    return _call(state, command.seat, seat)


def raise_bet(state: PotRound, command: Raise) -> list[Event]:
    """The bet raised by one unit or two; over the bring-in, completed. Raises Refused."""
    seat = bettor(state, command.seat)
    if state.incomplete and command.units == 1:
        return _completion(state, command.seat, seat)
    _check_increase(state, command.seat, seat, command.units)
    if not state.to_match:
        raise Refused(f"seat {command.seat} cannot raise: nothing is bet", "bet")
    if seat.stack <= owed(state, seat):
        return _call(state, command.seat, seat)
    amount = min(owed(state, seat) + state.unit * command.units, seat.stack)
    return [
        BetRaised(
            round=state.opened.round,
            seat=command.seat,
            amount=amount,
            all_in=amount == seat.stack,
            units=command.units,
        )
    ]


def fold_hand(state: PotRound, command: Fold) -> list[Event]:
    """The hand given up. Raises Refused for the seat that must bring in."""
    bettor(state, command.seat)
    _check_brought_in(state, command.seat)
    return [HandFolded(round=state.opened.round, seat=command.seat)]


def act_for(state: PotRound, name: str) -> list[Event]:
    """What the system does for a seat that ran out of time. Raises Refused where it is not its turn."""
    seat = bettor(state, name)
    if state.bring_in_due:
        return [_bring_in(state, name, seat, automatic=True)]
    if not owed(state, seat):
        return [SeatChecked(round=state.opened.round, seat=name, automatic=True)]
    return [HandFolded(round=state.opened.round, seat=name, automatic=True)]


def owed(state: PotRound, seat: Seat) -> int:
    """What `seat` needs to call."""
    return state.to_match - seat.bet


def _bring_in(state: PotRound, name: str, seat: Seat, *, automatic: bool = False) -> BringInPosted:
    amount = min(state.stud.bring_in, seat.stack)
    return BringInPosted(
        round=state.opened.round, seat=name, amount=amount, all_in=amount == seat.stack, automatic=automatic
    )


def _completion(state: PotRound, name: str, seat: Seat) -> list[Event]:
    _check_increase(state, name, seat)
    if seat.stack <= owed(state, seat):
        return _call(state, name, seat)
    amount = min(state.unit - seat.bet, seat.stack)
    return [BetCompleted(round=state.opened.round, seat=name, amount=amount, all_in=amount == seat.stack)]


def _call(state: PotRound, name: str, seat: Seat) -> list[Event]:
    amount = min(owed(state, seat), seat.stack)
    return [BetCalled(round=state.opened.round, seat=name, amount=amount, all_in=amount == seat.stack)]


def _check_brought_in(state: PotRound, name: str) -> None:
    if state.bring_in_due:
        raise Refused(f"seat {name} must post the bring-in or complete it", "bring-in")


def _check_increase(state: PotRound, name: str, seat: Seat, units: int = 1) -> None:
    """Raises Refused unless this seat may bet or raise now, by that many units."""
    if units > 1 and not _two_units_allowed(state):
        raise Refused(
            f"seat {name}: two units need an open pair on street {state.book.open_pair_round}", "limit"
        )
    if state.bets > state.book.raises:
        raise Refused(f"seat {name}: one bet and {state.book.raises} raises are made, call or fold", "limit")
    if owed(state, seat) < min(state.step, state.unit):
        raise Refused(f"seat {name}: the last raise was an all-in for less, call or fold", "limit")
    if not _can_be_called(state, name):
        raise Refused(f"seat {name}: nobody else has chips to call more, call or fold", "limit")


def _two_units_allowed(state: PotRound) -> bool:
    if state.street != state.book.open_pair_round:
        return False
    return any(seat.contends and shows_pair(seat.up) for seat in state.seats.values())


def _can_be_called(state: PotRound, name: str) -> bool:
    return any(
        seat.contends and other != name and seat.bet + seat.stack > state.to_match
        for other, seat in state.seats.items()
    )


def _money(state: PotRound, minor: int) -> str:
    return f"{format_minor(minor, state.stud.currency)} {state.stud.currency}"
