"""The front of the room: what every round shares, and which kind of game a command goes to."""

from collections.abc import Callable
from typing import Any

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Cancel, Open, Refund, Resume, RoundCommand, Suspend
from backoffice.domain.rounds.events import (
    CancellationRequested,
    RoundOpened,
    RoundResumed,
    RoundSuspended,
)
from backoffice.domain.rounds.house_decisions import decide_house
from backoffice.domain.rounds.house_settlement import entitlements, refund_house, withdraw_marks
from backoffice.domain.rounds.house_state import HouseRound, evolve_house, start_house
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.domain.rounds.pot_state import PotRound, evolve_pot, refund_pot, start_pot
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.terms import TableTerms
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF

Round = HouseRound | PotRound


def open_round(state: Round | None, command: Open, terms: TableTerms) -> list[Event]:
    """A round begun under the table's terms of this moment. Raises Refused for an id that was opened before."""
    if state is not None:
        raise Refused(f"round {command.round} has already been opened", "round")
    return [
        RoundOpened(
            round=command.round,
            table=command.table,
            number=command.number,
            terms=terms,
            dealer=command.dealer,
            shift=command.shift,
        )
    ]


def decide_round(state: Round, command: RoundCommand, around: Surroundings) -> list[Event]:
    """The facts that follow from `command` on an open round, or Refused."""
    shared = _SHARED.get(type(command))
    if shared is not None:
        return shared(state, command, around)
    _check_plays(state)
    if isinstance(state, PotRound):
        return decide_pot(state, command, around)
    return decide_house(state, command, around)


def evolve_round(state: Round | None, event: Event) -> Round:
    """`state` after `event`; the first event of a round opens it."""
    if state is None:
        assert isinstance(event, RoundOpened)
        book = SHELF[event.terms.ruleset]
        return start_house(event) if isinstance(book, HouseBook) else start_pot(event)
    if isinstance(state, PotRound):
        return evolve_pot(state, event)
    return evolve_house(state, event)


def _check_plays(state: Round) -> None:
    _check_alive(state)
    if state.suspended:
        raise Refused("the round is suspended: only resume and cancel are taken", "phase")


def _check_alive(state: Round) -> None:
    if state.phase in _WHY_OVER:
        raise Refused(_WHY_OVER[state.phase], "phase")


_WHY_OVER = {
    Phase.SETTLED: "the round is settled",
    Phase.REVERSED: "the round is settled and reversed",
    Phase.CANCELLING: "the round is cancelled",
    Phase.CANCELLED: "the round is cancelled",
}


def _suspend(state: Round, command: Suspend, _: Surroundings) -> list[Event]:
    _check_plays(state)
    return [RoundSuspended(round=state.opened.round, reason=command.reason)]


def _resume(state: Round, command: Resume, _: Surroundings) -> list[Event]:
    _check_alive(state)
    if not state.suspended:
        raise Refused("the round is not suspended", "phase")
    return [RoundResumed(round=state.opened.round, reason=command.reason)]


def _cancel(state: Round, command: Cancel, around: Surroundings) -> list[Event]:
    """The request: recorded, no more actions, the round's marks out of the pool; the refund follows by a reaction."""
    if state.phase is Phase.SETTLED:
        raise Refused(
            "the round is settled: reversing it needs an operator's request and a second person's approval",
            "phase",
        )
    if state.phase in {Phase.CANCELLING, Phase.CANCELLED}:
        raise Refused("the round is cancelled already", "phase")
    if state.phase is Phase.REVERSED:
        raise Refused("the round is reversed already", "phase")
    if isinstance(state, PotRound):
        return [CancellationRequested(round=state.opened.round, reason=command.reason)]
    return [
        CancellationRequested(
            round=state.opened.round,
            reason=command.reason,
            jackpot=state.opened.terms.jackpot,
            withdrawals=withdraw_marks(state, around),
            entitlements=entitlements(state, around),
        )
    ]


def _refund(state: Round, _: Refund, __: Surroundings) -> list[Event]:
    if state.phase is not Phase.CANCELLING:
        raise Refused(f"the round is {state.phase}: there is no cancellation to carry out", "phase")
    return [refund_pot(state) if isinstance(state, PotRound) else refund_house(state)]


_SHARED: dict[type[RoundCommand], Callable[[Round, Any, Surroundings], list[Event]]] = {
    Suspend: _suspend,
    Resume: _resume,
    Cancel: _cancel,
    Refund: _refund,
}
"""What every game has, and takes although it is suspended."""
