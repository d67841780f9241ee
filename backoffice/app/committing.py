"""One commit in the making: what was decided, accepted and refused so far, and not written yet."""

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from uuid_utils.compat import uuid7

from backoffice.app.appending import Fact, Lot
from backoffice.app.evidence import Evidence
from backoffice.app.keys import Key, Remembered
from backoffice.app.reactions import SYSTEM
from backoffice.app.requests import Accepted, Declined, Request, Unreadable
from backoffice.domain.event import Event


class Mark(NamedTuple):
    """How far a commit had come."""

    position: int
    facts: int
    accepted: int
    evidence: int
    remembered: dict[Key, Remembered]
    standing: dict[str, int]


@dataclass(slots=True)
class Commit:
    """What one commit will write."""

    position: int
    """Where the last fact so far will stand in the log."""
    remembered: dict[Key, Remembered]
    standing: dict[str, int]
    """The versions of the streams that somebody wants unchanged."""
    facts: list[Fact] = field(default_factory=list)
    """What was decided and is not written yet."""
    accepted: list[tuple[Key, Remembered]] = field(default_factory=list)
    refused: list[tuple[Request | Unreadable, Declined]] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)

    def add(self, request: Request, events: Iterable[Event]) -> list[Fact]:
        """What a request became, at the next positions."""
        at, actor, cause, correlation = request.command.at, request.actor, request.cause, request.correlation
        facts = []
        for event in events:
            who = SYSTEM if event.decided_by_system else actor
            facts.append(Fact(uuid7(), event.stream, event, at, who, cause, correlation))
        if self.standing:
            for fact in facts:
                if fact.stream in self.standing:
                    self.standing[fact.stream] += 1
        self.facts += facts
        self.position += len(facts)
        return facts

    def accept(self, key: Key, content: bytes, after: int, whence: str | None = None) -> Accepted:
        """Remember that a request became the facts behind position `after`."""
        first, last = after + 1, self.position
        self.remembered[key] = remembered = Remembered(content, first, last, None, whence)
        self.accepted.append((key, remembered))
        return Accepted(first, last)

    def refuse(self, request: Request | Unreadable, declined: Declined) -> Declined:
        """Every no is kept."""
        self.refused.append((request, declined))
        return declined

    def take(self) -> Lot:
        """The facts that wait and the keys they were accepted under, to be written."""
        lot = Lot(self.facts, self.accepted)
        self.facts, self.accepted = [], []
        return lot

    def mark(self) -> Mark:
        """How far it has come, to go back there before anything is written."""
        lengths = len(self.facts), len(self.accepted), len(self.evidence)
        return Mark(self.position, *lengths, dict(self.remembered), dict(self.standing))

    def go_back(self, mark: Mark) -> None:
        """Forget what was decided since; what was refused stays refused."""
        self.position, self.remembered, self.standing = mark.position, mark.remembered, mark.standing
        del self.facts[mark.facts :], self.accepted[mark.accepted :], self.evidence[mark.evidence :]
