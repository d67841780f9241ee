"""What a log is, whoever keeps it."""

from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from datetime import datetime
from typing import Protocol

from sqlalchemy import Connection

from backoffice.log.envelope import Head, NewEvent, Recorded


class Reader(Protocol):
    """Reading the past: by position, or by stream."""

    def read(
        self,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        batch: int = 2000,
    ) -> Iterator[Recorded]:
        """Events behind `after`, up to and with `upto`, in position order; only `types`, if given.

        Memory stays flat.
        """
        ...

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """A stream's events behind a version, in version order; empty if there are none."""
        ...

    def read_streams(
        self, streams: Collection[str], types: Collection[str] | None = None
    ) -> dict[str, list[Recorded]]:
        """The events of every stream asked for, in version order; only `types`, if given. An unknown stream is empty."""
        ...


class Writer(Reader, Protocol):
    """One transaction that holds the head row's lock: nobody else appends until it ends."""

    @property
    def head(self) -> Head:
        """Where the log is, with what this writer has appended."""
        ...

    @property
    def now(self) -> datetime:
        """The database's clock when the lock was taken, UTC: the `recorded_at` of all this writer appends."""
        ...

    @property
    def connection(self) -> Connection | None:
        """The transaction, for rows that must be written with the events; None in the twin."""
        ...

    def versions(self, streams: Collection[str]) -> dict[str, int]:
        """The last version of each stream asked for; 0 for one that does not exist."""
        ...

    def append(self, events: Sequence[NewEvent]) -> range:
        """Add events at the end, all or none, and say at which positions they are.

        Raises Malformed or VersionConflict before anything is written: the writer is still good. Raises
        AlreadyAppended (still good, too) when these very events are in the log, and DuplicateEvent when an id
        is taken: then the writer is spent and the transaction will not be committed.
        """
        ...

    def append_blocks(self, blocks: Iterable[Sequence[NewEvent]]) -> range:
        """Add events at the end, block by block as they are made, and say at which positions they are.

        Their streams are such as `versions` was asked for. Nothing else may be asked of the writer meanwhile. Raises what
        `append` does of any of them, and what making them raises: then the writer is spent.
        """
        ...


class Log(Reader, Protocol):
    """A log of facts, dense in position, each chained to the one before."""

    def writing(self) -> AbstractContextManager[Writer]:
        """Begin a transaction, lock the head, hand out the writer.

        Committed at the normal end of the block, rolled back on an exception.
        """
        ...

    def head(self) -> Head:
        """Where the log is."""
        ...
