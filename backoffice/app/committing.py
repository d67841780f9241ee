"""One commit in the making: what was decided, accepted and refused so far, and not written yet."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from backoffice.app.appending import Decided, Lot
from backoffice.app.evidence import Evidence
from backoffice.app.keys import Answered, Key, Remembered
from backoffice.app.requests import Accepted, Declined, Request, Unreadable
from backoffice.domain.event import Event


class Mark(NamedTuple):
    """How far a commit had come."""

    position: int
    facts: int
    accepted: int
    evidence: int
    standing: dict[str, int]


@dataclass(slots=True)
class Commit:
    """What one commit will write.

    Made for every request is only what another one may ask for; the rest is made by the lot, which takes a third of the time.
    """

    position: int
    """Where the last fact so far will stand in the log."""
    remembered: dict[Key, Remembered]
    """What was accepted before."""
    standing: dict[str, int]
    """The versions of the streams that somebody wants unchanged."""
    facts: list[Decided] = field(default_factory=list)
    """What was decided and is not written yet."""
    named: dict[int, UUID] = field(default_factory=dict)
    """The ids of those facts that are referred to before they are written, by their positions."""
    accepted: dict[Key, tuple[Request, Accepted]] = field(default_factory=dict)
    """What was accepted in this commit."""
    refused: list[tuple[Request | Unreadable, Declined]] = field(default_factory=list)
    evidence: list[Evidence] = field(default_factory=list)

    def name(self, position: int) -> UUID:
        """The id of the fact at a position, which is not written yet."""
        return self.named.setdefault(position, uuid7())

    def known(self, key: Key) -> Remembered | None:
        """What was accepted under a key, before this commit or in it."""
        accepted = self.accepted.get(key)
        if accepted is None:
            return self.remembered.get(key)
        request, outcome = accepted
        return Remembered(request.content(), outcome.first_position, outcome.last_position)

    def accept(self, key: Key, request: Request, events: Sequence[Event]) -> Accepted:
        """A request became these facts, at the next positions."""
        first = self.position + 1
        for event in events:
            self.facts.append((request, event))
            if self.standing and event.stream in self.standing:
                self.standing[event.stream] += 1
        self.position += len(events)
        outcome = Accepted(first, self.position)
        self.accepted[key] = request, outcome
        return outcome

    def refuse(self, request: Request | Unreadable, declined: Declined) -> Declined:
        """Every no is kept."""
        self.refused.append((request, declined))
        return declined

    def take(self) -> Lot:
        """The facts that wait, to be written."""
        lot = Lot(self.facts, self.named)
        self.facts, self.named = [], {}
        return lot

    def answered(self) -> Iterator[Answered]:
        """The keys under which this commit accepted something, and what is to be remembered of it."""
        for (sender, key), (request, outcome) in self.accepted.items():
            whence = None if request.visit is None else request.visit.whence
            yield sender, key, request.content(), outcome.first_position, outcome.last_position, whence

    def mark(self) -> Mark:
        """How far it has come, to go back there before anything is written."""
        lengths = len(self.facts), len(self.accepted), len(self.evidence)
        return Mark(self.position, *lengths, dict(self.standing))

    def go_back(self, mark: Mark) -> None:
        """Forget what was decided since; what was refused stays refused."""
        self.position, self.standing = mark.position, mark.standing
        self.accepted = dict(islice(self.accepted.items(), mark.accepted))
        self.named = {position: name for position, name in self.named.items() if position <= mark.position}
        del self.facts[mark.facts :], self.evidence[mark.evidence :]
