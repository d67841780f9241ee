"""From recorded events to rows: the way that catching up, rebuilding and comparing all go."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from backoffice.domain.event import Event
from backoffice.log.codec import Codec
from backoffice.projections.changes import Change
from backoffice.projections.fact import Fact
from backoffice.projections.projection import Projection
from backoffice.projections.reading import Written, read_range
from backoffice.projections.rows import Rows

BATCH = 4000
"""Positions that are read, projected and written at a time."""


class ProjectionStopped(Exception):
    """An event cannot be projected: a bug. Nothing of its batch was written and nothing behind it was looked at."""


class Replay:
    """Projects the same events for one or more projections, decoding each event once."""

    def __init__(self, codec: Codec, projections: Sequence[Projection]) -> None:
        self._codec = codec
        self._asks: dict[str, list[Callable[[Fact], Iterable[Change]]]] = {}
        for projection in projections:
            for name in projection.types:
                self._asks.setdefault(name, []).append(projection.changes)

    def batches(self, connection: Connection, after: int, upto: int) -> Iterator[tuple[Rows, int]]:
        """`next_batch` until `upto` is reached; nothing where it is reached already."""
        while after < upto:
            rows, after = self.next_batch(connection, after, upto)
            yield rows, after

    def next_batch(self, connection: Connection, after: int, upto: int) -> tuple[Rows, int]:
        """What the events behind `after` come to, and how far this batch reaches: at most to `upto`.

        Raises ProjectionStopped for an event that cannot be decoded or projected.
        """
        events, reached = self.read(connection, after, upto)
        return self.rows(events), reached

    def read(self, connection: Connection, after: int, upto: int) -> tuple[list[Written], int]:
        """The events of the next batch behind `after`, and how far it reaches."""
        reached = min(after + BATCH, upto)
        return read_range(connection, after, reached, self._asks.keys()), reached

    def rows(self, events: Iterable[Written]) -> Rows:
        """What `events` come to. Raises ProjectionStopped."""
        rows = Rows()
        for written in events:
            try:
                fact = self._fact(written)
                for changes in self._asks[written.type]:
                    rows.take(changes(fact))
            except Exception as bug:
                raise ProjectionStopped(f"at position {written.position}, {written.type}: {bug}") from bug
        return rows

    def _fact(self, written: Written) -> Fact:
        position, happened_at, recorded_at, _, kind, schema, data = written
        event = self._codec.decode(kind, schema, data)
        assert isinstance(event, Event)
        return Fact(position, happened_at, recorded_at, event)
