"""What opens a case: hands of cancelled rounds that would have won, payouts that a table disputes."""

from collections.abc import Iterable

from backoffice.domain.cases.events import CompensationOpened, DisputeOpened, case_id
from backoffice.domain.claims import Discrepancy, Entitlement


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
