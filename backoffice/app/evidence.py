"""Evidence of what people and their systems changed: who, from where, what, how it stood before and after, and why.

What a table sends about its rounds is told whole by the log; of that only the whence is kept, with its accepted key.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from pydantic_core import to_json
from sqlalchemy import Connection

from backoffice.app.copying import copy_rows
from backoffice.app.requests import Accepted, Request
from backoffice.domain.event import Command, Event
from backoffice.domain.past import Past
from backoffice.domain.rounds.commands import RoundCommand
from backoffice.domain.standing import standing

WRITE = "write"
_SUBJECTS = ("round", "case", "casino", "day", "authority", "number", "player", "currency", "quote", "key")


class Evidence(NamedTuple):
    """One accepted request that left more than the facts of a round."""

    who: str
    whence: str
    what: str
    about: str
    why: str | None
    before: Mapping[str, Any]
    after: Mapping[str, Any]
    first_position: int
    last_position: int


class Trace:
    """How what a request touches stood before its first fact, and stands now."""

    def __init__(self) -> None:
        self._before: dict[str, Any] = {}
        self._after: dict[str, Any] = {}

    def see_before(self, past: Past, event: Event) -> None:
        """Look before `event` is folded in."""
        for subject, state in standing(past, event):
            self._before.setdefault(subject, state)

    def see_after(self, past: Past, event: Event) -> None:
        """Look behind it."""
        self._after.update(standing(past, event))

    def told(self, request: Request, accepted: Accepted) -> Evidence:
        """The evidence of a request."""
        assert request.visit is not None
        return Evidence(
            request.actor,
            request.visit.whence,
            what_of(request.command),
            about(request.command),
            getattr(request.command, "reason", None),
            self._before,
            self._after,
            accepted.first_position,
            accepted.last_position,
        )


def trace_of(command: Command) -> Trace | None:
    """Where to take down what somebody at a door changes by a command; None for one whose facts tell it all."""
    return None if isinstance(command, RoundCommand) else Trace()


def what_of(command: Command) -> str:
    """What is asked, by the command's name: `set rate`, `cancel round`."""
    name = type(command).__name__
    return "".join(f" {letter.lower()}" if letter.isupper() else letter for letter in name).strip()


def about(command: Command) -> str:
    """What it is asked about, by the names that it gives."""
    given = ((name, getattr(command, name, None)) for name in _SUBJECTS)
    return ", ".join(f"{name} {value}" for name, value in given if value is not None) or "network"


def keep_evidence(connection: Connection, evidence: Iterable[Evidence]) -> None:
    """Keep what was taken down, in the transaction of the facts, under the head's lock."""
    copy_rows(
        connection,
        "copy intake.significant_events (kind, who, whence, what, about, why, before, after, first_position,"
        " last_position) from stdin (format binary)",
        ("text",) * 8 + ("int8", "int8"),
        (
            (WRITE, *one[:5], to_json(one.before).decode(), to_json(one.after).decode(), *one[7:])
            for one in evidence
        ),
    )
