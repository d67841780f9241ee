"""What a fact must cause: a new command that comes in by the same front door (design.md, 1).

Whoever carries it out, in the fact's own commit or a worker long after it, makes the same request of it: a second one
repeats the first.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from backoffice.app.requests import Request
from backoffice.domain.cases.commands import CarryOut
from backoffice.domain.cases.events import ProposalApproved
from backoffice.domain.event import Command, Event
from backoffice.domain.rounds.commands import Refund
from backoffice.domain.rounds.events import CancellationRequested
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded

REACTING = "reactions"
"""The sender under which reactions come in, and the name of their checkpoint: up to there all are carried out."""
SYSTEM = "system"


class Fact(NamedTuple):
    """A decided event, with what a request says that follows from it."""

    event_id: UUID
    event: Event
    happened_at: datetime
    correlation: str


def reactions_to(fact: Fact) -> list[Request]:
    """The requests that a fact causes; their ids are made of its own, and their time is its time."""
    commands = _COMMANDS.get(type(fact.event))
    if commands is None:
        return []
    return [
        Request(command, REACTING, SYSTEM, fact.event_id, fact.correlation)
        for command in commands(fact, fact.event)
    ]


def as_fact(codec: Codec, recorded: Recorded) -> Fact:
    """A recorded event as it was when it was decided."""
    event = codec.decode(recorded.type, recorded.schema, recorded.data)
    assert isinstance(event, Event)
    assert recorded.correlation is not None  # whatever came in by the front door has one
    return Fact(recorded.event_id, event, recorded.happened_at, recorded.correlation)


def _refund(fact: Fact, event: CancellationRequested) -> list[Command]:
    return [Refund(id=f"refund:{fact.event_id}", at=fact.happened_at, round=event.round)]


def _carry_out(fact: Fact, event: ProposalApproved) -> list[Command]:
    if not event.final:
        return []
    return [CarryOut(id=f"carry-out:{fact.event_id}", at=fact.happened_at, case=event.case)]


_COMMANDS: Mapping[type[Event], Callable[[Fact, Any], list[Command]]] = {
    CancellationRequested: _refund,
    ProposalApproved: _carry_out,
}

CAUSING = frozenset(_COMMANDS)
"""The kinds of facts that may cause something."""
CAUSES: tuple[str, ...] = tuple(cause.type_name for cause in _COMMANDS)
"""Their types."""
