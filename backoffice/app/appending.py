"""Writing a commit's first facts while its later ones are still being decided.

All in one transaction and under one lock; the database takes rows in on its own processor meanwhile. Nobody else may use
the writer between `start` and `finish`.
"""

from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
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


class Appending:
    """Writes lots in the order they are handed over, at most one behind."""

    def __init__(self, codec: Codec) -> None:
        self._codec = codec
        self._beside = ThreadPoolExecutor(1, thread_name_prefix="appending")
        self._waiting: Future[None] | None = None
        self.placed: list[tuple[str, int]] = []
        """Stream and version of everything written since this was last emptied, in order."""

    def hand_over(self, writer: Writer, lot: Lot) -> None:
        """Begin to write `lot`; returns once the one before it is written. Raises what writing that one raised."""
        self.finish()
        self._waiting = self._beside.submit(self.append, writer, lot)

    def finish(self) -> None:
        """Wait until everything handed over is written. Raises what writing it raised."""
        waiting, self._waiting = self._waiting, None
        if waiting is not None:
            waiting.result()

    def append(self, writer: Writer, lot: Lot) -> None:
        """Write `lot` here and now: each stream goes on where it stands."""
        versions = writer.versions({fact.stream for fact in lot.facts})
        events = []
        for fact in lot.facts:
            event, stream = fact.event, fact.stream
            versions[stream] += 1
            self.placed.append((stream, versions[stream]))
            events.append(
                NewEvent(
                    fact.event_id,
                    stream,
                    versions[stream],
                    event.type_name,
                    event.schema_number,
                    fact.happened_at,
                    fact.actor,
                    fact.cause,
                    fact.correlation,
                    self._codec.encode(event),
                )
            )
        writer.append(events)
        remember_keys(connection_of(writer), lot.accepted)
