"""Opening, proposing, approving, refusing, and doing what was approved. Two pairs of eyes, whatever roles they hold."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Protocol

from backoffice.domain.cases.commands import (
    Approve,
    OpenCase,
    Propose,
    RefuseProposal,
    RequestReversal,
    RequestWriteOff,
    StaffCommand,
)
from backoffice.domain.cases.events import (
    CaseDismissed,
    ClaimOpened,
    CompensationOpened,
    CompensationPaid,
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
    case_id,
)
from backoffice.domain.cases.state import Case, Proposal, Standing
from backoffice.domain.claims import Discrepancy, Entitlement
from backoffice.domain.event import Event, Refused
from backoffice.domain.staff import DECIDING, Person
from backoffice.domain.terms import ApprovalTerms
from backoffice.kernel.currencies import BadAmount
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money

THE_TABLE = "table"
"""In whose name a large win stands proposed."""
_FOR_GOOD = timedelta(days=3650)


class HeldShare(Protocol):
    """A share of a jackpot that waits to be confirmed."""

    @property
    def seat(self) -> str:
        """The seat that won."""

    @property
    def casino(self) -> str:
        """The player's casino."""

    @property
    def player(self) -> str:
        """The winner."""

    @property
    def currency(self) -> str:
        """The player's currency."""

    @property
    def amount(self) -> int:
        """What was won, in minor units."""


def open_compensations(round_id: str, entitlements: Iterable[Entitlement]) -> list[CompensationOpened]:
    """A compensation case for each entitled seat of a cancelled round."""
    return [
        CompensationOpened(
            case=case_id(round_id, one.seat),
            round=round_id,
            seat=one.seat,
            casino=one.casino,
            player=one.player,
            hand=one.hand,
            cards=one.cards,
            suggested=one.suggested,
        )
        for one in entitlements
    ]


def open_disputes(round_id: str, discrepancies: Iterable[Discrepancy]) -> list[DisputeOpened]:
    """A dispute for each payout that differs from the rules'."""
    return [
        DisputeOpened(
            case=case_id(round_id, one.seat, one.bet),
            round=round_id,
            seat=one.seat,
            casino=one.casino,
            player=one.player,
            bet=one.bet,
            claimed=one.claimed,
            due=one.due,
        )
        for one in discrepancies
    ]


def open_claim(command: OpenCase, currencies: Mapping[str, Iterable[str]]) -> list[Event]:
    """A compensation case opened by hand, for a player of a casino whose staff opens it."""
    _check_staff(command.by, (command.casino,))
    if command.currency not in currencies.get(command.casino, ()):
        raise Refused(f"{command.casino} does not play in {command.currency}", "currency")
    return [
        ClaimOpened(
            case=case_id("claim", command.by.name, command.id),
            casino=command.casino,
            player=command.player,
            currency=command.currency,
            grounds=command.grounds,
            reason=command.reason,
            by=command.by.name,
            round=command.round,
        )
    ]


def hold_large_wins(jackpot: str, round_id: str, shares: Iterable[HeldShare], at: datetime) -> list[Event]:
    """A case for each share that is held: the table's word is the proposal, a person of the house confirms it."""
    events: list[Event] = []
    for share in shares:
        case, held = case_id("large win", round_id, share.seat), Money(share.amount, share.currency)
        opened = LargeWinHeld(
            case=case,
            round=round_id,
            seat=share.seat,
            casino=share.casino,
            player=share.player,
            jackpot=jackpot,
            held=held,
        )
        stands = ProposalMade(
            case=case, proposal=1, amount=held, reason="large win", by=THE_TABLE, expires_at=at + _FOR_GOOD
        )
        events += [opened, stands]
    return events


def request_reversal(
    state: Case | None, command: RequestReversal, casinos: tuple[str, ...], terms: ApprovalTerms
) -> list[Event]:
    """A reversal asked for, to be approved by a second person; again only once the last request was refused."""
    _check_staff(command.by, casinos)
    case = case_id("reversal", command.round)
    if state is None:
        opened = ReversalRequested(
            case=case, round=command.round, casinos=casinos, reason=command.reason, by=command.by.name
        )
        return [opened, _made(case, 1, None, command.reason, command, terms)]
    _check_undecided(state)
    if state.standing is Standing.PROPOSED and state.proposal and command.at <= state.proposal.expires_at:
        raise Refused(f"{state.proposal.by} has asked for this reversal already", "case")
    return [_made(case, _next(state), None, command.reason, command, terms)]


