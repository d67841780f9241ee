"""What is asked of a pot game, and what follows: one flat match; each answer lives in its own `pot_*` module.

Opening, suspending, resuming and cancelling are the same for every game and never get here (`decisions.py`).
"""

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import (
    Announce,
    Ante,
    Bet,
    Blind,
    Bonus,
    BringIn,
    Call,
    Check,
    Close,
    Complete,
    Deal,
    Exchange,
    Fold,
    Leave,
    Mark,
    Muck,
    Post,
    Raise,
    Reveal,
    RoundCommand,
    Settle,
    Show,
    Sit,
    Timeout,
    Undo,
    Void,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_betting import (
    act_for,
    call_bet,
    check_hand,
    complete_bet,
    fold_hand,
    make_bet,
    post_bring_in,
    raise_bet,
)
from backoffice.domain.rounds.pot_dealing import deal_street
from backoffice.domain.rounds.pot_seating import post_ante, take_seat
from backoffice.domain.rounds.pot_settlement import settle_pot
from backoffice.domain.rounds.pot_showdown import muck_hand, show_for, show_hand
from backoffice.domain.rounds.pot_state import PotRound
from backoffice.domain.rounds.surroundings import Surroundings


def decide_pot(  # noqa: C901, PLR0912 - one flat match
    state: PotRound, command: RoundCommand, around: Surroundings
) -> list[Event]:
    """The facts that follow from `command`. Raises Refused; a command that is none of a round's crashes."""
    match command:
        case Call():
            return call_bet(state, command)
        case Check():
            return check_hand(state, command)
        case Fold():
            return fold_hand(state, command)
        case Bet():
            return make_bet(state, command)
        case Raise():
            return raise_bet(state, command)
        case Complete():
            return complete_bet(state, command)
        case BringIn():
            return post_bring_in(state, command)
        case Timeout():
            return (
                show_for(state, command.seat)
                if state.phase is Phase.SHOWDOWN
                else act_for(state, command.seat)
            )
        case Sit():
            return take_seat(state, command, around)
        case Post():
            return post_ante(state, command)
        case Deal():
            return deal_street(state, command)
        case Show():
            return show_hand(state, command)
        case Muck():
            return muck_hand(state, command)
        case Settle():
            return settle_pot(state, command)
        case Ante() | Bonus() | Mark() | Blind() | Undo() | Leave() | Close():
            raise Refused(f"Five Card Stud has no {_DEALER_GAMES_ONLY[type(command)]}", "game")
        case Exchange() | Reveal() | Void() | Announce():
            raise Refused(f"Five Card Stud has no {_DEALER_GAMES_ONLY[type(command)]}", "game")
        case _:
            raise TypeError(f"{command!r} is not for a pot game")


_DEALER_GAMES_ONLY: dict[type[RoundCommand], str] = {
    Ante: "ante of a player's choice: players sit, then post",
    Bonus: "Bonus",
    Mark: "jackpot",
    Blind: "blind boxes",
    Undo: "undo: chips in the pot stay there",
    Leave: "leaving before the deal: what is left of a stack goes back when the round ends",
    Close: "closing: each street's betting ends by itself",
    Exchange: "card exchange",
    Reveal: "dealer's hand",
    Void: "void hands",
    Announce: "jackpot to announce a hand for",
}
