"""What an administrator asks about keys. Secrets are made by the door; what comes in here is their digest."""

from typing import Annotated

from pydantic import Field, StringConstraints

from backoffice.domain.event import Command, Id, Reason
from backoffice.domain.staff import Person, Role
from backoffice.kernel.values import value

KeyId = Annotated[str, StringConstraints(pattern=r"^[a-z0-9][a-z0-9-]{0,31}$")]
"""What a key is called: small letters, digits and hyphens."""
Digest = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]


@value
class KeyCommand(Command):
    """Something asked about one key."""

    by: Person
    key: KeyId


@value
class CreateKey(KeyCommand):
    """Give a system a key: whose ids its actions have, its roles, its casinos (none: all)."""

    sender: Id
    roles: Annotated[tuple[Role, ...], Field(min_length=1, max_length=len(Role))]
    casinos: Annotated[tuple[Id, ...], Field(max_length=100)]
    digest: Digest


@value
class RotateKey(KeyCommand):
    """Give it a new secret; the old one stays good for `keep_old_minutes`."""

    digest: Digest
    keep_old_minutes: Annotated[int, Field(ge=0, le=7 * 24 * 60)] = 0


@value
class RevokeKey(KeyCommand):
    """Make it open nothing any more."""

    reason: Reason
