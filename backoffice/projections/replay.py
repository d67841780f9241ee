"""From recorded events to rows: the way that catching up, rebuilding and comparing all go."""

from collections.abc import Callable, Iterable, Iterator, Sequence

from sqlalchemy import Connection

from backoffice.domain.event import Event
from backoffice.log.chain import genesis
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head, Recorded
from backoffice.log.statements import binary_cursor, head, page, raw
from backoffice.projections.changes import Change
from backoffice.projections.fact import Fact
from backoffice.projections.projection import Projection
from backoffice.projections.rows import Rows

BATCH = 2000
"""Events that are read, projected and written at a time."""


class ProjectionStopped(Exception):
    """An event cannot be projected: a bug.

    Nothing of its batch was written and nothing behind it was looked at.
    """


class Replay:
    """Projects the same events for one or more projections, decoding each event once."""

    def __init__(self, codec: Codec, projections: Sequence[Projection]) -> None:
        self._codec = codec
        self._asks: dict[str, list[Callable[[Fact], Iterable[Change]]]] = {}
        for projection in projections:
            for name in projection.types:
                self._asks.setdefault(name, []).append(projection.changes)

    def batches(self, connection: Connection, after: Head, upto: Head) -> Iterator[tuple[Rows, Head]]:
        """`next_batch` until `upto` is reached; nothing where it is reached already."""
        while after.position < upto.position:
            rows, after = self.next_batch(connection, after, upto)
            yield rows, after

    def next_batch(self, connection: Connection, after: Head, upto: Head) -> tuple[Rows, Head]:
        """Read one batch behind `after` on the caller's own connection; its rows, and how far it reaches.

        Raises ProjectionStopped for an event that cannot be decoded or projected.
        """
        with binary_cursor(raw(connection)) as cursor:
            events = page(cursor, after.position, upto.position, self._asks.keys(), BATCH)
        whole = len(events) < BATCH
        return self._rows(events), upto if whole else _place(after.log_id, events[-1])

    def _rows(self, events: Iterable[Recorded]) -> Rows:
        rows = Rows()
        for recorded in events:
            try:
                fact = self._fact(recorded)
                for changes in self._asks[recorded.type]:
                    rows.take(changes(fact))
            except Exception as bug:
                raise ProjectionStopped(f"at position {recorded.position}, {recorded.type}: {bug}") from bug
        return rows

    def _fact(self, recorded: Recorded) -> Fact:
        event = self._codec.decode(recorded.type, recorded.schema, recorded.data)
        assert isinstance(event, Event)  # noqa: S101 - the catalogue holds nothing else
        return Fact(recorded, event)


def _place(log_id: str, recorded: Recorded) -> Head:
    return Head(log_id, recorded.position, recorded.hash)


def log_head(connection: Connection) -> Head:
    """Where the log is, as this transaction sees it."""
    with binary_cursor(raw(connection)) as cursor:
        return head(cursor)


def log_beginning(connection: Connection) -> Head:
    """Where the log begins."""
    return genesis(log_head(connection).log_id)
