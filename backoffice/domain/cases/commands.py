"""What people ask of a case. `by` is who asks; `at` is when, and the clock by which proposals expire."""

from dataclasses import field
from enum import StrEnum
from typing import Annotated

from pydantic import Field, StringConstraints

from backoffice.domain.event import (
    PRINTABLE,
    AmountText,
    Card,
    Command,
    CurrencyCode,
    Hand,
    Id,
    Reason,
)
from backoffice.domain.staff import Person
from backoffice.kernel.values import value

CaseId = Annotated[str, StringConstraints(min_length=1, max_length=800, pattern=PRINTABLE)]


class Grounds(StrEnum):
    """Why a case is opened by hand: a closed list, for the exceptions report."""

    MALFUNCTION = "malfunction"
    DEALING_ERROR = "dealing error"
    CONNECTION_LOST = "connection lost"
    JACKPOT_HAND = "jackpot hand not paid"
    GOODWILL = "goodwill"
    OTHER = "other"


@value
class StaffCommand(Command):
    """Something a person of the staff asks for."""

    by: Person


@value
class OpenCase(StaffCommand):
    """Open a compensation case by hand, for any player; with `round`, about a round that the player sat in."""

    casino: Id
    player: Id
    currency: CurrencyCode
    grounds: Grounds
    reason: Reason
    round: Id | None = None


@value
class WholeRound(StaffCommand):
    """Something asked about a whole round."""

    round: Id
    reason: Reason


@value
class CancelRound(WholeRound):
    """Cancel a round at any stage: an open one at once; of a settled one, ask for the reversal."""


@value
class RequestReversal(WholeRound):
    """Ask for a settled round to be cancelled: malfunction voids all pays. Needs a second person's approval."""


@value
class RequestCorrection(WholeRound):
    """Ask for a reversed round to be settled anew with the cards as they really were. Needs a second person's approval.

    Stakes and decisions stay. What is not given stays as it was dealt: `hands` by seat (`shared` where one hand is
    everybody's), the dealer's five cards, his open card.
    """

    hands: dict[Id, Hand] = field(default_factory=dict)
    dealer: Hand | None = None
    up: Card | None = None


@value
class RequestWriteOff(StaffCommand):
    """Ask for a player's debt to be written off. Needs a second person's approval."""

    casino: Id
    player: Id
    currency: CurrencyCode
    amount: AmountText
    reason: Reason


@value
class CaseCommand(StaffCommand):
    """A step of one case."""

    case: CaseId


@value
class Propose(CaseCommand):
    """Propose what to pay in a case, in its currency; nought closes it without a payment."""

    amount: AmountText
    reason: Reason


@value
class Approve(CaseCommand):
    """Approve a proposal, by its number: another person's, as it stands."""

    proposal: Annotated[int, Field(ge=1)]


@value
class RefuseProposal(CaseCommand):
    """Refuse a proposal, by its number; a request is closed by that, any other case stays open."""

    proposal: Annotated[int, Field(ge=1)]
    reason: Reason


@value
class CarryOut(Command):
    """Do what was approved. Asked by the reaction to the approval."""

    case: str
    """As the approval has it."""
