"""What people of the staff decide, whichever rooms it concerns: cases, reversals, corrections, debts.

A case about a seat of a round stands by itself. What hangs on the round's *result* goes with it: when that is reversed,
a disputed payout that was paid by hand comes back, and what is still undecided of it (a dispute, a held share) is void.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from backoffice.domain.accounts import wallet_of
from backoffice.domain.cases import commands as cases
from backoffice.domain.cases.decisions import (
    approve,
    carry_out,
    propose,
    refuse,
    request_correction,
    request_reversal,
    request_write_off,
    undo_with_round,
)
from backoffice.domain.cases.events import (
    CorrectionCarriedOut,
    CorrectionRequested,
    DisputeOpened,
    LargeWinHeld,
    ReversalCarriedOut,
)
from backoffice.domain.cases.names import (
    claim_id,
    compensation_id,
    correction_id,
    dispute_id,
    large_win_id,
    reversal_id,
    write_off_id,
)
from backoffice.domain.cases.opening import hold_large_wins, open_claim, open_compensations, open_disputes
from backoffice.domain.cases.state import Case
from backoffice.domain.claims import CorrectedCards
from backoffice.domain.event import Event, Refused
from backoffice.domain.jackpots.events import JackpotHit, PrizeDrawn
from backoffice.domain.jackpots.reversal import return_prizes, reverse_hits
from backoffice.domain.ledger import postings
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import Cancel, Settle
from backoffice.domain.rounds.correction import correct_round
from backoffice.domain.rounds.decisions import Round, decide_round, evolve_round
from backoffice.domain.rounds.events import (
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
    Shortfall,
)
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.reversal import check_reversible, reverse_round, shortfalls
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.domain.staff import check_decides
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money

LEAVING_CASES = frozenset({RoundSettled, PotSettled, RoundCancelled, JackpotHit})
"""The facts that may leave a person something to decide."""


def left_to_people(state: Round, events: Sequence[Event]) -> Iterator[Event]:
    """The cases that open because of what just became true of a round."""
    for event in events:
        match event:
            case RoundSettled() | PotSettled():
                yield from open_disputes(event.round, event.discrepancies)
            case RoundCancelled() if isinstance(state, HouseRound):
                yield from open_compensations(event.round, state.entitlements)
            case JackpotHit():
                held = [share for share in event.shares if share.held]
                yield from hold_large_wins(event.jackpot, event.round, state.result_number, held)


def cases_of_result(state: Round) -> list[str]:
    """The names of the cases that may hang on a settled round's result."""
    if state.settled is None:
        return []
    name, number = state.opened.round, state.settled.number
    disputes = [dispute_id(name, one.seat, one.bet) for one in state.settled.discrepancies]
    return disputes + [large_win_id(name, seat, number) for seat in state.seats]


def decide_case(past: Past, command: cases.StaffCommand) -> list[Event]:
    """The facts that follow from what a person asks. Raises Refused with the reason."""
    match command:
        case cases.CaseCommand():
            return _step(past, command)
        case cases.OpenCase():
            return _claim(past, command)
        case cases.RequestWriteOff():
            owed = past.owed(Wallet(command.casino, command.player, command.currency))
            known = past.cases.get(write_off_id(command))
            return request_write_off(known, command, owed, past.network.approval)
        case cases.RequestReversal():
            return _reversal_asked(past, command)
        case cases.RequestCorrection():
            return _correction_asked(past, command)
        case cases.CancelRound():
            return _cancellation_asked(past, command)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _step(past: Past, command: cases.CaseCommand) -> list[Event]:
    state, terms = _case(past, command.case), past.network.approval
    match command:
        case cases.Propose():
            return propose(state, command, terms, past.owed)
        case cases.Approve():
            events = approve(state, command, terms, _reversal_of(past, state))
            if isinstance(state.opened, CorrectionRequested):
                # What cannot be carried out is not approved: no rate may be in force at this time, for instance.
                _correction(past, state.opened.round, _cards_of(state), command.at)
            return events
        case cases.RefuseProposal():
            return refuse(state, command)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _reversal_of(past: Past, state: Case) -> Case | None:
    """The case about reversing the round on whose result `state` hangs."""
    match state.opened:
        case DisputeOpened(round=round_id) | LargeWinHeld(round=round_id):
            return past.cases.get(reversal_id(round_id))
        case _:
            return None


def _case(past: Past, case: str) -> Case:
    state = past.cases.get(case)
    if state is None:
        raise Refused(f"there is no case {case}", "case")
    return state


def _claim(past: Past, command: cases.OpenCase) -> list[Event]:
    events = open_claim(past.cases.get(claim_id(command)), command, past.network.currencies)
    if command.round is not None:
        _check_took_part(past.opened(command.round), command)
    return events


def _check_took_part(state: Round, command: cases.OpenCase) -> None:
    """Raises Refused for who did not play in the round, and for a jackpot hand that the round itself decides about."""
    wallet = Wallet(command.casino, command.player, command.currency)
    if wallet not in {seat.wallet for seat in state.seats.values()}:
        where = f"round {state.opened.round} in {command.currency}"
        raise Refused(f"{command.player} of {command.casino} did not play in {where}", "round")
    if command.grounds is not cases.Grounds.JACKPOT_HAND or not isinstance(state, HouseRound):
        return
    if state.phase not in {Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED}:
        raise Refused(
            "the round is not over: its settling, or its cancellation, decides about the hand", "phase"
        )
    for one in state.entitlements:
        if (one.casino, one.player) == wallet[:2]:
            case = compensation_id(state.opened.round, one.seat)
            raise Refused(f"this hand has a case already: {case}", "case")


