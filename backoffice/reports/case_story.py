"""One case as a story: how it opened, every proposal, who approved or refused and why, what was done."""

from collections.abc import Iterator, Sequence
from typing import Any

from pydantic_core import to_jsonable_python

from backoffice.domain.cases.state import Case, evolve_case
from backoffice.domain.event import Event
from backoffice.kernel.currencies import format_minor
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import decoded
from backoffice.reports.narrowing import postings_within
from backoffice.reports.round_sentences import when
from backoffice.reports.scope import EVERYTHING, Scope
from backoffice.reports.sentences import sentence

Told = dict[str, Any]
"""Plain data, ready for JSON."""


class UnknownCase(LookupError):
    """No case of this name was ever opened."""


def case_state(log: Reader, codec: Codec, name: str) -> Case | None:
    """A case as the log leaves it; None where it was never opened."""
    return _state(codec, log.read_stream(f"case/{name}"))


def _state(codec: Codec, facts: Sequence[Recorded]) -> Case | None:
    state: Case | None = None
    for recorded in facts:
        state = evolve_case(state, decoded(codec, recorded))
    return state


def facts_of_case(log: Reader, name: str, upto: int | None = None) -> list[Recorded]:
    """A case's facts, up to a position or the log's end."""
    return [fact for fact in log.read_stream(f"case/{name}") if upto is None or fact.position <= upto]


def case_story(
    log: Reader, codec: Codec, name: str, upto: int | None = None, scope: Scope = EVERYTHING
) -> Told:
    """Everything the log knows of a case, up to a position or its end. Raises UnknownCase, also for one that no casino of
    the scope decides.
    """
    facts = facts_of_case(log, name, upto)
    state = _state(codec, facts)
    if state is None or not scope.meets(state.casinos):
        raise UnknownCase(f"there is no case {name}")
    return {
        "case": name,
        "kind": state.opened.kind,
        "standing": state.standing,
        "casinos": list(state.casinos),
        "proposal": None if state.proposal is None else state.proposal.number,
        "events": [_tell(recorded, decoded(codec, recorded), scope) for recorded in facts],
    }


def _tell(recorded: Recorded, event: Event, scope: Scope) -> Told:
    return {
        "position": recorded.position,
        "type": recorded.type,
        "happened_at": recorded.happened_at.isoformat(),
        "actor": recorded.actor,
        "what": sentence(event, ""),
        "facts": to_jsonable_python(event),
        "postings": [
            {"account": str(account), "currency": currency, "amount": format_minor(minor, currency)}
            for account, currency, minor in postings_within(scope, event)
        ],
        "hash": recorded.hash.hex(),
    }


def as_text(story: Told) -> Iterator[str]:
    """The story for a person to read, line by line."""
    name = f"case {story['case']}: "
    yield f"Case {story['case']}, of {' and '.join(story['casinos'])}: {story['standing']}"
    for event in story["events"]:
        yield ""
        yield f"{event['position']:>8}  {when(event['happened_at'])}  {event['actor']}"
        yield f"          {event['what'].removeprefix(name)}"
        for posting in event["postings"]:
            yield f"            {posting['account']:<48} {posting['amount']:>16} {posting['currency']}"
