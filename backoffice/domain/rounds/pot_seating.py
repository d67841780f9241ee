"""Before the cards of a pot game: sitting down with a stack and posting the ante.

A seat is its place left of the dealer, "1" nearest; as many as the book says, unless the table has fewer.
"""

from collections.abc import Sequence

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Post, Sit
from backoffice.domain.rounds.events import AntePosted, SeatTaken
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import PotRound
from backoffice.domain.rounds.surroundings import Surroundings, amount_in, check_cover, check_player
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


def take_seat(state: PotRound, command: Sit, around: Surroundings) -> list[Event]:
    """A free seat taken with a stack of the table's currency that the wallet covers. Raises Refused."""
    if state.phase is not Phase.SEATING:
        raise Refused(f"seat {command.seat}: the cards are dealt, nobody sits down any more", "phase")
    _check_place(state, command)
    wallet = Wallet(command.casino, command.player, command.currency)
    _check_currency(state, wallet, command.seat)
    check_player(around, state.opened.terms.casinos, wallet, f"seat {command.seat}")
    stack = amount_in(command.stack, wallet.currency, f"seat {command.seat}")
    check_cover(around, wallet, stack, f"seat {command.seat}")
    return [
        SeatTaken(
            round=state.opened.round,
            seat=command.seat,
            casino=wallet.casino,
            player=wallet.player,
            stack=Money(stack, wallet.currency),
        )
    ]


def places(state: PotRound) -> Sequence[str]:
    """The names of the seats at this table, in order left of the dealer."""
    table = state.opened.terms.seats or state.book.seats
    return [str(number) for number in range(1, min(state.book.seats, table) + 1)]


def _check_place(state: PotRound, command: Sit) -> None:
    names = places(state)
    if command.seat not in names:
        raise Refused(f"seat {command.seat}: the seats of this table are {names[0]} to {names[-1]}", "seat")
    if command.seat in state.seats:
        raise Refused(f"seat {command.seat} is taken", "seat")
    for name, seat in state.seats.items():
        if (seat.wallet.casino, seat.wallet.player) == (command.casino, command.player):
            raise Refused(
                f"seat {command.seat}: this player already sits in seat {name}", "one seat a player"
            )


def _check_currency(state: PotRound, wallet: Wallet, name: str) -> None:
    if wallet.currency != state.stud.currency:
        raise Refused(
            f"seat {name}: this table plays in {state.stud.currency}, not in {wallet.currency}", "currency"
        )


def post_ante(state: PotRound, command: Post) -> list[Event]:
    """The table's ante off the seat's stack, or all that is left of it. Raises Refused."""
    if state.phase is not Phase.SEATING:
        raise Refused(f"seat {command.seat}: the cards are dealt, antes are posted before", "phase")
    if command.seat not in state.seats:
        raise Refused(f"seat {command.seat}: nobody sits there", "seat")
    if not state.stud.ante:
        raise Refused(f"seat {command.seat}: this table has no ante", "ante")
    seat = state.seats[command.seat]
    if seat.posted:
        raise Refused(f"seat {command.seat} has posted its ante", "ante")
    amount = min(state.stud.ante, seat.stack)
    return [
        AntePosted(round=state.opened.round, seat=command.seat, amount=amount, all_in=amount == seat.stack)
    ]
