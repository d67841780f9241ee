"""Asking, proposing, approving, refusing, and doing what was approved. Two pairs of eyes, whatever roles they hold."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from backoffice.domain.cases.commands import (
    Approve,
    Propose,
    RefuseProposal,
    RequestWriteOff,
    StaffCommand,
    WholeRound,
)
from backoffice.domain.cases.events import (
    CaseDismissed,
    CaseVoided,
    ClaimOpened,
    CompensationOpened,
    CompensationPaid,
    CompensationTakenBack,
    CorrectionCarriedOut,
    CorrectionRequested,
    DebtWrittenOff,
    DisputeOpened,
    LargeWinHeld,
    LargeWinReleased,
    ProposalApproved,
    ProposalMade,
    ProposalRefused,
    ReversalCarriedOut,
    ReversalRequested,
    SeatCaseOpened,
    WriteOffRequested,
)
from backoffice.domain.cases.names import correction_id, reversal_id, write_off_id
from backoffice.domain.cases.opening import check_new
from backoffice.domain.cases.state import Case, Proposal, RoundRequest, Standing
from backoffice.domain.claims import CorrectedCards
from backoffice.domain.event import Event, Refused
from backoffice.domain.staff import Person, check_decides
from backoffice.domain.terms import ApprovalTerms
from backoffice.kernel.currencies import BadAmount
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


def request_reversal(
    state: Case | None,
    command: WholeRound,
    casinos: tuple[str, ...],
    terms: ApprovalTerms,
) -> list[Event]:
    """A reversal asked for, to be approved by a second person; again only once the last request came to nothing."""
    check_decides(command.by, casinos)
    case = reversal_id(command.round)
    _check_no_request(state, command.at)
    opened = ReversalRequested(
        case=case, round=command.round, casinos=casinos, reason=command.reason, by=command.by.name
    )
    made = _made(case, state, command, command.reason, terms)
    return [made] if state else [opened, made]


def request_correction(
    state: Case | None,
    command: WholeRound,
    cards: CorrectedCards,
    casinos: tuple[str, ...],
    terms: ApprovalTerms,
) -> list[Event]:
    """A reversed round to be settled anew with these cards, once a second person approves; takes an older one's place."""
    check_decides(command.by, casinos)
    case = correction_id(command.round)
    if state is not None:
        _check_not_approved(state)
    opened = CorrectionRequested(
        case=case, round=command.round, casinos=casinos, reason=command.reason, by=command.by.name
    )
    made = _made(case, state, command, command.reason, terms, cards=cards)
    return [made] if state else [opened, made]


def request_write_off(
    state: Case | None, command: RequestWriteOff, owed: int, terms: ApprovalTerms
) -> list[Event]:
    """A debt to be written off, once a second person approves; `owed` in minor units."""
    check_decides(command.by, (command.casino,))
    check_new(state)
    amount = _amount(command.amount, command.currency)
    if not amount.minor:
        raise Refused("an amount is greater than zero", "amount")
    _check_owed(command.player, amount, owed)
    case = write_off_id(command)
    opened = WriteOffRequested(
        case=case,
        casino=command.casino,
        player=command.player,
        amount=amount,
        reason=command.reason,
        by=command.by.name,
    )
    return [opened, _made(case, None, command, command.reason, terms, amount=amount)]


def propose(
    state: Case, command: Propose, terms: ApprovalTerms, owed: Callable[[Wallet], int]
) -> list[Event]:
    """A proposal of what to pay; it takes the place of one that stands."""
    check_decides(command.by, state.casinos)
    _check_undecided(state)
    if state.currency is None:
        raise Refused("this case is about a whole round: there is no sum to propose", "case")
    amount = _amount(command.amount, state.currency)
    _check_sum(state, amount, owed)
    return [_made(command.case, state, command, command.reason, terms, amount=amount)]


def approve(state: Case, command: Approve, terms: ApprovalTerms, reversal: Case | None = None) -> list[Event]:
    """Another person's approval; final when the sum is within what that person's role may approve alone.

    Above it a third person is needed, whose role may approve the sum. What hangs on a round's result waits while the
    `reversal` of that round is asked for.
    """
    proposal = _standing_proposal(state, command.proposal, command.by)
    if proposal.expires_at is not None and proposal.expired(command.at):
        raise Refused(f"proposal {proposal.number} expired at {proposal.expires_at.isoformat()}", "expired")
    if reversal is not None and _pending(reversal, command.at):
        raise Refused("the reversal of the round is asked for: that is decided first", "case")
    within = _within_limit(terms, command.by, proposal.amount)
    if proposal.approved_by and not within:
        raise Refused(
            f"{proposal.amount} is above what {command.by.name} may approve as {command.by.role.words}",
            "limit",
        )
    return [
        ProposalApproved(
            case=command.case,
            proposal=proposal.number,
            by=command.by.name,
            role=command.by.role,
            final=within,
        )
    ]


def refuse(state: Case, command: RefuseProposal) -> list[Event]:
    """Another person's no, also to what has expired: a request is closed with it, any other case stays open."""
    proposal = _standing_proposal(state, command.proposal, command.by)
    refused = ProposalRefused(
        case=command.case, proposal=proposal.number, by=command.by.name, reason=command.reason
    )
    asked = isinstance(state.opened, RoundRequest | WriteOffRequested)
    return [refused, CaseDismissed(case=command.case)] if asked else [refused]


