"""The log as one transaction sees it."""

from collections.abc import Collection, Iterator

from sqlalchemy import Connection

from backoffice.log import statements
from backoffice.log.envelope import Recorded
from backoffice.log.statements import RawCursor


class SeenLog:
    """Reads on the caller's connection, in the caller's transaction; see `Reader`."""

    def __init__(self, connection: Connection) -> None:
        self._cursor = statements.binary_cursor(statements.raw(connection))

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
            page, after = statements.page(self._usable(), after, upto, types, batch)
            yield from page or ()

    def read_stream(self, stream: str, after_version: int = 0) -> list[Recorded]:
        """One stream; see `Reader.read_stream`."""
        return statements.stream(self._usable(), stream, after_version)

    def read_streams(
        self, streams: Collection[str], types: Collection[str] | None = None
    ) -> dict[str, list[Recorded]]:
        """Several streams in one query; see `Reader.read_streams`."""
        return statements.streams(self._usable(), streams, types)

    def read_positions(self, positions: Collection[int]) -> list[Recorded]:
        """The events at these positions, in order."""
        return statements.at_positions(self._usable(), positions)

    def _usable(self) -> RawCursor:
        return self._cursor
