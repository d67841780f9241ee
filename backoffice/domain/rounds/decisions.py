"""The front of the room: what every round shares, and which kind of game a command goes to."""

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import (
    Announce,
    Ante,
    Blind,
    Bonus,
    Call,
    Cancel,
    Close,
    Deal,
    Exchange,
    Fold,
    Leave,
    Mark,
    Open,
    Refund,
    Resume,
    Reveal,
    RoundCommand,
    Settle,
    Suspend,
    TableAction,
    Timeout,
    Undo,
    Void,
)
from backoffice.domain.rounds.events import (
    BettingClosed,
    CancellationRequested,
    RoundOpened,
    RoundResumed,
    RoundSuspended,
)
from backoffice.domain.rounds.house_betting import (
    leave_table,
    mark_jackpot,
    place_ante,
    place_bonus,
    play_blind,
    undo_newest,
)
from backoffice.domain.rounds.house_play import (
    announce_hand,
    call_hand,
    deal_hands,
    exchange_card,
    fold_hand,
    reveal_dealer,
    time_out,
    void_hand,
)
from backoffice.domain.rounds.house_settlement import entitlements, refund_house, settle_house, withdraw_marks
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
    match command:
        case Refund():
            return _refund(state)
        case Cancel():
            return _cancel(state, command, around)
    _check_alive(state)
    match command:
        case Suspend() if not state.suspended:
            return [RoundSuspended(round=state.opened.round, reason=command.reason)]
        case Resume() if state.suspended:
            return [RoundResumed(round=state.opened.round, reason=command.reason)]
        case Resume():
            raise Refused("the round is not suspended", "phase")
    if state.suspended:
        raise Refused("the round is suspended: only resume and cancel are taken", "phase")
    if isinstance(state, PotRound):
        return decide_pot(state, command, around)
    return _decide_house(state, command, around)


def evolve_round(state: Round | None, event: Event) -> Round:
    """`state` after `event`; the first event of a round opens it."""
    if state is None:
        assert isinstance(event, RoundOpened)
        book = SHELF[event.terms.ruleset]
        return start_house(event) if isinstance(book, HouseBook) else start_pot(event)
    if isinstance(state, PotRound):
        return evolve_pot(state, event)
    return evolve_house(state, event)


def _check_alive(state: Round) -> None:
    if state.phase is Phase.SETTLED:
        raise Refused("the round is settled", "phase")
    if state.phase is Phase.REVERSED:
        raise Refused("the round is settled and reversed", "phase")
    if state.phase in {Phase.CANCELLING, Phase.CANCELLED}:
        raise Refused("the round is cancelled", "phase")


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


def _refund(state: Round) -> list[Event]:
    if state.phase is not Phase.CANCELLING:
        raise Refused(f"the round is {state.phase}: there is no cancellation to carry out", "phase")
    return [refund_pot(state) if isinstance(state, PotRound) else refund_house(state)]


_BETTING = (Ante, Bonus, Mark, Blind, Undo, Leave, Close)
_PLAY = (Exchange, Call, Fold, Timeout, Reveal)
_AFTER_THE_DEAL = (Void, Announce)


def _decide_house(state: HouseRound, command: RoundCommand, around: Surroundings) -> list[Event]:
    if isinstance(command, _BETTING):
        _check_phase(state, Phase.BETTING)
        return _decide_betting(state, command, around)
    if isinstance(command, _PLAY):
        _check_phase(state, Phase.DEALT)
        return _decide_play(state, command, around)
    if isinstance(command, _AFTER_THE_DEAL):
        _check_phase(state, Phase.DEALT, Phase.REVEALED)
        return void_hand(state, command) if isinstance(command, Void) else announce_hand(state, command)
    match command:
        case Deal():
            _check_phase(state, Phase.CLOSED)
            return deal_hands(state, command)
        case Settle():
            _check_phase(state, Phase.REVEALED)
            return settle_house(state, command, around)
    raise Refused(f"{state.book.id} has no {_word(command)}", "game")


def _decide_betting(
    state: HouseRound, command: Ante | Bonus | Mark | Blind | Undo | Leave | Close, around: Surroundings
) -> list[Event]:
    match command:
        case Ante():
            return place_ante(state, command, around)
        case Bonus():
            return place_bonus(state, command, around)
        case Mark():
            return mark_jackpot(state, command, around)
        case Blind():
            return play_blind(state, command, around)
        case Undo():
            return undo_newest(state, command, around)
        case Leave():
            return leave_table(state, command, around)
        case Close() if not state.seats:
            raise Refused("nobody plays: betting cannot be closed, the round can only be cancelled", "phase")
        case Close():
            return [BettingClosed(round=state.opened.round)]


def _decide_play(
    state: HouseRound, command: Exchange | Call | Fold | Timeout | Reveal, around: Surroundings
) -> list[Event]:
    match command:
        case Exchange():
            return exchange_card(state, command, around)
        case Call():
            return call_hand(state, command, around)
        case Fold():
            return fold_hand(state, command)
        case Timeout():
            return time_out(state, command, around)
        case Reveal():
            return reveal_dealer(state, command)


def _check_phase(state: HouseRound, *phases: Phase) -> None:
    if state.phase not in phases:
        raise Refused(f"not now: {_NOW[state.phase]}", "phase")


_NOW = {
    Phase.BETTING: "betting is open",
    Phase.CLOSED: "betting is closed and the cards are not dealt",
    Phase.DEALT: "the cards are dealt and the dealer's hand is not revealed",
    Phase.REVEALED: "the dealer's hand is revealed",
}


def _word(command: RoundCommand) -> str:
    assert isinstance(command, TableAction)
    return command.do
