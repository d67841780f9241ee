"""Waiting for the log to grow.

A notification only cuts a wait short. Whoever waits looks at the log again after every wait, whatever woke
it, so a notification that is lost, or a listening connection that dies, costs one wait and never an event.
"""

from types import TracebackType
from typing import Any, Self

import psycopg
from sqlalchemy import URL

from backoffice.db import psycopg_url
from backoffice.log.tables import CHANNEL


class News:
    """A connection of its own that listens for appends; a context manager."""

    def __init__(self, url: str | URL) -> None:
        plain = psycopg_url(url).set(drivername="postgresql")
        self._url = plain.render_as_string(hide_password=False)
        self._connection: psycopg.Connection[tuple[Any, ...]] | None = None

    def listen(self) -> None:
        """Begin to listen, if it does not yet; whoever looks at the log after this misses nothing.

        Raises psycopg.OperationalError when the database cannot be reached.
        """
        if self._connection is None:
            self._connection = psycopg.connect(self._url, autocommit=True, application_name=CHANNEL)
            self._connection.execute(f"listen {CHANNEL}")

    def wait(self, seconds: float) -> None:
        """Return when something was appended, at the latest after `seconds`.

        When the connection turns out to be dead it returns at once, too; the next wait connects anew, and
        raises psycopg.OperationalError if that fails.
        """
        if self._connection is None:
            return self.listen()
        try:
            for _ in self._connection.notifies(timeout=seconds, stop_after=1):
                pass
        except psycopg.OperationalError:
            self.close()

    def close(self) -> None:
        """Stop listening."""
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.close()

    def __enter__(self) -> Self:
        self.listen()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()
