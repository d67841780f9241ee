"""Whose turn it is in a pot game, and why it is not another's."""

from backoffice.domain.event import Refused
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import Hand, PotRound, Seat


def bettor(state: PotRound, name: str) -> Seat:
    """The seat whose turn it is to bet, if it is `name`. Raises Refused."""
    if state.phase is not Phase.PLAYING:
        raise Refused(f"seat {name}: {_NO_BETTING.get(state.phase, 'the round is over')}", "phase")
    return _whose_turn(state, name, f"the betting of street {state.street} is over")


def at_showdown(state: PotRound, name: str) -> Seat:
    """The seat whose turn it is to show or muck, if it is `name`. Raises Refused."""
    if state.phase is not Phase.SHOWDOWN:
        raise Refused(f"seat {name}: hands are shown when the betting is over", "phase")
    return _whose_turn(state, name, "there is nothing to show")


_NO_BETTING = {Phase.SEATING: "the cards are not dealt", Phase.SHOWDOWN: "the betting is over"}


def _whose_turn(state: PotRound, name: str, over: str) -> Seat:
    if name not in state.seats:
        raise Refused(f"seat {name}: nobody sits there", "seat")
    seat = state.seats[name]
    if seat.hand is not Hand.IN:
        raise Refused(f"seat {name}: its hand is {seat.hand}", "turn")
    if state.phase is Phase.PLAYING and not seat.stack:
        raise Refused(f"seat {name} is all-in: it has nothing left to decide", "turn")
    if not state.to_act:
        raise Refused(f"seat {name}: {over}", "turn")
    if state.to_act[0] != name:
        raise Refused(f"seat {name}: it is seat {state.to_act[0]}'s turn", "turn")
    return seat
