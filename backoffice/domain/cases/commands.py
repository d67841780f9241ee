"""What people ask of a case. `by` is who asks; `at` is when, and the clock by which proposals expire."""

from enum import StrEnum
from typing import Annotated

from pydantic import Field

from backoffice.domain.event import AmountText, Command, CurrencyCode, Id, Reason
from backoffice.domain.staff import Person

CaseId = Annotated[str, Field(min_length=1, max_length=800)]


class Grounds(StrEnum):
    """Why a case is opened by hand: a closed list, for the exceptions report."""

    MALFUNCTION = "malfunction"
    DEALING_ERROR = "dealing error"
    CONNECTION_LOST = "connection lost"
    JACKPOT_HAND = "jackpot hand not paid"
    GOODWILL = "goodwill"
    OTHER = "other"


class StaffCommand(Command):
    """Something a person of the staff asks for."""

    by: Person


class OpenCase(StaffCommand):
    """Open a compensation case by hand, for any player."""

    casino: Id
    player: Id
    currency: CurrencyCode
    grounds: Grounds
    reason: Reason
    round: Id | None = None


class RequestReversal(StaffCommand):
    """Ask for a settled round to be cancelled: malfunction voids all pays. Needs a second person's approval."""

    round: Id
    reason: Reason


class RequestWriteOff(StaffCommand):
    """Ask for a player's debt to be written off. Needs a second person's approval."""

    casino: Id
    player: Id
    currency: CurrencyCode
    amount: AmountText
    reason: Reason


class CaseCommand(StaffCommand):
    """A step of one case."""

    case: CaseId


class Propose(CaseCommand):
    """Propose what to pay in a case, in its currency; nought closes it without a payment."""

    amount: AmountText
    reason: Reason


class Approve(CaseCommand):
    """Approve a proposal, by its number: another person's, as it stands."""

    proposal: Annotated[int, Field(ge=1)]


class RefuseProposal(CaseCommand):
    """Refuse a proposal, by its number; the case stays open."""

    proposal: Annotated[int, Field(ge=1)]
    reason: Reason


class CarryOut(Command):
    """Do what was approved. Asked by the reaction to the approval."""

    case: CaseId
