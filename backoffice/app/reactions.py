"""What a fact must cause: a new command that comes in by the same front door (design.md, 1)."""

from backoffice.app.appending import Fact
from backoffice.domain.cases.commands import CarryOut
from backoffice.domain.cases.events import ProposalApproved
from backoffice.domain.event import Command
from backoffice.domain.rounds.commands import Refund
from backoffice.domain.rounds.events import CancellationRequested

REACTING = "reactions"
"""The sender under which reactions come in."""


def react(fact: Fact) -> list[Command]:
    """The commands that a fact causes; their ids are made of its own, so that a second reaction repeats the first."""
    match fact.event:
        case CancellationRequested() as event:
            return [Refund(id=f"refund:{fact.event_id}", at=fact.happened_at, round=event.round)]
        case ProposalApproved(final=True) as event:
            return [CarryOut(id=f"carry-out:{fact.event_id}", at=fact.happened_at, case=event.case)]
        case _:
            return []
