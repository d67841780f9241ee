"""The front of the domain: what a command comes to, whichever rooms it concerns."""

from collections.abc import Iterator, Sequence

from backoffice.domain.cases.decisions import open_compensations, open_disputes
from backoffice.domain.event import Command, Event, Refused
from backoffice.domain.jackpots.decisions import define_jackpot
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.network.decisions import apply_network, jackpot_terms, set_rate
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Open, RoundCommand
from backoffice.domain.rounds.decisions import Round, decide_round, open_round
from backoffice.domain.rounds.events import PotSettled, RoundCancelled, RoundSettled
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.wallet.commands import WalletCommand
from backoffice.domain.wallet.decisions import decide_wallet


def decide(past: Past, command: Command) -> list[Event]:
    """The new facts that follow from `command`, given the past, in order. Raises Refused with the reason."""
    match command:
        case Open():
            return _open(past, command)
        case RoundCommand():
            return _round(past, command)
        case WalletCommand():
            return decide_wallet(command, past.balance, past.network.currencies)
        case SetRate():
            return set_rate(past.network, command)
        case ApplyNetwork():
            return _network(past, command)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _open(past: Past, command: Open) -> list[Event]:
    terms = past.network.tables.get(command.table)
    if terms is None:
        raise Refused(f"there is no table {command.table}", "table")
    return open_round(past.rounds.get(command.round), command, terms)


def _round(past: Past, command: RoundCommand) -> list[Event]:
    state = past.rounds.get(command.round)
    if state is None:
        raise Refused(f"round {command.round} has not been opened", "round")
    jackpot = state.opened.terms.jackpot
    around = Surroundings(
        past.balance,
        past.network.currencies,
        None if jackpot is None else past.pool_at(jackpot, command.at),
    )
    events = decide_round(state, command, around)
    return [*events, *_cases(state, events)]


def _cases(state: Round, events: Sequence[Event]) -> Iterator[Event]:
    """What a person must decide because of what just became true of a round."""
    for event in events:
        match event:
            case RoundSettled() | PotSettled():
                yield from open_disputes(event.round, event.discrepancies)
            case RoundCancelled() if isinstance(state, HouseRound):
                yield from open_compensations(event.round, state.entitlements)


def _network(past: Past, command: ApplyNetwork) -> list[Event]:
    network = list(apply_network(past.network, past.rates, command.file))
    jackpots = [
        event
        for section in command.file.jackpot
        for event in define_jackpot(past.jackpots.get(section.id), section.id, jackpot_terms(section))
    ]
    return [*network, *jackpots]
