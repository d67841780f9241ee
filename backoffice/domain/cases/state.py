"""A case as its facts leave it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

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
    WriteOffRequested,
)
from backoffice.domain.event import Event
from backoffice.kernel.money import Money


class Standing(StrEnum):
    """How far a case has come."""

    OPEN = "open"
    PROPOSED = "proposed"
    APPROVED = "approved"
    CLOSED = "closed"


Opening = (
    CompensationOpened | DisputeOpened | LargeWinHeld | ClaimOpened | ReversalRequested | WriteOffRequested
)
_CLOSING = (CaseDismissed, CompensationPaid, LargeWinReleased, DebtWrittenOff, ReversalCarriedOut)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposal that stands: its number, what it is for, whose it is, until when, and who has approved it so far."""

    number: int
    amount: Money | None
    by: str
    expires_at: datetime
    approved_by: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what opened it, how far it is, and the proposal that stands (or stood last)."""

    opened: Opening
    standing: Standing = Standing.OPEN
    proposal: Proposal | None = None

    @property
    def closed(self) -> bool:
        """Whether nothing is left to do."""
        return self.standing is Standing.CLOSED

    @property
    def casinos(self) -> tuple[str, ...]:
        """The casinos whose staff decide."""
        return self.opened.casinos if isinstance(self.opened, ReversalRequested) else (self.opened.casino,)

    @property
    def currency(self) -> str | None:
        """The currency a payment of this case is in; None where it is about no one sum."""
        match self.opened:
            case CompensationOpened():
                return self.opened.suggested.currency
            case DisputeOpened():
                return self.opened.due.currency
            case ClaimOpened():
                return self.opened.currency
            case _:
                return None


def evolve_case(state: Case | None, event: Event) -> Case:
    """`state` after `event`; never validates."""
    if state is None:
        assert isinstance(event, Opening)  # a stream begins with what opened the case
        return Case(event)
    match event:
        case ProposalMade():
            proposal = Proposal(event.proposal, event.amount, event.by, event.expires_at)
            return replace(state, standing=Standing.PROPOSED, proposal=proposal)
        case ProposalApproved():
            return _approved(state, event)
        case ProposalRefused():
            return replace(state, standing=Standing.OPEN)
        case _ if isinstance(event, _CLOSING):
            return replace(state, standing=Standing.CLOSED)
        case _:
            raise TypeError(f"{event!r} is no fact of a case")


def _approved(state: Case, event: ProposalApproved) -> Case:
    assert state.proposal is not None
    proposal = replace(state.proposal, approved_by=(*state.proposal.approved_by, event.by))
    return replace(state, standing=Standing.APPROVED if event.final else Standing.PROPOSED, proposal=proposal)
