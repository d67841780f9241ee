"""Keys as their facts leave them."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime

from backoffice.domain.access.events import KeyCreated, KeyEvent, KeyRevoked, KeyRotated


@dataclass(frozen=True, slots=True)
class Key:
    """One key: whose it is, and the digests of the secrets that are good; of none once it is revoked."""

    id: str
    sender: str
    roles: tuple[str, ...]
    casinos: tuple[str, ...]
    digest: str
    old_digest: str | None = None
    old_until: datetime | None = None
    revoked: bool = False

    def good_digests(self, at: datetime) -> tuple[str, ...]:
        """The digests of the secrets that open something at this moment."""
        if self.revoked:
            return ()
        if self.old_digest is None or self.old_until is None or at >= self.old_until:
            return (self.digest,)
        return (self.digest, self.old_digest)


Keys = Mapping[str, Key]


def evolve_keys(state: Keys, event: KeyEvent) -> Keys:
    """`state` after `event`; never validates."""
    match event:
        case KeyCreated():
            key = Key(event.key, event.sender, event.roles, event.casinos, event.digest)
        case KeyRotated():
            known = state[event.key]
            key = replace(known, digest=event.digest, old_digest=known.digest, old_until=event.old_until)
        case KeyRevoked():
            key = replace(state[event.key], revoked=True)
        case _:
            raise TypeError(f"{event!r} is no fact of a key")
    return {**state, event.key: key}
