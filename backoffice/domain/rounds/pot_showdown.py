"""The showdown: who acted last begins, then clockwise; each shows or mucks, and a mucked hand cannot win.

The last hand left cannot be mucked, and with side pots the last hand left of each of them.
A time-out shows the hand, since nobody loses a pot by silence.
"""

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Muck, Show
from backoffice.domain.rounds.events import HandMucked, HandShown
from backoffice.domain.rounds.pot_state import PotRound
from backoffice.domain.rounds.pot_turn import at_showdown
from backoffice.rules.pots import form_pots


def show_hand(state: PotRound, command: Show) -> list[Event]:
    """A hand turned over in its turn. Raises Refused."""
    return _shown(state, command.seat)


def show_for(state: PotRound, name: str) -> list[Event]:
    """The hand of a seat that ran out of time, turned over for it. Raises Refused out of turn."""
    return _shown(state, name, automatic=True)


def muck_hand(state: PotRound, command: Muck) -> list[Event]:
    """A hand thrown away unseen in its turn. Raises Refused for the last hand left of a pot."""
    at_showdown(state, command.seat)
    put = {name: seat.put for name, seat in state.seats.items()}
    if any(pot.contenders == (command.seat,) for pot in form_pots(put, state.in_play)):
        raise Refused(f"seat {command.seat}: the last hand left for a pot cannot be mucked", "showdown")
    return [HandMucked(round=state.opened.round, seat=command.seat)]


def _shown(state: PotRound, name: str, *, automatic: bool = False) -> list[Event]:
    seat = at_showdown(state, name)
    return [HandShown(round=state.opened.round, seat=name, cards=seat.down + seat.up, automatic=automatic)]
