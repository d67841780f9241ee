"""The course of a game against the dealer: which action is taken in which phase, and who decides it."""

from collections.abc import Callable
from typing import Any, NamedTuple

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import (
    Announce,
    Ante,
    Blind,
    Bonus,
    Call,
    Close,
    Deal,
    Exchange,
    Fold,
    Leave,
    Mark,
    Reveal,
    RoundCommand,
    Settle,
    TableAction,
    Timeout,
    Undo,
    Void,
)
from backoffice.domain.rounds.house_betting import (
    close_betting,
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
from backoffice.domain.rounds.house_settlement import settle_house
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.surroundings import Surroundings

_BETTING, _CLOSED, _DEALT = (Phase.BETTING,), (Phase.CLOSED,), (Phase.DEALT,)
_AFTER_THE_DEAL, _REVEALED = (Phase.DEALT, Phase.REVEALED), (Phase.REVEALED,)


class Step(NamedTuple):
    """When an action is taken, and who decides it."""

    phases: tuple[Phase, ...]
    decide: Callable[[HouseRound, Any, Surroundings], list[Event]]


COURSE: dict[type[RoundCommand], Step] = {
    Ante: Step(_BETTING, place_ante),
    Bonus: Step(_BETTING, place_bonus),
    Mark: Step(_BETTING, mark_jackpot),
    Blind: Step(_BETTING, play_blind),
    Undo: Step(_BETTING, undo_newest),
    Leave: Step(_BETTING, leave_table),
    Close: Step(_BETTING, close_betting),
    Deal: Step(_CLOSED, deal_hands),
    Exchange: Step(_DEALT, exchange_card),
    Call: Step(_DEALT, call_hand),
    Fold: Step(_DEALT, fold_hand),
    Timeout: Step(_DEALT, time_out),
    Void: Step(_AFTER_THE_DEAL, void_hand),
    Announce: Step(_AFTER_THE_DEAL, announce_hand),
    Reveal: Step(_DEALT, reveal_dealer),
    Settle: Step(_REVEALED, settle_house),
}
"""Every action of a game against the dealer."""


def decide_house(state: HouseRound, command: RoundCommand, around: Surroundings) -> list[Event]:
    """The facts that follow from `command`. Raises Refused for one of another game or out of its phase."""
    step = COURSE.get(type(command))
    if step is None:
        raise Refused(f"{state.book.id} has no {_word(command)}", "game")
    if state.phase not in step.phases:
        raise Refused(f"not now: {_NOW[state.phase]}", "phase")
    return step.decide(state, command, around)


_NOW = {
    Phase.BETTING: "betting is open",
    Phase.CLOSED: "betting is closed and the cards are not dealt",
    Phase.DEALT: "the cards are dealt and the dealer's hand is not revealed",
    Phase.REVEALED: "the dealer's hand is revealed",
}


def _word(command: RoundCommand) -> str:
    assert isinstance(command, TableAction)
    return command.do
