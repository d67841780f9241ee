"""What became true of a case."""

from backoffice.domain.event import Event
from backoffice.kernel.money import Money


class CaseEvent(Event):
    """A fact of one case about one seat of a round."""

    case: str
    round: str
    seat: str
    casino: str
    player: str

    @property
    def stream(self) -> str:
        """`case/{id}`."""
        return f"case/{self.case}"


class CompensationOpened(CaseEvent):
    """A hand of a cancelled round would have won from the jackpot table; the player's own casino decides about it."""

    type_name = "case.compensation_opened"
    hand: str
    cards: tuple[str, ...]
    suggested: Money


class DisputeOpened(CaseEvent):
    """A table claims a payout that the rules do not give; the rules' was paid, and a person looks at it."""

    type_name = "case.dispute_opened"
    bet: str
    claimed: Money
    due: Money


def case_id(*parts: str) -> str:
    """One name out of several that no other parts can make: a `/` inside a part is escaped, then they are joined by it."""
    return "/".join(part.replace("%", "%25").replace("/", "%2F") for part in parts)