def carry_out(case: str, state: Case, owed: Callable[[Wallet], int]) -> list[Event]:
    """What was approved, done; nothing where the case was closed before that. Raises Refused where nothing is approved."""
    if state.closed:
        return []
    if state.standing is not Standing.APPROVED or state.proposal is None:
        raise Refused(f"case {case} is {state.standing}: there is nothing to carry out", "case")
    opened, amount = state.opened, state.proposal.amount
    match opened:
        case ReversalRequested():
            return [ReversalCarriedOut(case=case, round=opened.round)]
        case CorrectionRequested():
            return [CorrectionCarriedOut(case=case, round=opened.round)]
    assert amount is not None  # every other case is about a sum
    if isinstance(opened, WriteOffRequested):
        wallet = Wallet(opened.casino, opened.player, amount.currency)
        amount = Money(min(amount.minor, owed(wallet)), amount.currency)
    if not amount.minor and not isinstance(opened, LargeWinHeld):
        return [CaseDismissed(case=case)]
    moved = _MOVED[type(opened)]
    return [moved(case=case, casino=opened.casino, player=opened.player, amount=amount)]


_MOVED: Mapping[type[Event], type[CompensationPaid] | type[LargeWinReleased] | type[DebtWrittenOff]] = {
    CompensationOpened: CompensationPaid,
    DisputeOpened: CompensationPaid,
    ClaimOpened: CompensationPaid,
    LargeWinHeld: LargeWinReleased,
    WriteOffRequested: DebtWrittenOff,
}


def undo_with_round(case: str, state: Case) -> list[Event]:
    """What becomes of a case about a round's result when the round is reversed: closed if it is not, else taken back."""
    assert isinstance(state.opened, SeatCaseOpened)
    if not state.closed:
        return [CaseVoided(case=case, reason="the round was reversed")]
    if state.paid is None:
        return []
    return [
        CompensationTakenBack(
            case=case, casino=state.opened.casino, player=state.opened.player, amount=state.paid
        )
    ]


def _made(
    case: str,
    state: Case | None,
    command: StaffCommand,
    reason: str,
    terms: ApprovalTerms,
    *,
    amount: Money | None = None,
    cards: CorrectedCards | None = None,
) -> ProposalMade:
    return ProposalMade(
        case=case,
        proposal=1 if state is None or state.proposal is None else state.proposal.number + 1,
        amount=amount,
        reason=reason,
        by=command.by.name,
        expires_at=command.at + timedelta(seconds=terms.expires_seconds),
        cards=cards,
    )


def _check_undecided(state: Case) -> None:
    _check_not_approved(state)
    if state.closed:
        raise Refused("the case is closed", "case")


def _check_not_approved(state: Case) -> None:
    if state.standing is Standing.APPROVED:
        raise Refused("the case is decided: its proposal has been approved", "case")


def _check_no_request(state: Case | None, at: datetime) -> None:
    if state is None:
        return
    _check_not_approved(state)
    if _pending(state, at) and state.proposal is not None:
        raise Refused(
            f"{state.proposal.by} has asked for this reversal already: approve or refuse it", "case"
        )


def _pending(state: Case, at: datetime) -> bool:
    """Whether what is asked for may still happen: approved and not carried out yet, or proposed and not expired."""
    if state.standing is Standing.APPROVED:
        return True
    return (
        state.standing is Standing.PROPOSED and state.proposal is not None and not state.proposal.expired(at)
    )


def _check_sum(state: Case, amount: Money, owed: Callable[[Wallet], int]) -> None:
    """A person is free in what to pay, but where the case itself says what there is to decide about."""
    match state.opened:
        case LargeWinHeld(held=held) if amount != held:
            raise Refused(f"a held win is released whole, {held}: to void it, reverse the round", "amount")
        case DisputeOpened(claimed=claimed, due=due) if amount.minor:
            difference = Money(claimed.minor - due.minor, due.currency)
            if difference.minor < 0:
                raise Refused(
                    "the rules have paid more than the table claims: only 0 can be proposed", "amount"
                )
            if amount != difference:
                raise Refused(
                    f"the rules' payout stands (0), or the difference is paid, {difference}", "amount"
                )
        case WriteOffRequested(casino=casino, player=player):
            _check_owed(player, amount, owed(Wallet(casino, player, amount.currency)))


def _check_owed(player: str, amount: Money, owed: int) -> None:
    if amount.minor > owed:
        raise Refused(f"{player} owes {Money(owed, amount.currency)}, not {amount}", "debt")


def _standing_proposal(state: Case, number: int, by: Person) -> Proposal:
    """The proposal that `by` may decide about. Raises Refused with the reason why not."""
    check_decides(by, state.casinos)
    _check_undecided(state)
    proposal = state.proposal
    if proposal is None or state.standing is Standing.OPEN:
        raise Refused("there is no proposal to decide about", "case")
    if number > proposal.number:
        raise Refused(f"there is no proposal {number}: proposal {proposal.number} stands", "case")
    if number < proposal.number:
        raise Refused(f"proposal {number} was changed: proposal {proposal.number} stands now", "case")
    if by.name == proposal.by:
        raise Refused(f"{by.name} made this proposal: another person must decide about it", "two people")
    if by.name in proposal.approved_by:
        raise Refused(f"{by.name} has approved this proposal already: a third person must", "two people")
    return proposal


def _within_limit(terms: ApprovalTerms, by: Person, amount: Money | None) -> bool:
    """Whether this person's role may approve this sum; a role without a limit may approve any."""
    limits = terms.limits.get(by.role)
    if amount is None or limits is None:
        return True
    return amount.minor <= limits.get(amount.currency, 0)


def _amount(text: str, currency: str) -> Money:
    try:
        return Money.parse(text, currency)
    except BadAmount as bad:
        raise Refused(str(bad), "amount") from bad
