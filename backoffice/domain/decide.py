"""The front of the domain: what a command comes to, whichever rooms it concerns."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import datetime

from backoffice.domain.cases import commands as cases
from backoffice.domain.cases.decisions import (
    approve,
    carry_out,
    hold_large_wins,
    open_claim,
    open_compensations,
    open_disputes,
    propose,
    refuse,
    request_reversal,
    request_write_off,
)
from backoffice.domain.cases.events import CaseDismissed, ReversalCarriedOut, case_id
from backoffice.domain.cases.state import Case
from backoffice.domain.event import Command, Event, Refused
from backoffice.domain.jackpots.decisions import define_jackpot
from backoffice.domain.jackpots.events import JackpotHit, PrizeDrawn
from backoffice.domain.jackpots.pool import RunningPool
from backoffice.domain.jackpots.reversal import return_prizes, reverse_hits
from backoffice.domain.ledger import postings, wallet_of
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.network.decisions import apply_network, jackpot_terms, set_rate
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Open, RoundCommand
from backoffice.domain.rounds.decisions import Round, decide_round, open_round
from backoffice.domain.rounds.events import PotSettled, RoundCancelled, RoundSettled
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.reversal import check_reversible, reverse_round, with_shortfalls
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.wallet.commands import RepayDebt, WalletCommand
from backoffice.domain.wallet.decisions import decide_wallet, repay_debt
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


def decide(past: Past, command: Command) -> list[Event]:
    """The new facts that follow from `command`, given the past, in order. Raises Refused with the reason."""
    match command:
        case Open():
            return _open(past, command)
        case RoundCommand():
            return _round(past, command)
        case RepayDebt():
            wallet = Wallet(command.casino, command.player, command.currency)
            return repay_debt(command, past.balance(wallet), past.debt(wallet))
        case WalletCommand():
            return decide_wallet(command, past.balance, past.network.currencies)
        case SetRate():
            return set_rate(past.network, command)
        case ApplyNetwork():
            return _network(past, command)
        case cases.StaffCommand():
            return _staff(past, command)
        case cases.CarryOut():
            return _carry_out(past, command)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _open(past: Past, command: Open) -> list[Event]:
    terms = past.network.tables.get(command.table)
    if terms is None:
        raise Refused(f"there is no table {command.table}", "table")
    return open_round(past.rounds.get(command.round), command, terms)


def _round(past: Past, command: RoundCommand) -> list[Event]:
    state = _opened(past, command.round)
    events = decide_round(state, command, _around(past, state, command.at))
    if len(events) == 1 and not isinstance(events[0], _LEAVING_CASES):
        return events
    return [*events, *_cases(state, events, command.at)]


def _opened(past: Past, round_id: str) -> Round:
    state = past.rounds.get(round_id)
    if state is None:
        raise Refused(f"round {round_id} has not been opened", "round")
    return state


def _around(past: Past, state: Round, at: datetime) -> Surroundings:
    def running() -> RunningPool | None:
        jackpot = state.opened.terms.jackpot
        return None if jackpot is None else past.pool_at(jackpot, at)

    return Surroundings(past.balance, past.network.currencies, running, past.debt)


_LEAVING_CASES = (RoundSettled, PotSettled, RoundCancelled, JackpotHit)


def _cases(state: Round, events: Sequence[Event], at: datetime) -> Iterator[Event]:
    """What a person must decide because of what just became true of a round."""
    for event in events:
        match event:
            case RoundSettled() | PotSettled():
                yield from open_disputes(event.round, event.discrepancies)
            case RoundCancelled() if isinstance(state, HouseRound):
                yield from open_compensations(event.round, state.entitlements)
            case JackpotHit():
                held = [share for share in event.shares if share.held]
                yield from hold_large_wins(event.jackpot, event.round, held, at)


def _network(past: Past, command: ApplyNetwork) -> list[Event]:
    network = list(apply_network(past.network, past.rates, command.file))
    jackpots = [
        event
        for section in command.file.jackpot
        for event in define_jackpot(past.jackpots.get(section.id), section.id, jackpot_terms(section))
    ]
    return [*network, *jackpots]


def _staff(past: Past, command: cases.StaffCommand) -> list[Event]:
    terms = past.network.approval
    match command:
        case cases.OpenCase():
            return open_claim(command, past.network.currencies)
        case cases.RequestReversal():
            state = _opened(past, command.round)
            check_reversible(state)
            case = past.cases.get(case_id("reversal", command.round))
            return request_reversal(case, command, _casinos(state), terms)
        case cases.RequestWriteOff():
            owed = past.debt(Wallet(command.casino, command.player, command.currency))
            return request_write_off(command, owed, terms)
        case cases.Propose():
            return propose(command.case, _case(past, command.case), command, terms)
        case cases.Approve():
            return approve(command.case, _case(past, command.case), command, terms)
        case cases.RefuseProposal():
            return refuse(command.case, _case(past, command.case), command)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _case(past: Past, case: str) -> Case:
    state = past.cases.get(case)
    if state is None:
        raise Refused(f"there is no case {case}", "case")
    return state


def _casinos(state: Round) -> tuple[str, ...]:
    """The casinos whose players sat in a round."""
    return tuple(sorted({seat.wallet.casino for seat in state.seats.values()}))


def _carry_out(past: Past, command: cases.CarryOut) -> list[Event]:
    events = carry_out(command.case, _case(past, command.case), past.debt)
    done = events[0]
    if isinstance(done, ReversalCarriedOut):
        return [*events, *_reversal(past, done.round, command.at)]
    return events


def _reversal(past: Past, round_id: str, at: datetime) -> list[Event]:
    """A round taken back with its hits, and what players cannot give back as debts, in one append."""
    state = _opened(past, round_id)
    around = _around(past, state, at)
    jackpot = [] if state.opened.terms.jackpot is None else _jackpot_reversed(past, state)
    unheld = [CaseDismissed(case=case_id("large win", round_id, seat)) for seat in _held(past, round_id)]
    reversed_round = reverse_round(state, around, hit_reversed=bool(jackpot))
    net: Counter[Wallet] = Counter()
    for event in (reversed_round, *jackpot):
        for account, currency, minor in postings(event):
            if account.kind == "player":
                net[wallet_of(account, currency)] += minor
    return [with_shortfalls(reversed_round, net, around), *jackpot, *unheld]


def _jackpot_reversed(past: Past, state: Round) -> list[Event]:
    jackpot = past.jackpots[state.opened.terms.jackpot or ""]
    round_id = state.opened.round
    shared = {share.seat for hit in jackpot.hits.get(round_id, ()) for share in hit.shares}
    fixed = (
        PrizeDrawn(line.seat, line.casino, line.player, Money(line.payout, line.currency))
        for line in (state.settled.lines if state.settled else ())
        if line.paid_by == "pool" and line.seat not in shared
    )
    return [
        *reverse_hits(jackpot, round_id, _held(past, round_id)),
        *return_prizes(jackpot.id, round_id, fixed),
    ]


def _held(past: Past, round_id: str) -> list[str]:
    """The seats of a round whose share still waits for a second person."""
    state = past.rounds[round_id]
    cases = {seat: past.cases.get(case_id("large win", round_id, seat)) for seat in state.seats}
    return [seat for seat, case in cases.items() if case is not None and not case.closed]
