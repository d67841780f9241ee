"""One street of a pot game: a card to every hand still in, all-in ones too, and to nobody else.

Street 1 is a card down and a card up, streets 2 to 4 are a card up; the last one is down where the table says
so (`last_card`): then `down` carries it and `up` is empty.
"""

from collections.abc import Mapping, Sequence

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Deal
from backoffice.domain.rounds.events import StreetDealt
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import LAST_STREET, PotRound
from backoffice.kernel.cards import repeated


def deal_street(state: PotRound, command: Deal) -> list[Event]:
    """The next street, when the betting of the one before is over. Raises Refused."""
    street = _next_street(state, command)
    down, up = command.down or {}, _open_cards(command)
    hands = state.in_play
    face_down, face_up = _faces(state, street)
    _check_cards(state, down, hands if face_down else (), "down")
    _check_cards(state, up, hands if face_up else (), "up")
    _check_deck(state, [*down.values(), *up.values()])
    return [StreetDealt(round=state.opened.round, street=street, down=dict(down), up=dict(up))]


def _faces(state: PotRound, street: int) -> tuple[bool, bool]:
    """Whether `street` brings a card down, and whether it brings a card up."""
    if street == 1:
        return True, True
    hidden = street == LAST_STREET and state.stud.last_card == "down"
    return hidden, not hidden


def _next_street(state: PotRound, command: Deal) -> int:
    if state.phase is Phase.SHOWDOWN:
        raise Refused("no more cards: the betting is over", "phase")
    if command.hands is not None or command.street is None:
        raise Refused("Five Card Stud is dealt street by street, not in whole hands", "cards")
    _check_antes(state)
    _check_betting_over(state)
    if command.street != state.street + 1:
        raise Refused(f"street {state.street + 1} is next, not street {command.street}", "street")
    return command.street


def _check_antes(state: PotRound) -> None:
    if len(state.seats) < 2:
        raise Refused("a pot needs at least two players", "players")
    for name, seat in state.seats.items():
        if state.stud.ante and not seat.posted:
            raise Refused(f"seat {name} has not posted its ante", "ante")


def _check_betting_over(state: PotRound) -> None:
    if state.to_act:
        raise Refused(
            f"the betting of street {state.street} is not over: it is seat {state.to_act[0]}'s turn", "turn"
        )


def _open_cards(command: Deal) -> Mapping[str, str]:
    if isinstance(command.up, str):
        raise Refused(f"whose open card is {command.up}? Every seat gets its own", "cards")
    return command.up or {}


def _check_cards(state: PotRound, cards: Mapping[str, str], hands: Sequence[str], face: str) -> None:
    for name in cards:
        if name not in hands:
            raise Refused(f"seat {name}: no card {face} belongs there, {_why_no_card(state, name)}", "cards")
    for name in hands:
        if name not in cards:
            raise Refused(f"seat {name} has no card {face}", "cards")


def _why_no_card(state: PotRound, name: str) -> str:
    if name not in state.seats:
        return "nobody sits there"
    return "the street has none" if state.seats[name].contends else "the seat has folded"


def _check_deck(state: PotRound, cards: Sequence[str]) -> None:
    twice = repeated([card for seat in state.seats.values() for card in (*seat.down, *seat.up)] + list(cards))
    if twice:
        raise Refused(f"{twice} is dealt twice", "cards")
