"""The one loop behind every door: look up, decide, append, answer; for many requests in one commit.

All requests of a commit are decided in their order, in memory, while the head row is locked. Each is decided on its own:
a refused one leaves nothing behind and its neighbours do not notice. What a fact must cause is decided right after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from sqlalchemy import Connection
from uuid_utils.compat import uuid7

from backoffice.app.appending import Appending, Fact, Lot
from backoffice.app.attempts import Attempt
from backoffice.app.keys import Key, Remembered, recall_keys
from backoffice.app.reactions import REACTING, SYSTEM, reactions_to
from backoffice.app.recall import Recall, connection_of
from backoffice.app.refusals import keep_refusals
from backoffice.app.requests import Accepted, Declined, Outcome, Repeated, Request, Unreadable
from backoffice.domain.decide import decide
from backoffice.domain.event import Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.log.codec import Codec
from backoffice.log.protocol import Log, Writer
from backoffice.projections.inline import apply_inline

LOT = 1000
"""So many facts are written at once while the next are decided."""
Beside = Callable[[Connection, Sequence[Outcome]], None]
"""Rows that must be written in the same transaction as the answers they are about."""


@dataclass(slots=True)
class _Commit:
    """One commit in the making."""

    position: int
    """Where the last fact so far will stand in the log."""
    remembered: dict[Key, Remembered]
    facts: list[Fact] = field(default_factory=list)
    """What was decided and is not handed over yet."""
    accepted: list[tuple[Key, Remembered]] = field(default_factory=list)
    refused: list[tuple[Request | Unreadable, Declined]] = field(default_factory=list)

    def add(self, fact: Fact) -> None:
        """A fact more, at the next position."""
        self.facts.append(fact)
        self.position += 1

    def accept(self, key: Key, content: bytes, after: int) -> Accepted:
        """Remember that a request became the facts behind position `after`."""
        remembered = Remembered(content, after + 1, self.position)
        self.remembered[key] = remembered
        self.accepted.append((key, remembered))
        return Accepted(remembered.first_position, remembered.last_position)

    def take(self) -> Lot:
        """The facts that wait and the keys they were accepted under, to be handed over."""
        lot = Lot(self.facts, self.accepted)
        self.facts, self.accepted = [], []
        return lot


class Handler:
    """Decides requests under the log's lock. Not for two threads at once: see `GroupCommit`."""

    def __init__(self, log: Log, codec: Codec, recall: Recall, *, reacts: bool = True) -> None:
        self._log = log
        self._recall = recall
        self._reacts = reacts
        self._appending = Appending(codec)

    def commit(
        self,
        requests: Sequence[Request | Unreadable],
        beside: Sequence[tuple[slice, Beside]] = (),
        attempt: Attempt | None = None,
    ) -> list[Outcome]:
        """Decide `requests` in order and make what follows durable at once; one answer each.

        `beside` writes rows about a slice of the answers in the same transaction. Raises what nobody anticipated; then
        nothing at all was written. Only where the connection was lost that is not known: whoever tries again gives the
        same `attempt`, and is answered what it was about to be answered then if that was made durable.
        """
        attempt = attempt or Attempt()
        try:
            with self._log.writing() as writer:
                outcomes = attempt.answered(connection_of(writer))
                if outcomes is None:
                    began = writer.head
                    outcomes = self._decided(writer, requests, beside)
                    attempt.note(writer, outcomes, began)
                head = writer.head
        except BaseException:
            self._recall.forget()
            raise
        self._recall.end(head)
        return outcomes

    def _decided(
        self, writer: Writer, requests: Sequence[Request | Unreadable], beside: Sequence[tuple[slice, Beside]]
    ) -> list[Outcome]:
        asked = [request for request in requests if isinstance(request, Request)]
        connection = connection_of(writer)
        commit = _Commit(writer.head.position, _remembered(connection, asked))
        self._recall.begin(writer, [request.command for request in asked])
        outcomes = self._answers(writer, commit, requests)
        apply_inline(connection, self._recall.moved, self._recall.metered, self._recall.indebted)
        keep_refusals(connection, commit.refused)
        for part, write in beside:
            write(connection, outcomes[part])
        return outcomes

    def _answers(
        self, writer: Writer, commit: _Commit, requests: Sequence[Request | Unreadable]
    ) -> list[Outcome]:
        """Decide one lot after the other; while one is decided, the one before it is written."""
        outcomes: list[Outcome] = []
        try:
            for request in requests:
                outcomes.append(self._answer(commit, request))
                if len(commit.facts) >= LOT:
                    self._appending.hand_over(writer, commit.take())
        finally:
            self._appending.finish()
        self._appending.append(writer, commit.take())
        return outcomes

    def _answer(self, commit: _Commit, request: Request | Unreadable) -> Outcome:
        try:
            outcome = self._outcome(commit, request)
        except Refused as refused:
            outcome = Declined(refused.reason, refused.rule)
        except Exception as bug:
            bug.add_note(f"on deciding {str(request.origin or request)[:500]}")
            raise
        if isinstance(outcome, Declined):
            commit.refused.append((request, outcome))
        return outcome

    def _outcome(self, commit: _Commit, request: Request | Unreadable) -> Outcome:
        if isinstance(request, Unreadable):
            return Declined(request.reason, "format")
        key, content = (request.sender, request.command.id), request.content()
        known = commit.remembered.get(key)
        if known is not None and known.content == content:
            return Repeated(known.first_position, known.last_position)
        if known is not None:
            self._conflict(commit, request, known, content)
            return Declined(f"id {request.key} was accepted before with another content", "conflict")
        after = commit.position
        facts = self._decide(commit, request)
        outcome = commit.accept(key, content, after)
        if self._reacts:
            self._react(commit, facts)
        return outcome

    def _decide(self, commit: _Commit, request: Request) -> list[Fact]:
        """Decide a request and fold what follows in."""
        facts = []
        for event in decide(self._recall, request.command):
            self._recall.apply(event)
            fact = _fact(request, event)
            commit.add(fact)
            facts.append(fact)
        return facts

    def _react(self, commit: _Commit, facts: Sequence[Fact]) -> None:
        """What facts cause comes in by the same door, in their order; a reaction that is refused is a bug."""
        for fact in facts:
            for request in reactions_to(fact):
                after = commit.position
                try:
                    caused = self._decide(commit, request)
                except Refused as refused:
                    raise RuntimeError(f"a reaction was refused: {refused}") from refused
                commit.accept((REACTING, request.key), request.content(), after)
                self._react(commit, caused)

    def _conflict(self, commit: _Commit, request: Request, known: Remembered, content: bytes) -> None:
        """A key used again for another content is a fact, once for each content."""
        key = _conflict_key(request, content)
        if key in commit.remembered:
            return
        after = commit.position
        event = KeyConflicted(
            sender=request.sender,
            key=request.key,
            first_content=known.content.hex(),
            other_content=content.hex(),
        )
        self._recall.apply(event)
        commit.add(_fact(request, event))
        commit.accept(key, content, after)


def _fact(request: Request, event: Event) -> Fact:
    actor = SYSTEM if event.decided_by_system else request.actor
    return Fact(uuid7(), event.stream, event, request.command.at, actor, request.cause, request.correlation)


def _remembered(connection: Connection, asked: Sequence[Request]) -> dict[Key, Remembered]:
    """What was accepted under the keys of these requests, and which of their conflicts are facts already."""
    keys = {(request.sender, request.command.id) for request in asked}
    remembered = recall_keys(connection, keys)
    if not remembered:
        return {}
    conflicts = {
        _conflict_key(request, content)
        for request in asked
        if (known := remembered.get((request.sender, request.key)))
        and known.content != (content := request.content())
    }
    return remembered | recall_keys(connection, conflicts)


def _conflict_key(request: Request, content: bytes) -> Key:
    return request.sender, f"{request.key}#{content.hex()}"
