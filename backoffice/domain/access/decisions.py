"""Creating, rotating and revoking keys. A key is no person: it never decides what takes two of them."""

from collections.abc import Collection
from datetime import timedelta

from backoffice.domain.access.commands import CreateKey, KeyCommand, RevokeKey, RotateKey
from backoffice.domain.access.events import KeyCreated, KeyEvent, KeyRevoked, KeyRotated
from backoffice.domain.access.state import Key, Keys
from backoffice.domain.event import Refused
from backoffice.domain.staff import DECIDING, PERSON_SENDER, RESERVED_SENDERS, Person, Role


def decide_key(keys: Keys, casinos: Collection[str], command: KeyCommand) -> KeyEvent:
    """What follows from what is asked about a key; `casinos` are those of the network. Raises Refused."""
    by = command.by
    if by.role is not Role.ADMINISTRATOR:
        raise Refused(f"{by.name} acts as {by.role.words}: keys are for administrators", "role")
    if isinstance(command, CreateKey):
        return _created(keys, casinos, command)
    known = keys.get(command.key)
    if known is None:
        raise Refused(f"there is no key {command.key}", "key")
    _check_has_say(by, known.casinos)
    if known.revoked:
        raise Refused(f"key {command.key} is revoked, for good", "key")
    match command:
        case RotateKey():
            return _rotated(known, command)
        case RevokeKey():
            return KeyRevoked(key=known.id, by=by.name, reason=command.reason)
        case _:
            raise TypeError(f"nobody decides {command!r}")


def _created(keys: Keys, casinos: Collection[str], command: CreateKey) -> KeyCreated:
    if command.key in keys:
        raise Refused(f"there is a key {command.key} already, and no name is given twice", "key")
    if command.sender in RESERVED_SENDERS or command.sender.startswith(PERSON_SENDER):
        raise Refused(f"the sender {command.sender} is the house's own", "sender")
    if deciding := DECIDING.intersection(command.roles):
        roles = " and ".join(sorted(role.words for role in deciding))
        raise Refused(f"a key is no person: it cannot be {roles}", "role")
    if unknown := [casino for casino in command.casinos if casino not in casinos]:
        raise Refused(f"there is no casino {' and no '.join(unknown)}", "casino")
    _check_has_say(command.by, command.casinos)
    return KeyCreated(
        key=command.key,
        by=command.by.name,
        sender=command.sender,
        roles=tuple(command.roles),
        casinos=command.casinos,
        digest=command.digest,
    )


def _rotated(known: Key, command: RotateKey) -> KeyRotated:
    until = command.at + timedelta(minutes=command.keep_old_minutes)
    return KeyRotated(key=known.id, by=command.by.name, digest=command.digest, old_until=until)


def _check_has_say(by: Person, casinos: Collection[str]) -> None:
    if by.casinos and not (casinos and all(map(by.works_at, casinos))):
        raise Refused(f"{by.name} is not of the staff of all casinos that the key is for", "casino")
