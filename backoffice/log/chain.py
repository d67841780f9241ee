"""The chain: each event's hash covers the hash before it, so none can be changed, dropped or moved unseen.

What is hashed is the hash before and the event's *image*: every field of the envelope and the data, each with
its length before it (big endian, four bytes; -1 says that the field is empty). Instants are microseconds from
2000-01-01 UTC, so no time zone gets in. An image is also, byte for byte, how PostgreSQL's binary COPY writes
those columns: packed once, used twice.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from struct import Struct
from uuid import UUID

from backoffice.log.envelope import Head, NewEvent, Recorded

_EPOCH = datetime(2000, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

_start = Struct(">iqi16si").pack
_version = Struct(">iqi").pack
_times = Struct(">iqiqiqi").pack
_length = Struct(">i").pack
_EMPTY = _length(-1)
_UUID_LENGTH = _length(16)


def microseconds(instant: datetime) -> int:
    """Microseconds from 2000-01-01 UTC to an aware instant; raises TypeError for a naive one."""
    return (instant - _EPOCH) // _MICROSECOND


def image(position: int, recorded: int, event: NewEvent | Recorded) -> bytes:
    """The event as bytes, unambiguous; `recorded` is the log's time in `microseconds`."""
    event_id, stream, version, kind, schema, happened, actor, cause, correlation, data = event[:10]
    stream_bytes, kind_bytes, actor_bytes = stream.encode(), kind.encode(), actor.encode()
    return b"".join(
        (
            _start(8, position, 16, event_id.bytes, len(stream_bytes)),
            stream_bytes,
            _version(8, version, len(kind_bytes)),
            kind_bytes,
            _times(8, schema, 8, microseconds(happened), 8, recorded, len(actor_bytes)),
            actor_bytes,
            _EMPTY if cause is None else _UUID_LENGTH + cause.bytes,
            _EMPTY if correlation is None else _text(correlation),
            _length(len(data)),
            data,
        )
    )


def _text(value: str) -> bytes:
    encoded = value.encode()
    return _length(len(encoded)) + encoded


def link(previous: bytes, position: int, recorded_at: datetime, event: NewEvent | Recorded) -> bytes:
    """The hash of an event at its position, given the hash before it."""
    return sha256(previous + image(position, microseconds(recorded_at), event)).digest()


def genesis(log_id: str) -> Head:
    """Where a log begins: its id is the first link, so events of one log do not fit into another."""
    return Head(str(UUID(log_id)), 0, sha256(UUID(log_id).bytes).digest())


@dataclass(frozen=True, slots=True)
class Broken:
    """The first position at which the log is not what was recorded, and what is wrong there."""

    position: int
    reason: str


def verify(events: Iterable[Recorded], start: Head, end: Head | None = None) -> Broken | None:
    """Walk a chain that follows `start`; say where it breaks first, or None.

    `end`, when known from elsewhere (the head row, a seal, an export), must be reached and must be the last.
    Memory stays flat: events are looked at one by one.
    """
    position, previous = start.position, start.hash
    for event in events:
        broken = _break(event, position, previous)
        if broken is not None:
            return broken
        position, previous = event.position, event.hash
        if end is not None and position == end.position and previous != end.hash:
            return Broken(position, "the chain is whole, but it is not the one that was expected here")
    return None if end is None else _cut(position, end)


def _break(event: Recorded, position: int, previous: bytes) -> Broken | None:
    if event.position != position + 1:
        reason = "missing" if event.position > position else f"position {event.position} comes again"
        return Broken(position + 1, reason)
    if link(previous, event.position, event.recorded_at, event) != event.hash:
        return Broken(event.position, "its hash does not fit its content and the hash before it")
    return None


def _cut(position: int, end: Head) -> Broken | None:
    if position < end.position:
        return Broken(position + 1, f"missing: the log ends at {position}, expected {end.position}")
    if position > end.position:
        return Broken(end.position + 1, f"unexpected: the log should end at {end.position}")
    return None
