"""Whom a command is about: the casinos whose players, money or tables it touches."""

from collections.abc import Collection

from backoffice.domain.event import Command, Refused
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Ante, Blind, Open, RoundCommand, SeatCommand, Sit
from backoffice.domain.wallet.commands import RepayDebt, WalletCommand


def check_reach(past: Past, command: Command, casinos: Collection[str], who: str) -> None:
    """Raises Refused where `who`, who has to do with these casinos only, asks for something about another one.

    What people ask of cases and whole rounds is not looked at here: whose staff decides there is a rule of the cases.
    """
    match command:
        case SetRate() | ApplyNetwork():
            raise Refused(f"{who} does not act for all casinos: this is about them all", "casino")
        case WalletCommand() | RepayDebt() | Ante() | Sit():
            concerned: Collection[str] = (command.casino,)
        case Open():
            terms = past.network.tables.get(command.table)
            concerned = () if terms is None else terms.casinos
        case RoundCommand():
            concerned = _of_round(past, command)
        case _:
            return
    others = [casino for casino in concerned if casino not in casinos]
    if others:
        raise Refused(f"{who} does not act for {' and '.join(others)}", "casino")


def _of_round(past: Past, command: RoundCommand) -> Collection[str]:
    """A seated player's casino where the command is about their seat, else all casinos that play at the table."""
    state = past.rounds.get(command.round)
    if state is None:
        return ()
    if isinstance(command, SeatCommand):
        seat = state.seats.get(command.by if isinstance(command, Blind) else command.seat)
        if seat is not None:
            return (seat.wallet.casino,)
    return state.opened.terms.casinos
