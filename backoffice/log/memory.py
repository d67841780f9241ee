"""The log's twin in memory, for tests of everything that stands on a log."""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Lock
from uuid import UUID

from uuid_utils.compat import uuid7

from backoffice.log.chain import genesis, link
from backoffice.log.checked import check
from backoffice.log.claims import advanced, refuse_known, refuse_twins
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.errors import DuplicateEvent, VersionConflict, WriterSpent


class _Kept:
    """All events, the uncommitted ones of the one writer at the end."""

    def __init__(self, start: Head) -> None:
        self.head = start
        self.events: list[Recorded] = []
        self.streams: dict[str, list[Recorded]] = {}
        self.ids: dict[UUID, Recorded] = {}

    def add(self, event: Recorded) -> None:
        self.events.append(event)
        self.streams.setdefault(event.stream, []).append(event)
        self.ids[event.event_id] = event
        self.head = Head(self.head.log_id, event.position, event.hash)

    def cut(self, head: Head) -> None:
        while len(self.events) > head.position:
            event = self.events.pop()
            self.streams[event.stream].pop()
            del self.ids[event.event_id]
        self.head = head

    def read(self, after: int, upto: Callable[[], int], types: Collection[str] | None) -> Iterator[Recorded]:
        position = after
        while position < min(upto(), len(self.events)):
            event = self.events[position]
            position = event.position
            if types is None or event.type in types:
                yield event

    def stream(self, stream: str, after_version: int, upto: int) -> list[Recorded]:
        events = self.streams.get(stream, [])[after_version:]
        return [event for event in events if event.position <= upto]


class MemoryLog:
    """A log that lives as long as its object; `clock` stands in for the database's."""

    def __init__(
        self, *, clock: Callable[[], datetime] = lambda: datetime.now(UTC), log_id: str | None = None
    ) -> None:
        self._kept = _Kept(genesis(log_id or str(uuid7())))
        self._committed = self._kept.head
        self._lock = Lock()
        self._clock = clock

    @contextmanager
    def writing(self) -> Iterator["MemoryWriter"]:
        """One transaction; see `Log.writing`."""
        with self._lock:
            writer = MemoryWriter(self._kept, self._clock())
            try:
                yield writer
                writer.finish()
                self._committed = self._kept.head
            finally:
                writer.spent = True
                self._kept.cut(self._committed)

    def head(self) -> Head:
        """Where the log is."""
        return self._committed

    def read(
        self,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        batch: int = 2000,  # noqa: ARG002  (there are no pages in memory)
    ) -> Iterator[Recorded]:
        """Events by position; see `Reader.read`."""
        return self._kept.read(after, lambda: _lower(upto, self._committed.position), types)

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """One stream; see `Reader.read_stream`."""
        return self._kept.stream(stream, after_version, self._committed.position)

    def read_streams(
        self, streams: Collection[str], types: Collection[str] | None = None
    ) -> dict[str, list[Recorded]]:
        """Several streams; see `Reader.read_streams`."""
        return {stream: _of_types(self.read_stream(stream), types) for stream in streams}


class MemoryWriter:
    """The one writer of a MemoryLog; see `Writer`."""

    connection: None = None

    def __init__(self, kept: _Kept, now: datetime) -> None:
        self._kept = kept
        self.now = now
        self.spent = False

    @property
    def head(self) -> Head:
        """Where the log is, with what was appended here."""
        return self._kept.head

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The last version of each stream; 0 for an unknown one."""
        self._refuse_if_spent()
        return {stream: len(self._kept.streams.get(stream, ())) for stream in streams}

    def read(
        self,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        batch: int = 2000,  # noqa: ARG002  (there are no pages in memory)
    ) -> Iterator[Recorded]:
        """Events by position, the own ones too; see `Reader.read`."""
        self._refuse_if_spent()
        return self._kept.read(after, lambda: _lower(upto, self._kept.head.position), types)

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """One stream, with the own events; see `Reader.read_stream`."""
        self._refuse_if_spent()
        return self._kept.stream(stream, after_version, self._kept.head.position)

    def read_streams(
        self, streams: Collection[str], types: Collection[str] | None = None
    ) -> dict[str, list[Recorded]]:
        """Several streams, with the own events; see `Reader.read_streams`."""
        return {stream: _of_types(self.read_stream(stream), types) for stream in streams}

    def append(self, events: Sequence[NewEvent]) -> range:
        """Add events at the end, all or none; see `Writer.append`."""
        self._refuse_if_spent()
        check(events)
        refuse_twins(events)
        known = [self._kept.ids[event.event_id] for event in events if event.event_id in self._kept.ids]
        try:
            advanced(self.versions({event.stream for event in events}), events)
        except VersionConflict:
            refuse_known(events, known)
            raise
        if known:
            self.spent = True
            raise DuplicateEvent(known[0].event_id)
        first = self._kept.head.position + 1
        for event in events:
            self._add(event)
        return range(first, first + len(events))

    def append_blocks(self, blocks: Iterable[Sequence[NewEvent]]) -> range:
        """Add events block by block; see `Writer.append_blocks`."""
        self._refuse_if_spent()
        first = self._kept.head.position + 1
        try:
            for events in blocks:
                self.append(events)
        except BaseException:
            self.spent = True
            raise
        return range(first, self._kept.head.position + 1)

    def finish(self) -> None:
        """End the transaction; raises WriterSpent if an earlier error has already ended it."""
        self._refuse_if_spent()

    def _add(self, event: NewEvent) -> None:
        head = self._kept.head
        position = head.position + 1
        self._kept.add(Recorded(*event, position, self.now, link(head.hash, position, self.now, event)))

    def _refuse_if_spent(self) -> None:
        if self.spent:
            raise WriterSpent("this writer's transaction is over")


def _of_types(events: Sequence[Recorded], types: Collection[str] | None) -> list[Recorded]:
    return [event for event in events if types is None or event.type in types]


def _lower(upto: int | None, last: int) -> int:
    return last if upto is None else min(upto, last)
