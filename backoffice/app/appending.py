"""Decided facts into the log: their envelopes, made block by block while the database takes in those before."""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple
from uuid import UUID

from uuid_utils.compat import uuid7

from backoffice.app.reactions import SYSTEM
from backoffice.app.requests import Request
from backoffice.domain.event import Event
from backoffice.kernel.values import packing
from backoffice.log.codec import Codec
from backoffice.log.envelope import NewEvent
from backoffice.log.protocol import Writer

Decided = tuple[Request, Event]
"""A fact, and the request that it follows from."""
_new_event = packing(NewEvent)
BLOCK = 250
"""So many facts are packed and sent while the database takes in those before them."""


class Lot(NamedTuple):
    """Facts to be appended, in order; `named` are the ids that some have been given already, by their positions."""

    facts: Sequence[Decided]
    named: Mapping[int, UUID]


def append_lot(codec: Codec, writer: Writer, lot: Lot) -> list[NewEvent]:
    """Write `lot` and give what was written: each stream goes on where it stands."""
    if not lot.facts:
        return []
    ids = [uuid7() for _ in lot.facts]
    for position, event_id in lot.named.items():
        ids[position - writer.head.position - 1] = event_id
    streams = [event.stream for _, event in lot.facts]
    versions = writer.versions(set(streams))
    written: list[NewEvent] = []

    def blocks() -> Iterator[list[NewEvent]]:
        for start in range(0, len(ids), BLOCK):
            part = slice(start, start + BLOCK)
            block = _envelopes(codec, lot.facts[part], ids[part], streams[part], versions)
            written.extend(block)
            yield block

    writer.append_blocks(blocks())
    return written


def _envelopes(
    codec: Codec,
    facts: Sequence[Decided],
    ids: Sequence[UUID],
    streams: Sequence[str],
    versions: dict[str, int],
) -> list[NewEvent]:
    """The facts as the log takes them; `versions` of their streams are counted on."""
    encoded = codec.encode_all([event for _, event in facts])
    events = []
    for event_id, stream, data, (request, event) in zip(ids, streams, encoded, facts, strict=True):
        version = versions[stream] = versions[stream] + 1
        events.append(
            _new_event(
                (
                    event_id,
                    stream,
                    version,
                    event.type_name,
                    event.schema_number,
                    request.command.at,
                    SYSTEM if event.decided_by_system else request.actor,
                    request.cause,
                    request.correlation,
                    data,
                )
            )
        )
    return events
