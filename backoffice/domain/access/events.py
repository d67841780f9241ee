"""What became true of a key."""

from dataclasses import dataclass
from datetime import datetime

from backoffice.domain.event import Event


@dataclass(frozen=True, slots=True)
class KeyEvent(Event):
    """A fact of one key."""

    key: str
    by: str

    @property
    def stream(self) -> str:
        """`access`: all keys together, they are few, and who is let in must read them all."""
        return "access"


@dataclass(frozen=True, slots=True)
class KeyCreated(KeyEvent):
    """A system was given a key; `digest` is the SHA-256 of its secret, of 256 random bits. No casinos: all of them."""

    type_name = "access.key_created"
    sender: str
    roles: tuple[str, ...]
    casinos: tuple[str, ...]
    digest: str


@dataclass(frozen=True, slots=True)
class KeyRotated(KeyEvent):
    """A key got a new secret; the old one is good until `old_until`."""

    type_name = "access.key_rotated"
    digest: str
    old_until: datetime


@dataclass(frozen=True, slots=True)
class KeyRevoked(KeyEvent):
    """A key opens nothing any more, for good."""

    type_name = "access.key_revoked"
    reason: str
