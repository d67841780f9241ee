"""The one loop behind every door: look up, decide, append, answer; for many requests in one commit.

All requests of a commit are decided in their order, in memory, while the head row is locked. Each is decided on its own:
a refused one leaves nothing behind and its neighbours do not notice. What a fact must cause is decided right after it.
"""

from collections.abc import Callable, Iterator, Sequence

from sqlalchemy import Connection

from backoffice.app.appending import append_lot
from backoffice.app.attempts import Attempt
from backoffice.app.committing import Commit
from backoffice.app.evidence import Trace, keep_evidence, trace_of
from backoffice.app.going_back import go_back, snapshot
from backoffice.app.keys import Key, Remembered, recall_keys, remember_keys
from backoffice.app.reactions import CAUSING, REACTING, Fact, reactions_to
from backoffice.app.recall import Recall, connection_of
from backoffice.app.refusals import keep_refusals
from backoffice.app.requests import Declined, Outcome, Repeated, Request, Unreadable, Visit
from backoffice.domain.decide import decide
from backoffice.domain.event import Command, Event, Refused
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.reach import check_reach
from backoffice.log.codec import Codec
from backoffice.log.envelope import NewEvent
from backoffice.log.protocol import Log, Writer
from backoffice.projections.inline import apply_inline

LOT = 4000
"""After so many facts, or requests, what was decided is written."""
Beside = Callable[[Connection, Sequence[Outcome]], None]
"""Rows that must be written in the same transaction as the answers they are about."""
WITHHELD = Declined("nothing of this list is done: another action in it was refused", "all or nothing")