def _reversal_asked(past: Past, command: cases.WholeRound) -> list[Event]:
    state = past.opened(command.round)
    check_decides(command.by, _casinos(state) or state.opened.terms.casinos)
    check_reversible(state)
    known = past.cases.get(reversal_id(command.round))
    return request_reversal(known, command, _casinos(state), past.network.approval)


def _correction_asked(past: Past, command: cases.RequestCorrection) -> list[Event]:
    state = past.opened(command.round)
    cards = CorrectedCards(command.hands, command.dealer, command.up)
    known = past.cases.get(correction_id(command.round))
    asked = request_correction(known, command, cards, _casinos(state), past.network.approval)
    _correction(past, command.round, cards, command.at)  # cards that cannot be are refused now
    return asked


def _cancellation_asked(past: Past, command: cases.CancelRound) -> list[Event]:
    """An open round is cancelled at once; a settled one is asked to be reversed."""
    state = past.opened(command.round)
    if state.phase is Phase.SETTLED:
        return _reversal_asked(past, command)
    check_decides(command.by, state.opened.terms.casinos)
    cancel = Cancel(do="cancel", id=command.id, at=command.at, round=command.round, reason=command.reason)
    return decide_round(state, cancel, past.around(state, command.at))


def _casinos(state: Round) -> tuple[str, ...]:
    """The casinos whose players sat in a round."""
    return tuple(sorted({seat.wallet.casino for seat in state.seats.values()}))


def carry_out_case(past: Past, command: cases.CarryOut) -> list[Event]:
    """What was approved, done, with all it brings about. Raises Refused where nothing is approved."""
    state = _case(past, command.case)
    events = carry_out(command.case, state, past.owed)
    match events:
        case [ReversalCarriedOut(round=round_id)]:
            return [*events, *_reversal(past, round_id, command.at)]
        case [CorrectionCarriedOut(round=round_id)]:
            return [*events, *_correction(past, round_id, _cards_of(state), command.at)]
        case _:
            return events


def _reversal(past: Past, round_id: str, at: datetime) -> list[Event]:
    """A round taken back with its hits and what hangs on its result; what players cannot give back is a debt."""
    state = past.opened(round_id)
    hanging = {name: past.cases[name] for name in cases_of_result(state) if name in past.cases}
    hits = _hits_reversed(past, state, hanging.values())
    around = past.around(state, at, after=hits)
    undone = [event for name, case in hanging.items() for event in undo_with_round(name, case)]
    return _with_shortfalls(reverse_round(state, around), [*hits, *undone], around)


def _hits_reversed(past: Past, state: Round, hanging: Iterable[Case]) -> list[Event]:
    """The jackpot's facts of a round, backwards. A share that is still held comes out of what is held."""
    if state.opened.terms.jackpot is None or state.settled is None:
        return []
    jackpot, round_id = past.jackpots[state.opened.terms.jackpot], state.opened.round
    hits = past.hits.get(round_id, [])
    held = [case.opened.seat for case in hanging if isinstance(case.opened, LargeWinHeld) and not case.closed]
    shared = {share.seat for hit in hits for share in hit.shares}
    fixed = (
        PrizeDrawn(line.seat, line.casino, line.player, Money(line.payout, line.currency))
        for line in state.settled.lines
        if line.paid_by == "pool" and line.seat not in shared
    )
    # A box has one prize, so a seat with a share has no fixed one.
    return [*reverse_hits(jackpot, hits, held), *return_prizes(jackpot.id, round_id, fixed)]


def _cards_of(state: Case) -> CorrectedCards:
    """The cards that stand proposed."""
    assert state.proposal is not None
    assert state.proposal.cards is not None  # every proposal to correct a round has them
    return state.proposal.cards


def _correction(past: Past, round_id: str, cards: CorrectedCards, at: datetime) -> list[Event]:
    """A reversed round with the right cards, settled by the rules; what players cannot pay is a debt."""
    state = past.opened(round_id)
    corrected = correct_round(state, cards, past.around(state, at))
    again = evolve_round(state, corrected)
    around = past.around(again, at, after=[corrected])
    settled = decide_round(again, _settle(round_id, at), around)
    return _with_shortfalls(corrected, [*settled, *left_to_people(again, settled)], around)


def _settle(round_id: str, at: datetime) -> Settle:
    """The table's own action; of a round that has its name already."""
    return Settle(do="settle", id="settle", at=at, round=round_id)


def _with_shortfalls(
    first: RoundReversed | RoundCorrected, others: list[Event], around: Surroundings
) -> list[Event]:
    """All the facts; the first of them says what each player cannot give, when everything is counted."""
    net: Counter[Wallet] = Counter()
    for event in (first, *others):
        for account, currency, minor in postings(event):
            if account.kind == "player":
                net[wallet_of(account, currency)] += minor
    short: tuple[Shortfall, ...] = shortfalls(net, around)
    return [replace(first, shortfalls=short), *others]
