"""What a fact must cause: a new command that comes in by the same front door (design.md, 1)."""

from backoffice.domain.event import Command, Event
from backoffice.domain.rounds.commands import Refund
from backoffice.domain.rounds.events import CancellationRequested
from backoffice.log.envelope import NewEvent

REACTING = "reactions"
"""The sender under which reactions come in."""


def react(envelope: NewEvent, event: Event) -> list[Command]:
    """The commands that `event` causes; their ids are made of the event's, so that a second reaction repeats the first."""
    match event:
        case CancellationRequested():
            return [Refund(id=f"refund:{envelope.event_id}", at=envelope.happened_at, round=event.round)]
        case _:
            return []
