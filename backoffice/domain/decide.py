"""The front of the domain: what a command comes to, whichever rooms it concerns."""

from functools import partial

from backoffice.domain.access.commands import KeyCommand
from backoffice.domain.access.decisions import decide_key
from backoffice.domain.cases.commands import CarryOut, StaffCommand
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.days.decisions import close_day, refuse_moving
from backoffice.domain.event import Command, Event, Refused
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.filings.decisions import register_file
from backoffice.domain.jackpots.decisions import define_jackpot
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.network.decisions import apply_network, jackpot_terms, set_rate
from backoffice.domain.network.events import CasinoDefined
from backoffice.domain.office import LEAVING_CASES, carry_out_case, decide_case, left_to_people
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Open, RoundCommand
from backoffice.domain.rounds.decisions import decide_round, open_round
from backoffice.domain.wallet.commands import RepayDebt, WalletCommand
from backoffice.domain.wallet.decisions import decide_wallet, repay_debt
from backoffice.kernel.ids import Wallet


def decide(past: Past, command: Command) -> list[Event]:
    """The new facts that follow from `command`, given the past, in order. Raises Refused with the reason."""
    match command:
        case Open():
            return _open(past, command)
        case RoundCommand():
            return _round(past, command)
        case RepayDebt():
            wallet = Wallet(command.casino, command.player, command.currency)
            return repay_debt(command, past.balance(wallet), past.owed(wallet))
        case WalletCommand():
            return decide_wallet(command, past.balance, past.network.currencies, past.debts_of)
        case SetRate():
            return set_rate(past.network, command)
        case ApplyNetwork():
            return _network(past, command)
        case StaffCommand():
            return decide_case(past, command)
        case CarryOut():
            return carry_out_case(past, command)
        case RegisterFile():
            last = past.files.get((command.casino, command.authority), 0)
            return [register_file(last, past.network.casinos, command)]
        case KeyCommand():
            return [decide_key(past.keys, past.network.casinos, command)]
        case CloseDay():
            return [close_day(past.closed_days.get(command.casino), past.network.calendars, command)]
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _open(past: Past, command: Open) -> list[Event]:
    terms = past.network.tables.get(command.table)
    if terms is None:
        raise Refused(f"there is no table {command.table}", "table")
    return open_round(past.rounds.get(command.round), command, terms)


def _round(past: Past, command: RoundCommand) -> list[Event]:
    state = past.opened(command.round)
    events = decide_round(state, command, past.around(state, command.at))
    if len(events) == 1 and type(events[0]) not in LEAVING_CASES:
        return events
    return [*events, *left_to_people(state, events)]


def _network(past: Past, command: ApplyNetwork) -> list[Event]:
    events = list(apply_network(past.network, past.rates, command.file, command.at))
    network = tuple(events)
    for event in network:
        if isinstance(event, CasinoDefined) and past.network.sets_clock(event):
            refuse_moving(past.closed_days.get(event.casino), event.since)

    def worth(jackpot: str) -> int:
        """What a pool holds at the rates that the file leaves, in the base currency."""
        pool = past.pool_at(jackpot, command.at, after=network)
        return pool.value(pool.buckets)

    for section in command.file.jackpot:
        known, terms = past.jackpots.get(section.id), jackpot_terms(section)
        events += define_jackpot(known, section.id, terms, partial(worth, section.id))
    return events
