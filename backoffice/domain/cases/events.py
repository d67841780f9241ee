"""What became true of a case."""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import ClassVar

from backoffice.domain.claims import CorrectedCards
from backoffice.domain.event import Event
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


class Kind(StrEnum):
    """What a case is about. A case's name begins with it."""

    COMPENSATION = "compensation"
    DISPUTE = "dispute"
    LARGE_WIN = "large-win"
    CLAIM = "claim"
    REVERSAL = "reversal"
    CORRECTION = "correction"
    WRITE_OFF = "write-off"


@dataclass(frozen=True, slots=True)
class CaseEvent(Event):
    """A fact of one case."""

    case: str

    @property
    def stream(self) -> str:
        """`case/{id}`."""
        return f"case/{self.case}"


@dataclass(frozen=True, slots=True)
class SeatCaseOpened(CaseEvent):
    """A case opened about one seat of a round."""

    kind: ClassVar[Kind]
    round: str
    seat: str
    casino: str
    player: str


@dataclass(frozen=True, slots=True)
class CompensationOpened(SeatCaseOpened):
    """A hand of a cancelled round would have won from the jackpot table; the player's own casino decides about it."""

    type_name = "case.compensation_opened"
    kind = Kind.COMPENSATION
    hand: str
    cards: tuple[str, ...]
    suggested: Money


@dataclass(frozen=True, slots=True)
class DisputeOpened(SeatCaseOpened):
    """A table claims a payout that the rules do not give; the rules' was paid, and a person looks at it."""

    type_name = "case.dispute_opened"
    kind = Kind.DISPUTE
    bet: str
    claimed: Money
    due: Money


@dataclass(frozen=True, slots=True)
class LargeWinHeld(SeatCaseOpened):
    """A share of a jackpot is held until a second person confirms it; the pool was reset all the same."""

    type_name = "case.large_win_held"
    kind = Kind.LARGE_WIN
    jackpot: str
    held: Money


@dataclass(frozen=True, slots=True)
class ClaimOpened(CaseEvent):
    """Staff opened a case for a player by hand."""

    type_name = "case.claim_opened"
    kind: ClassVar[Kind] = Kind.CLAIM
    casino: str
    player: str
    currency: str
    grounds: str
    reason: str
    by: str
    round: str | None = None


@dataclass(frozen=True, slots=True)
class ReversalRequested(CaseEvent):
    """Staff asked for a settled round to be reversed."""

    type_name = "case.reversal_requested"
    kind: ClassVar[Kind] = Kind.REVERSAL
    round: str
    casinos: tuple[str, ...]
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class CorrectionRequested(CaseEvent):
    """Staff asked for a reversed round to be settled anew; the corrected cards stand in each proposal."""

    type_name = "case.correction_requested"
    kind: ClassVar[Kind] = Kind.CORRECTION
    round: str
    casinos: tuple[str, ...]
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class WriteOffRequested(CaseEvent):
    """Staff asked for a player's debt to be written off."""

    type_name = "case.write_off_requested"
    kind: ClassVar[Kind] = Kind.WRITE_OFF
    casino: str
    player: str
    amount: Money
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class ProposalMade(CaseEvent):
    """Somebody proposed how to decide the case; another person must approve it, before `expires_at` if there is one.

    A decided case that is about a whole round is open again with it: the round may be reversed, and corrected, again.
    """

    type_name = "case.proposal_made"
    proposal: int
    amount: Money | None
    reason: str
    by: str
    expires_at: datetime | None
    cards: CorrectedCards | None = None


@dataclass(frozen=True, slots=True)
class ProposalApproved(CaseEvent):
    """Another person approved a proposal; `final` when nobody else is needed."""

    type_name = "case.proposal_approved"
    proposal: int
    by: str
    role: str
    final: bool


@dataclass(frozen=True, slots=True)
class ProposalRefused(CaseEvent):
    """Another person refused a proposal."""

    type_name = "case.proposal_refused"
    proposal: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class CaseDismissed(CaseEvent):
    """The case was closed and moved no money: nought was approved, or what was asked for was refused."""

    type_name = "case.dismissed"


@dataclass(frozen=True, slots=True)
class CaseVoided(CaseEvent):
    """The case was closed because what it was about is not true any more."""

    type_name = "case.voided"
    reason: str


@dataclass(frozen=True, slots=True)
class MoneyMoved(CaseEvent):
    """An approved decision moved money of one wallet's owner."""

    casino: str
    player: str
    amount: Money

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return Wallet(self.casino, self.player, self.amount.currency)


@dataclass(frozen=True, slots=True)
class CompensationPaid(MoneyMoved):
    """The approved amount was paid from the casino's compensation account."""

    type_name = "case.compensation_paid"


@dataclass(frozen=True, slots=True)
class CompensationTakenBack(MoneyMoved):
    """What had been paid about a disputed payout came back when its round was reversed."""

    type_name = "case.compensation_taken_back"


@dataclass(frozen=True, slots=True)
class LargeWinReleased(MoneyMoved):
    """A held share went to its winner."""

    type_name = "case.large_win_released"


@dataclass(frozen=True, slots=True)
class DebtWrittenOff(MoneyMoved):
    """What a player owed was written off at the casino's cost."""

    type_name = "case.debt_written_off"


@dataclass(frozen=True, slots=True)
class ReversalCarriedOut(CaseEvent):
    """An approved reversal was carried out: the round's own facts say how."""

    type_name = "case.reversal_carried_out"
    round: str


@dataclass(frozen=True, slots=True)
class CorrectionCarriedOut(CaseEvent):
    """An approved correction was carried out: the round's own facts say how."""

    type_name = "case.correction_carried_out"
    round: str


def case_id(*parts: str) -> str:
    """One name out of several that no other parts can make: a `/` inside a part is escaped, then they are joined by it."""
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)
