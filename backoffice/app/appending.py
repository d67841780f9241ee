"""Decided facts into the log, with the keys they were accepted under."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple
from uuid import UUID

from backoffice.app.keys import Key, Remembered, remember_keys
from backoffice.app.recall import connection_of
from backoffice.domain.event import Event
from backoffice.log.codec import Codec
from backoffice.log.envelope import NewEvent
from backoffice.log.protocol import Writer


class Fact(NamedTuple):
    """A decided event with what its envelope will say, before its place in its stream is known."""

    event_id: UUID
    stream: str
    event: Event
    happened_at: datetime
    actor: str
    cause: UUID | None
    correlation: str


class Lot(NamedTuple):
    """Facts to be appended, and the keys that were accepted with them."""

    facts: Sequence[Fact]
    accepted: Sequence[tuple[Key, Remembered]]


def append_lot(codec: Codec, writer: Writer, lot: Lot) -> list[NewEvent]:
    """Write `lot` and give what was written: each stream goes on where it stands."""
    versions = writer.versions({fact.stream for fact in lot.facts})
    events = []
    for event_id, stream, event, happened_at, actor, cause, correlation in lot.facts:
        version = versions[stream] = versions[stream] + 1
        name, schema, data = event.type_name, event.schema_number, codec.encode(event)
        events.append(
            NewEvent(event_id, stream, version, name, schema, happened_at, actor, cause, correlation, data)
        )
    writer.append(events)
    remember_keys(connection_of(writer), lot.accepted)
    return events
