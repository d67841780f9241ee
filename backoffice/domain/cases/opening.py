"""How a case opens: by itself, with what became true of a round, or by hand."""

from collections.abc import Iterable, Mapping
from typing import Protocol

from backoffice.domain.cases.commands import OpenCase
from backoffice.domain.cases.events import (
    ClaimOpened,
    CompensationOpened,
    DisputeOpened,
    LargeWinHeld,
    ProposalMade,
)
from backoffice.domain.cases.names import claim_id, compensation_id, dispute_id, large_win_id
from backoffice.domain.cases.state import Case
from backoffice.domain.claims import Discrepancy, Entitlement
from backoffice.domain.event import Event, Refused
from backoffice.domain.staff import check_decides
from backoffice.kernel.money import Money

THE_TABLE = "table"
"""In whose name a large win stands proposed."""


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
            case=compensation_id(round_id, one.seat),
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
            case=dispute_id(round_id, one.seat, one.bet),
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


def open_claim(state: Case | None, command: OpenCase, currencies: Mapping[str, Iterable[str]]) -> list[Event]:
    """A compensation case opened by hand, for a player of a casino whose staff opens it."""
    check_decides(command.by, (command.casino,))
    check_new(state)
    if command.currency not in currencies.get(command.casino, ()):
        raise Refused(f"{command.casino} does not play in {command.currency}", "currency")
    return [
        ClaimOpened(
            case=claim_id(command),
            casino=command.casino,
            player=command.player,
            currency=command.currency,
            grounds=command.grounds,
            reason=command.reason,
            by=command.by.name,
            round=command.round,
        )
    ]


def hold_large_wins(jackpot: str, round_id: str, result: int, shares: Iterable[HeldShare]) -> list[Event]:
    """A case for each share that is held: the table's word is the proposal, a person of the house confirms it."""
    events: list[Event] = []
    for share in shares:
        case, held = large_win_id(round_id, share.seat, result), Money(share.amount, share.currency)
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
            case=case, proposal=1, amount=held, reason="large win", by=THE_TABLE, expires_at=None
        )
        events += [opened, stands]
    return events


def check_new(state: Case | None) -> None:
    """Raises Refused where the case is there already: a sender's id names one case, whatever door it comes through."""
    if state is not None:
        raise Refused("this person has opened a case under this id already", "case")
