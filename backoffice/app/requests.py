"""What comes in at the front door, and what is answered."""

import json
from dataclasses import dataclass, field
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple
from uuid import UUID

from backoffice.domain.event import Command, adapter_of


class Origin(NamedTuple):
    """Where in an import a request stands."""

    import_id: int
    line: int


class Visit(NamedTuple):
    """What the door knows about who brings a request: from where, and what it may be about."""

    whence: str
    """Address and credential, for the record: `127.0.0.1 by key floor-1`."""
    casinos: tuple[str, ...] = ()
    """Whose it may be about; none: all casinos'."""
    unchanged: tuple[str, int] | None = None
    """A stream, and the version at which it was looked at: only if it is still there."""


class Request(NamedTuple):
    """A command on its way in: `sender` scopes its id, `actor` is who is said to have done it."""

    command: Command
    sender: str
    actor: str
    cause: UUID | None = None
    """The event that made it necessary, where one did."""
    following: str | None = None
    """The correlation of that event."""
    origin: Origin | None = None
    raw: bytes = b""
    """As it came, where it came as text: kept with a refusal, to be sent again."""
    digest: bytes = b""
    """What `content` gives, where it was worked out already."""
    visit: Visit | None = None
    """Where it came in by a door that is asked who may what."""

    @property
    def key(self) -> str:
        """The sender's own id of this request."""
        return self.command.id

    @property
    def correlation(self) -> str:
        """Names, in every event that follows from it however far, the request with which it began."""
        return self.following or f"{_escaped(self.sender)}/{self.command.id}"

    def content(self) -> bytes:
        """SHA-256 of what is asked: two spellings of one command (spacing, order of fields, offset of time) are the same."""
        if self.digest:
            return self.digest
        text = adapter_of(type(self.command)).serializer.to_json(self.command)
        if text.find(b"{", 1) > 0:
            # An object inside, seats for instance: in which order they stand says nothing.
            text = json.dumps(json.loads(text), sort_keys=True).encode()
        return sha256(text).digest()


@lru_cache(maxsize=1024)
def _escaped(sender: str) -> str:
    return sender.replace("%", "%25").replace("/", "%2F")


@dataclass(frozen=True, slots=True)
class Unreadable:
    """What came in and is no command: `raw` is kept as it came."""

    raw: bytes
    reason: str
    sender: str
    origin: Origin | None = None
    findings: tuple[tuple[str, str], ...] = ()
    """Fields and what is wrong with them, as far as that can be said."""


@dataclass(slots=True)  # not frozen: one is made for every command, at half the price
class Accepted:
    """The command became facts, at these positions of the log; where there was nothing to change, at none: the last
    stands before the first."""

    first_position: int
    last_position: int
    version: int | None = field(default=None, compare=False)
    """That of the stream of the first of these facts, behind the last of them in it; None where there is no fact."""


@dataclass(frozen=True, slots=True)
class Repeated:
    """The very same command was accepted before; this is what it was answered with then."""

    first_position: int
    last_position: int
    version: int | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Declined:
    """The command was refused: the reason in a sentence, and the short name of the rule."""

    reason: str
    rule: str


Outcome = Accepted | Repeated | Declined