def request_write_off(command: RequestWriteOff, owed: int, terms: ApprovalTerms) -> list[Event]:
    """A debt to be written off, once a second person approves; `owed` in minor units."""
    _check_staff(command.by, (command.casino,))
    amount = _amount(command.amount, command.currency)
    if not 0 < amount.minor <= owed:
        raise Refused(f"{command.player} owes {Money(owed, command.currency)}, not {amount}", "debt")
    case = case_id("write off", command.by.name, command.id)
    opened = WriteOffRequested(
        case=case,
        casino=command.casino,
        player=command.player,
        amount=amount,
        reason=command.reason,
        by=command.by.name,
    )
    return [opened, _made(case, 1, amount, command.reason, command, terms)]


def propose(case: str, state: Case, command: Propose, terms: ApprovalTerms) -> list[Event]:
    """A proposal of what to pay; it takes the place of one that stands."""
    _check_staff(command.by, state.casinos)
    _check_undecided(state)
    if state.currency is None:
        raise Refused("there is no sum to propose in this case", "case")
    amount = _amount(command.amount, state.currency)
    return [_made(case, _next(state), amount, command.reason, command, terms)]


def approve(case: str, state: Case, command: Approve, terms: ApprovalTerms) -> list[Event]:
    """Another person's approval; final when the sum is within what that person's role may approve alone.

    Above it a third person is needed, whose role may approve the sum.
    """
    proposal = _standing_proposal(state, command.proposal, command.by, command.at)
    within = _within_limit(terms, command.by, proposal.amount)
    if proposal.approved_by and not within:
        raise Refused(f"{proposal.amount} is above what a {command.by.role} may approve", "limit")
    return [
        ProposalApproved(
            case=case,
            proposal=proposal.number,
            by=command.by.name,
            role=command.by.role,
            final=within,
        )
    ]


def refuse(case: str, state: Case, command: RefuseProposal) -> list[Event]:
    """Another person's no; the case stays open."""
    proposal = _standing_proposal(state, command.proposal, command.by, command.at)
    return [ProposalRefused(case=case, proposal=proposal.number, by=command.by.name, reason=command.reason)]


def carry_out(case: str, state: Case, debt: Callable[[Wallet], int]) -> list[Event]:
    """What was approved, done. Raises Refused where there is nothing approved that is not done yet."""
    if state.standing is not Standing.APPROVED or state.proposal is None:
        raise Refused(f"case {case} is {state.standing}: there is nothing to carry out", "case")
    opened, amount = state.opened, state.proposal.amount
    match opened:
        case ReversalRequested():
            return [ReversalCarriedOut(case=case, round=opened.round)]
        case LargeWinHeld():
            return [_paid(LargeWinReleased, case, opened, opened.held)]
        case WriteOffRequested():
            wallet = Wallet(opened.casino, opened.player, opened.amount.currency)
            left = min(opened.amount.minor, debt(wallet))
            return [_paid(DebtWrittenOff, case, opened, Money(left, wallet.currency))]
        case _:
            return [
                _paid(CompensationPaid, case, opened, amount)
                if amount and amount.minor
                else CaseDismissed(case=case)
            ]


def _paid(
    kind: type[LargeWinReleased] | type[DebtWrittenOff] | type[CompensationPaid],
    case: str,
    opened: SeatCaseOpened | ClaimOpened | WriteOffRequested,
    amount: Money,
) -> Event:
    return kind(case=case, casino=opened.casino, player=opened.player, amount=amount)


def _made(
    case: str, number: int, amount: Money | None, reason: str, command: StaffCommand, terms: ApprovalTerms
) -> ProposalMade:
    return ProposalMade(
        case=case,
        proposal=number,
        amount=amount,
        reason=reason,
        by=command.by.name,
        expires_at=command.at + timedelta(seconds=terms.expires_seconds),
    )


def _next(state: Case) -> int:
    return 1 if state.proposal is None else state.proposal.number + 1


def _check_staff(by: Person, casinos: Iterable[str]) -> None:
    if by.role not in DECIDING:
        raise Refused(f"a {by.role} does not decide cases", "role")
    if not any(by.works_at(casino) for casino in casinos):
        raise Refused(f"{by.name} is not of the staff of {' or '.join(casinos)}", "casino")


def _check_undecided(state: Case) -> None:
    if state.standing is Standing.APPROVED:
        raise Refused("the case is decided: its proposal has been approved", "case")
    if state.standing is Standing.CLOSED:
        raise Refused("the case is closed", "case")


def _standing_proposal(state: Case, number: int, by: Person, at: datetime) -> Proposal:
    """The proposal that `by` may decide about now. Raises Refused with the reason why not."""
    _check_staff(by, state.casinos)
    _check_undecided(state)
    proposal = state.proposal
    if proposal is None or state.standing is Standing.OPEN:
        raise Refused("there is no proposal to decide about", "case")
    if proposal.number != number:
        raise Refused(f"proposal {number} was changed: proposal {proposal.number} stands now", "case")
    if at > proposal.expires_at:
        raise Refused(f"proposal {number} expired at {proposal.expires_at.isoformat()}", "expired")
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
