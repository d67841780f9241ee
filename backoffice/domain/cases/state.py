"""A case as its facts leave it."""

from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum

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
    WriteOffRequested,
)
from backoffice.domain.claims import CorrectedCards
from backoffice.domain.event import Event
from backoffice.kernel.money import Money


class Standing(StrEnum):
    """How far a case has come."""

    OPEN = "open"
    PROPOSED = "proposed"
    APPROVED = "approved"
    CLOSED = "closed"


RoundRequest = ReversalRequested | CorrectionRequested
Opening = CompensationOpened | DisputeOpened | LargeWinHeld | ClaimOpened | RoundRequest | WriteOffRequested
_CLOSING = (
    CaseDismissed,
    CaseVoided,
    LargeWinReleased,
    DebtWrittenOff,
    ReversalCarriedOut,
    CorrectionCarriedOut,
)


@dataclass(frozen=True, slots=True)
class Proposal:
    """The proposal that stands: its number, what it is for, whose it is, until when, and who has approved it so far."""

    number: int
    amount: Money | None
    by: str
    expires_at: datetime | None
    cards: CorrectedCards | None = None
    approved_by: tuple[str, ...] = ()

    def expired(self, at: datetime) -> bool:
        """Whether nobody can approve it any more."""
        return self.expires_at is not None and at > self.expires_at


@dataclass(frozen=True, slots=True)
class Case:
    """One case: what opened it, how far it is, the proposal that stands (or stood last), and what was paid by it."""

    opened: Opening
    standing: Standing = Standing.OPEN
    proposal: Proposal | None = None
    paid: Money | None = None

    @property
    def closed(self) -> bool:
        """Whether nothing is left to do."""
        return self.standing is Standing.CLOSED

    @property
    def casinos(self) -> tuple[str, ...]:
        """The casinos whose staff decide."""
        return self.opened.casinos if isinstance(self.opened, RoundRequest) else (self.opened.casino,)

    @property
    def currency(self) -> str | None:
        """The currency of a case about a sum; None where it is about a whole round."""
        match self.opened:
            case CompensationOpened():
                return self.opened.suggested.currency
            case DisputeOpened():
                return self.opened.due.currency
            case LargeWinHeld():
                return self.opened.held.currency
            case ClaimOpened():
                return self.opened.currency
            case WriteOffRequested():
                return self.opened.amount.currency
            case _:
                return None


def evolve_case(state: Case | None, event: Event) -> Case:
    """`state` after `event`; never validates."""
    if state is None:
        assert isinstance(event, Opening)  # a stream begins with what opened the case
        return Case(event)
    match event:
        case ProposalMade():
            proposal = Proposal(event.proposal, event.amount, event.by, event.expires_at, event.cards)
            return replace(state, standing=Standing.PROPOSED, proposal=proposal)
        case ProposalApproved():
            return _approved(state, event)
        case ProposalRefused():
            return replace(state, standing=Standing.OPEN)
        case CompensationPaid():
            return replace(state, standing=Standing.CLOSED, paid=event.amount)
        case CompensationTakenBack():
            return replace(state, paid=None)
        case _ if isinstance(event, _CLOSING):
            return replace(state, standing=Standing.CLOSED)
        case _:
            raise TypeError(f"{event!r} is no fact of a case")


def _approved(state: Case, event: ProposalApproved) -> Case:
    assert state.proposal is not None
    proposal = replace(state.proposal, approved_by=(*state.proposal.approved_by, event.by))
    return replace(state, standing=Standing.APPROVED if event.final else Standing.PROPOSED, proposal=proposal)
