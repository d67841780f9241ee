"""Events as they stand in the chain, with the hash before each: enough to work the hashes out again without the log."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from backoffice.log.chain import genesis, link
from backoffice.log.envelope import Head, Recorded
from backoffice.log.protocol import Reader
from backoffice.reports.decoding import Damaged

Told = dict[str, Any]
"""Plain data, ready for JSON."""

HOW_TO_VERIFY = (
    "An event's hash is SHA-256 over the hash before it, its 32 bytes, and the event's image.",
    "The image is the event's fields, one behind the other, each with its length in bytes (four bytes, big endian) before it.",
    "They are: position, event_id, stream, version, type, schema, happened_at, recorded_at, actor, cause, correlation, data.",
    "An empty cause or correlation is the length -1 and nothing more.",
    "Numbers are eight bytes, big endian. Times are such numbers: microseconds since 2000-01-01 00:00 UTC.",
    "Ids are their 16 bytes. Texts, data too, are UTF-8, exactly as given here.",
    "Where one event follows another by position, the hash before the second is the hash of the first.",
    "That the events are the log's own is seen by comparing a hash with the log, or with a seal over it.",
)


def chain_excerpt(log: Reader, head: Head, events: Iterable[Recorded]) -> list[Told]:
    """`events` by position, all their fields and `previous_hash`; `head` is where the log is. Raises Damaged."""
    excerpt: list[Told] = []
    last: Head | None = None
    for event in sorted(events, key=lambda one: one.position):
        before = event.position - 1
        previous = last.hash if last and last.position == before else _hash_at(log, head, before)
        excerpt.append(_told(event, previous))
        last = Head(head.log_id, event.position, event.hash)
    return excerpt


def broken_links(excerpt: Iterable[Mapping[str, Any]]) -> Iterator[int]:
    """The positions in an excerpt whose hash is not that of what stands there, or that do not hang together."""
    last: Mapping[str, Any] | None = None
    for told in excerpt:
        event = _recorded(told)
        before = bytes.fromhex(told["previous_hash"])
        follows = last is not None and last["position"] == event.position - 1
        if link(before, event.position, event.recorded_at, event) != event.hash or (
            follows and last is not None and last["hash"] != told["previous_hash"]
        ):
            yield event.position
        last = told


def _hash_at(log: Reader, head: Head, position: int) -> bytes:
    if position == 0:
        return genesis(head.log_id).hash
    before = next(log.read(after=position - 1, upto=position), None)
    if before is None:
        raise Damaged(f"position {position} is missing: see `backoffice verify`")
    return before.hash


def _told(event: Recorded, previous: bytes) -> Told:
    return {
        "position": event.position,
        "event_id": str(event.event_id),
        "stream": event.stream,
        "version": event.version,
        "type": event.type,
        "schema": event.schema,
        "happened_at": event.happened_at.isoformat(),
        "recorded_at": event.recorded_at.isoformat(),
        "actor": event.actor,
        "cause": None if event.cause is None else str(event.cause),
        "correlation": event.correlation,
        "data": event.data.decode(),
        "previous_hash": previous.hex(),
        "hash": event.hash.hex(),
    }


def _recorded(told: Mapping[str, Any]) -> Recorded:
    return Recorded(
        event_id=UUID(told["event_id"]),
        stream=told["stream"],
        version=told["version"],
        type=told["type"],
        schema=told["schema"],
        happened_at=datetime.fromisoformat(told["happened_at"]),
        actor=told["actor"],
        cause=None if told["cause"] is None else UUID(told["cause"]),
        correlation=told["correlation"],
        data=told["data"].encode(),
        position=told["position"],
        recorded_at=datetime.fromisoformat(told["recorded_at"]),
        hash=bytes.fromhex(told["hash"]),
    )
