"""The log in PostgreSQL."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from hashlib import sha256
from uuid import UUID

from psycopg.errors import UniqueViolation
from sqlalchemy import Connection, Engine

from backoffice.log import statements
from backoffice.log.chain import image, microseconds
from backoffice.log.checked import check
from backoffice.log.claims import advanced, refuse_known, refuse_twins
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.errors import DuplicateEvent, VersionConflict, WriterSpent
from backoffice.log.seen import SeenLog
from backoffice.log.statements import RawCursor

# The lock comes first and the clock is asked behind it: while we waited, time went on.
_LOCK = """
    with locked as materialized (select log_id, position, hash from log.head for update)
    select log_id, position, hash, clock_timestamp() from locked
"""
# The payload is a number and nothing else, so it can never grow over PostgreSQL's limit and abort an append.
_MOVE = """
    with moved as (
        update log.head set position = %(to)s, hash = %(hash)s where position = %(from)s returning position
    )
    select pg_notify('backoffice_log', position::text) from moved
"""
_COPY = (
    "copy log.events (position, event_id, stream, version, type, schema, happened_at, recorded_at,"
    " actor, cause, correlation, data, hash) from stdin (format binary)"
)
_COPY_START = b"PGCOPY\n\xff\r\n\0" + bytes(8)
_COPY_END = b"\xff\xff"
_ROW_START = b"\x00\x0d"
_HASH_LENGTH = b"\x00\x00\x00\x20"
# Rows a block: the server takes one block in while the next is being packed and hashed.
_BLOCK = 64


class PostgresLog:
    """A log in a migrated database; see `Log`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._reading = engine.execution_options(isolation_level="AUTOCOMMIT")

    @contextmanager
    def writing(self) -> Iterator["PostgresWriter"]:
        """One transaction under the head's lock; see `Log.writing`."""
        with self._engine.begin() as connection:
            writer = PostgresWriter(connection)
            try:
                yield writer
                writer.finish()
            finally:
                writer.spent = True

    def head(self) -> Head:
        """Where the log is."""
        with self._cursor() as cursor:
            return statements.head(cursor)

    def read(
        self,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        batch: int = 2000,
    ) -> Iterator[Recorded]:
        """Events by position; see `Reader.read`. No connection is held while the caller works on a page."""
        page: list[Recorded] | None = []
        while page is not None:
            with self._cursor() as cursor:
                page, after = statements.page(cursor, after, upto, types, batch)
            yield from page or ()

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """One stream; see `Reader.read_stream`."""
        with self._cursor() as cursor:
            return statements.stream(cursor, stream, after_version)

    def read_streams(
        self, streams: Collection[str], types: Collection[str] | None = None
    ) -> dict[str, list[Recorded]]:
        """Several streams in one query; see `Reader.read_streams`."""
        with self._cursor() as cursor:
            return statements.streams(cursor, streams, types)

    @contextmanager
    def _cursor(self) -> Iterator[RawCursor]:
        with (
            self._reading.connect() as connection,
            statements.binary_cursor(statements.raw(connection)) as cursor,
        ):
            yield cursor


class PostgresWriter(SeenLog):
    """A transaction that holds the head's lock, and reads what it has appended itself, too; see `Writer`."""

    def __init__(self, connection: Connection) -> None:
        self.connection = connection
        super().__init__(connection)
        self.spent = False
        *head, now = statements.one_row(self._cursor.execute(_LOCK))
        self.now: datetime = now
        self._locked = self._head = statements.as_head(head)
        self._versions: dict[str, int] = {}

    @property
    def head(self) -> Head:
        """Where the log is, with what was appended here."""
        return self._head

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The last version of each stream; 0 for an unknown one.

        Each is asked once: under the lock nobody else moves them.
        """
        unknown = [stream for stream in streams if stream not in self._versions]
        if unknown:
            self._versions.update(statements.versions(self._usable(), unknown))
        return {stream: self._versions[stream] for stream in streams}

    def append(self, events: Sequence[NewEvent]) -> range:
        """Add events at the end, all or none; see `Writer.append`."""
        cursor, first = self._usable(), self._head.position + 1
        if not events:
            return range(first, first)
        check(events)
        refuse_twins(events)
        self.versions({event.stream for event in events})
        try:
            self._claim(events)
        except VersionConflict:
            refuse_known(events, statements.with_ids(cursor, [event.event_id for event in events]))
            raise
        return self._copy(cursor, [events])

    def append_blocks(self, blocks: Iterable[Sequence[NewEvent]]) -> range:
        """The server takes one block in while the next is being made; see `Writer.append_blocks`."""
        return self._copy(self._usable(), map(self._claimed, blocks))

    def finish(self) -> None:
        """Move the head and wake the readers; raises WriterSpent if an error has ended the transaction."""
        cursor = self._usable()
        if self._head == self._locked:
            return
        move = {"from": self._locked.position, "to": self._head.position, "hash": self._head.hash}
        if cursor.execute(_MOVE, move).rowcount != 1:
            raise RuntimeError("the head moved under its lock")

    def _usable(self) -> RawCursor:
        if self.spent:
            raise WriterSpent("this writer's transaction is over")
        return self._cursor

    def _claimed(self, events: Sequence[NewEvent]) -> Sequence[NewEvent]:
        check(events)
        refuse_twins(events)
        self._claim(events)
        return events

    def _claim(self, events: Sequence[NewEvent]) -> None:
        """The next versions of streams that were looked up are theirs."""
        at = {event.stream: self._versions[event.stream] for event in events}
        self._versions.update(advanced(at, events))

    def _copy(self, cursor: RawCursor, blocks: Iterable[Sequence[NewEvent]]) -> range:
        self.spent = True  # until the rows are in: an error on the way ends the transaction
        first = self._head.position + 1
        try:
            with cursor.copy(_COPY) as copy:
                copy.write(_COPY_START)
                for events in blocks:
                    for start in range(0, len(events), _BLOCK):
                        copy.write(self._rows(events[start : start + _BLOCK]))
                copy.write(_COPY_END)
        except UniqueViolation as error:
            raise _duplicate(error) from error
        placed = range(first, self._head.position + 1)
        if cursor.rowcount != len(placed):
            raise RuntimeError(f"{cursor.rowcount} of {len(placed)} events were stored")
        self.spent = False
        return placed

    def _rows(self, events: Sequence[NewEvent]) -> bytes:
        instant = microseconds(self.now)
        position, previous = self._head.position, self._head.hash
        parts: list[bytes] = []
        for event in events:
            position += 1
            packed = image(position, instant, event)
            previous = sha256(previous + packed).digest()
            parts += (_ROW_START, packed, _HASH_LENGTH, previous)
        self._head = Head(self._head.log_id, position, previous)
        return b"".join(parts)


def _duplicate(error: UniqueViolation) -> Exception:
    detail = re.search(r"\(event_id\)=\(([0-9a-f-]{36})\)", error.diag.message_detail or "")
    return DuplicateEvent(UUID(detail[1])) if detail else error
