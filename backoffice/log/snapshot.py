"""The log as one transaction sees it: for reports, which read it and the read tables in the same snapshot."""

from collections.abc import Collection, Iterator

from sqlalchemy import Connection

from backoffice.log import statements
from backoffice.log.envelope import Recorded


class SnapshotReader:
    """Reads over the caller's connection, in its transaction; see `Reader`."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def read(
        self,
        after: int = 0,
        upto: int | None = None,
        types: Collection[str] | None = None,
        batch: int = 2000,
    ) -> Iterator[Recorded]:
        """Events by position; see `Reader.read`."""
        page: list[Recorded] | None = []
        while page is not None:
            with statements.binary_cursor(statements.raw(self._connection)) as cursor:
                page, after = statements.page(cursor, after, upto, types, batch)
            yield from page or ()

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """One stream; see `Reader.read_stream`."""
        with statements.binary_cursor(statements.raw(self._connection)) as cursor:
            return statements.stream(cursor, stream, after_version)

    def read_streams(self, streams: Collection[str]) -> dict[str, list[Recorded]]:
        """Several streams in one query; see `Reader.read_streams`."""
        with statements.binary_cursor(statements.raw(self._connection)) as cursor:
            return statements.streams(cursor, streams)