class Handler:
    """Decides requests under the log's lock. Not for two threads at once: see `GroupCommit`."""

    def __init__(self, log: Log, codec: Codec, recall: Recall, *, reacts: bool = True) -> None:
        self._log = log
        self._codec = codec
        self._recall = recall
        self._reacts = reacts

    def commit(
        self,
        requests: Sequence[Request | Unreadable],
        beside: Sequence[tuple[slice, Beside]] = (),
        attempt: Attempt | None = None,
        whole: Sequence[slice] = (),
    ) -> list[Outcome]:
        """Decide `requests` in order and make what follows durable at once; one answer each.

        Of each slice in `whole` all are accepted, or none becomes a fact. `beside` writes rows about a slice of the answers
        in the same transaction. Raises what nobody anticipated; then nothing at all was written. Only where the connection
        was lost that is not known: whoever tries again gives the same `attempt`, and is answered what it was about to be
        answered then if that was made durable.
        """
        attempt = attempt or Attempt()
        try:
            with self._log.writing() as writer:
                outcomes = attempt.answered(connection_of(writer))
                if outcomes is None:
                    began = writer.head
                    outcomes = self._decided(writer, requests, beside, whole)
                    attempt.note(writer, outcomes, began)
                head = writer.head
        except BaseException:
            self._recall.forget()
            raise
        self._recall.end(head)
        return outcomes

    def _decided(
        self,
        writer: Writer,
        requests: Sequence[Request | Unreadable],
        beside: Sequence[tuple[slice, Beside]],
        whole: Sequence[slice],
    ) -> list[Outcome]:
        asked = [request for request in requests if isinstance(request, Request)]
        connection, began = connection_of(writer), writer.head.position
        commit = Commit(began, _remembered(connection, asked), _standing(writer, asked))
        self._recall.begin(writer, [request.command for request in asked])
        # Files are told no versions, and what an import writes is let go of lot by lot.
        written: list[NewEvent] | None = [] if any(one.origin is None for one in asked) else None
        outcomes = self._answers(writer, commit, requests, whole, written)
        if written is not None:
            outcomes = [_versioned(outcome, written, began) for outcome in outcomes]
        remember_keys(connection, commit.answered())
        apply_inline(connection, self._recall.moved, self._recall.metered, self._recall.indebted)
        keep_refusals(connection, commit.refused)
        keep_evidence(connection, commit.evidence)
        for part, write in beside:
            write(connection, outcomes[part])
        return outcomes

    def _answers(
        self,
        writer: Writer,
        commit: Commit,
        requests: Sequence[Request | Unreadable],
        whole: Sequence[slice],
        written: list[NewEvent] | None,
    ) -> list[Outcome]:
        """Decide one lot after the other, and write each; `written` is given what was written, where somebody wants it."""
        outcomes: list[Outcome] = []
        for part, is_whole in _stretches(len(requests), whole):
            asked = requests[part]
            if is_whole:
                outcomes += self._all_or_none(commit, asked)
            else:
                outcomes += [self._answer(commit, request) for request in asked]
            if len(commit.facts) >= LOT or part.stop == len(requests):
                lot = append_lot(self._codec, writer, commit.take())
                if written is not None:
                    written += lot
        return outcomes

    def _answer(self, commit: Commit, request: Request | Unreadable) -> Outcome:
        try:
            outcome = self._outcome(commit, request)
        except Refused as refused:
            outcome = Declined(refused.reason, refused.rule)
        except Exception as bug:
            bug.add_note(f"on deciding {str(request.origin or request)[:500]}")
            raise
        return commit.refuse(request, outcome) if isinstance(outcome, Declined) else outcome

    def _all_or_none(self, commit: Commit, requests: Sequence[Request | Unreadable]) -> list[Outcome]:
        """Decide them; if one is refused, go back to before the first. That an id was used for two things stays a fact."""
        mark, past = commit.mark(), snapshot(self._recall)
        outcomes = [self._answer(commit, request) for request in requests]
        if not any(isinstance(outcome, Declined) for outcome in outcomes):
            return outcomes
        commit.go_back(mark)
        go_back(self._recall, past)
        return [
            self._after_all(commit, request, outcome)
            for request, outcome in zip(requests, outcomes, strict=True)
        ]

    def _after_all(self, commit: Commit, request: Request | Unreadable, outcome: Outcome) -> Outcome:
        """What a request of a list is answered of which another one was refused."""
        known = commit.known((request.sender, request.key)) if isinstance(request, Request) else None
        match outcome:
            case Declined(rule="conflict") if isinstance(request, Request) and known is not None:
                self._conflict(commit, request, known)
                return outcome
            case Repeated() if known is not None:
                return outcome
            case Declined():
                return outcome
            case _:
                return commit.refuse(request, WITHHELD)

    def _outcome(self, commit: Commit, request: Request | Unreadable) -> Outcome:
        if isinstance(request, Unreadable):
            return Declined(request.reason, "format")
        key = request.sender, request.command.id
        if (known := commit.known(key)) is not None:
            return self._known(commit, request, known)
        trace = None
        if request.visit is not None:
            trace = trace_of(request.command)
            self._check(commit, request, request.visit)
        events = self._decide(request.command, trace)
        outcome = commit.accept(key, request, events)
        if self._reacts and not CAUSING.isdisjoint(map(type, events)):
            self._react(commit, request, events, outcome.first_position, trace)
        if trace is not None:
            commit.evidence.append(trace.told(request, outcome))
        return outcome

    def _known(self, commit: Commit, request: Request, known: Remembered) -> Outcome:
        """What a request is answered whose id was accepted before."""
        if known.content == request.content():
            return Repeated(known.first_position, known.last_position, known.version)
        self._conflict(commit, request, known)
        return Declined(f"id {request.key} was accepted before with another content", "conflict")

    def _check(self, commit: Commit, request: Request, visit: Visit) -> None:
        """Raises Refused for what is none of the visitor's business, or is not as they saw it."""
        if visit.casinos:
            check_reach(self._recall, request.command, visit.casinos, request.actor)
        if visit.unchanged is not None:
            stream, seen = visit.unchanged
            if commit.standing[stream] != seen:
                reason = f"{stream} is at version {commit.standing[stream]}, not at {seen} any more"
                raise Refused(reason, "changed")

    def _decide(self, command: Command, trace: Trace | None) -> Sequence[Event]:
        """Decide a command and fold what follows in."""
        events = decide(self._recall, command)
        for event in events:
            if trace is not None:
                trace.see_before(self._recall, event)
            self._recall.apply(event)
            if trace is not None:
                trace.see_after(self._recall, event)
        return events

    def _react(
        self, commit: Commit, request: Request, events: Sequence[Event], first: int, trace: Trace | None
    ) -> None:
        """What the facts of a request, from position `first` on, cause comes in by the same door, in their order; a reaction
        that is refused is a bug.
        """
        for position, event in enumerate(events, first):
            if type(event) not in CAUSING:
                continue
            fact = Fact(commit.name(position), event, request.command.at, request.correlation)
            for reaction in reactions_to(fact):
                try:
                    caused = self._decide(reaction.command, trace)
                except Refused as refused:
                    raise RuntimeError(f"a reaction was refused: {refused}") from refused
                outcome = commit.accept((REACTING, reaction.key), reaction, caused)
                self._react(commit, reaction, caused, outcome.first_position, trace)

    def _conflict(self, commit: Commit, request: Request, known: Remembered) -> None:
        """A key used again for another content is a fact, once for each content."""
        content = request.content()
        key = _conflict_key(request, content)
        if commit.known(key) is not None:
            return
        event = KeyConflicted(
            sender=request.sender,
            key=request.key,
            first_content=known.content.hex(),
            other_content=content.hex(),
        )
        self._recall.apply(event)
        commit.accept(key, request, [event])


def _stretches(count: int, whole: Sequence[slice]) -> Iterator[tuple[slice, bool]]:
    """So many requests in their order: those that are accepted or refused together as one, of the others a lot at a time."""
    begin = 0
    for part in (*whole, slice(count, count)):
        for start in range(begin, part.start, LOT):
            yield slice(start, min(start + LOT, part.start)), False
        if part.start < part.stop:
            yield part, True
        begin = part.stop


def _versioned(outcome: Outcome, written: Sequence[NewEvent], began: int) -> Outcome:
    """The same, with the version at which it left the stream of its first fact."""
    if isinstance(outcome, Declined) or outcome.version or not began < outcome.first_position:
        return outcome
    facts = written[outcome.first_position - began - 1 : outcome.last_position - began]
    own = [fact.version for fact in facts if fact.stream == facts[0].stream]
    return type(outcome)(outcome.first_position, outcome.last_position, own[-1] if own else None)


def _standing(writer: Writer, asked: Sequence[Request]) -> dict[str, int]:
    """At which version the streams are that somebody wants unchanged."""
    wanted = {request.visit.unchanged[0] for request in asked if request.visit and request.visit.unchanged}
    return writer.versions(wanted) if wanted else {}


def _remembered(connection: Connection, asked: Sequence[Request]) -> dict[Key, Remembered]:
    """What was accepted under the keys of these requests, and which of their conflicts are facts already."""
    keys = [(request.sender, request.command.id) for request in asked]
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
