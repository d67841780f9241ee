"""The one loop behind every door: look up, decide, append, answer; for many requests in one commit.

All requests of a commit are decided in their order, in memory, while the head row is locked. Each is decided on its own:
a refused one leaves nothing behind and its neighbours do not notice. What a fact must cause is decided right after it.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from sqlalchemy import Connection
from uuid_utils.compat import uuid7

from backoffice.app.keys import Key, Remembered, recall_keys, remember_keys
from backoffice.app.reactions import REACTING, react
from backoffice.app.recall import Recall, connection_of
from backoffice.app.refusals import keep_refusals
from backoffice.app.requests import Accepted, Declined, Outcome, Repeated, Request, Unreadable
from backoffice.domain.decide import decide
from backoffice.domain.event import Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.log.codec import Codec
from backoffice.log.envelope import NewEvent
from backoffice.log.protocol import Log, Writer
from backoffice.projections.inline import apply_inline

SYSTEM = "system"
Beside = Callable[[Connection, Sequence[Outcome]], None]
"""Rows that must be written in the same transaction as the answers they are about."""


class Crashed(Exception):
    """Deciding one request failed in a way nobody anticipated: a bug. Nothing of its commit was written."""

    def __init__(self, index: int) -> None:
        super().__init__(f"request {index} crashed")
        self.index = index


@dataclass(slots=True)
class _Commit:
    """One commit in the making."""

    writer: Writer
    remembered: dict[Key, Remembered]
    envelopes: list[NewEvent] = field(default_factory=list)
    facts: list[Event] = field(default_factory=list)
    accepted: list[tuple[Key, Remembered]] = field(default_factory=list)
    refused: list[tuple[Request | Unreadable, Declined]] = field(default_factory=list)

    @property
    def position(self) -> int:
        """Where the last event of this commit will stand."""
        return self.writer.head.position + len(self.envelopes)

    def accept(self, key: Key, content: bytes, after: int) -> Accepted:
        """Remember that a request became the events behind `after`."""
        remembered = Remembered(content, after + 1, self.position)
        self.remembered[key] = remembered
        self.accepted.append((key, remembered))
        return Accepted(remembered.first_position, remembered.last_position)


class Handler:
    """Decides requests under the log's lock. Not for two threads at once: see `GroupCommit`."""

    def __init__(self, log: Log, codec: Codec, recall: Recall, *, reacts: bool = True) -> None:
        self._log = log
        self._codec = codec
        self._recall = recall
        self._reacts = reacts

    def commit(
        self, requests: Sequence[Request | Unreadable], beside: Sequence[tuple[slice, Beside]] = ()
    ) -> list[Outcome]:
        """Decide `requests` in order and make what follows durable at once; one answer each.

        `beside` writes rows about a slice of the answers in the same transaction. Raises Crashed, with the bug as its
        cause, for a request nobody anticipated; then nothing at all was written and the others can be tried again.
        """
        try:
            with self._log.writing() as writer:
                outcomes, position = self._decided(writer, requests, beside)
        except BaseException:
            self._recall.forget()
            raise
        self._recall.end(position)
        return outcomes

    def _decided(
        self, writer: Writer, requests: Sequence[Request | Unreadable], beside: Sequence[tuple[slice, Beside]]
    ) -> tuple[list[Outcome], int]:
        asked = [request for request in requests if isinstance(request, Request)]
        connection = connection_of(writer)
        keys = recall_keys(connection, {(request.sender, request.key) for request in asked}) if asked else {}
        commit = _Commit(writer, keys)
        self._recall.begin(writer, [request.command for request in asked])
        outcomes = [self._answer(commit, index, request) for index, request in enumerate(requests)]
        self._write(connection, commit)
        for part, write in beside:
            write(connection, outcomes[part])
        return outcomes, writer.head.position

    def _answer(self, commit: _Commit, index: int, request: Request | Unreadable) -> Outcome:
        try:
            outcome = self._outcome(commit, request)
        except Refused as refused:
            outcome = Declined(refused.reason, refused.rule)
        except Exception as bug:
            raise Crashed(index) from bug
        if isinstance(outcome, Declined):
            commit.refused.append((request, outcome))
        return outcome

    def _outcome(self, commit: _Commit, request: Request | Unreadable) -> Outcome:
        if isinstance(request, Unreadable):
            return Declined(request.reason, "format")
        key, content = (request.sender, request.key), request.content()
        known = commit.remembered.get(key)
        if known is not None and known.content == content:
            return Repeated(known.first_position, known.last_position)
        if known is not None:
            self._conflict(commit, request, known, content)
            return Declined(f"id {request.key} was accepted before with another content", "conflict")
        after = commit.position
        facts = self._append(commit, request)
        if not facts:
            return Accepted(after, after)
        outcome = commit.accept(key, content, after)
        if self._reacts:
            self._react(commit, facts)
        return outcome

    def _append(self, commit: _Commit, request: Request) -> list[tuple[NewEvent, Event]]:
        """Decide a request and fold what follows in; the events wait in the commit for their versions."""
        facts = []
        for event in decide(self._recall, request.command):
            envelope = self._envelope(request, event)
            self._recall.apply(event)
            commit.envelopes.append(envelope)
            facts.append((envelope, event))
        return facts

    def _envelope(self, request: Request, event: Event) -> NewEvent:
        return NewEvent(
            event_id=uuid7(),
            stream=event.stream,
            version=0,
            type=event.type_name,
            schema=event.schema_number,
            happened_at=request.command.at,
            actor=SYSTEM if event.decided_by_system else request.actor,
            cause=request.cause,
            correlation=request.correlation,
            data=self._codec.encode(event),
        )

    def _react(self, commit: _Commit, facts: Sequence[tuple[NewEvent, Event]]) -> None:
        """What facts cause comes in by the same door, in their order; a reaction that is refused is a bug."""
        for envelope, event in facts:
            for command in react(envelope, event):
                request = Request(command, REACTING, SYSTEM, cause=envelope.event_id)
                after = commit.position
                caused = self._append(commit, request)
                commit.accept((REACTING, request.key), request.content(), after)
                self._react(commit, caused)

    def _conflict(self, commit: _Commit, request: Request, known: Remembered, content: bytes) -> None:
        """A key used again for another content is a fact, once for each content."""
        key = (request.sender, f"{request.key}#{content.hex()}")
        if key in commit.remembered or key in recall_keys(connection_of(commit.writer), {key}):
            return
        after = commit.position
        event = KeyConflicted(
            sender=request.sender,
            key=request.key,
            first_content=known.content.hex(),
            other_content=content.hex(),
        )
        self._recall.apply(event)
        commit.envelopes.append(self._envelope(request, event))
        commit.accept(key, content, after)

    def _write(self, connection: Connection, commit: _Commit) -> None:
        if commit.envelopes:
            commit.writer.append(_numbered(commit))
            apply_inline(connection, self._recall.moved, self._recall.metered)
        remember_keys(connection, commit.accepted)
        keep_refusals(connection, commit.refused)


def _numbered(commit: _Commit) -> list[NewEvent]:
    """The events with their versions: each stream goes on where it stands."""
    versions = commit.writer.versions({event.stream for event in commit.envelopes})
    numbered = []
    for event in commit.envelopes:
        versions[event.stream] += 1
        numbered.append(replace(event, version=versions[event.stream]))
    return numbered
