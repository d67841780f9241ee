"""Knowing, after the connection died on the way to the answer, whether a commit had been made.

Deciding its requests again would not do: what was refused might be accepted now, behind what the commit itself wrote.

A commit with facts is known by the hash of its last one, where it was to stand in the log. The number of its transaction
would not do: a server that crashes gives the numbers of transactions it has lost to others, and theirs were committed.
"""

from collections.abc import Sequence

import psycopg
import sqlalchemy.exc
from sqlalchemy import Connection

from backoffice.app.copying import fetch_rows
from backoffice.app.recall import connection_of
from backoffice.app.requests import Outcome
from backoffice.log.envelope import Head
from backoffice.log.protocol import Writer

LOST = (
    psycopg.OperationalError,
    psycopg.InterfaceError,
    sqlalchemy.exc.OperationalError,
    sqlalchemy.exc.InterfaceError,
)
"""The connection is gone, and with it the knowledge whether the commit was made."""


class Attempt:
    """One commit, however often it has to be tried: give the same one to every try."""

    def __init__(self) -> None:
        self._outcomes: Sequence[Outcome] | None = None
        self._reached: Head | None = None
        self._transaction: str | None = None

    def note(self, writer: Writer, outcomes: Sequence[Outcome], began: Head) -> None:
        """Remember what this try will have answered if its transaction, which is about to end, is committed."""
        self._outcomes = outcomes
        self._reached = None if writer.head == began else writer.head
        if self._reached is None:
            ((self._transaction,),) = fetch_rows(
                connection_of(writer), "select pg_current_xact_id()::text", {}
            )

    def answered(self, connection: Connection) -> list[Outcome] | None:
        """What an earlier try made durable, or None. Ask under the head's lock: the earlier try held it to its end."""
        if self._outcomes is None:
            return None
        made = (
            _ended(connection, self._transaction)
            if self._reached is None
            else _is_in(connection, self._reached)
        )
        return list(self._outcomes) if made else None


def _is_in(connection: Connection, reached: Head) -> bool:
    """Whether the log has this very event there."""
    query = "select hash from log.events where position = %(position)s"
    return fetch_rows(connection, query, {"position": reached.position}) == [(reached.hash,)]


def _ended(connection: Connection, transaction: str | None) -> bool:
    """Whether a transaction without facts, by its number, was committed; one that a crash has undone may be unknown."""
    query = """
        select case when %(number)s::xid8 < pg_snapshot_xmax(pg_current_snapshot())
               then pg_xact_status(%(number)s::xid8) end
    """
    return fetch_rows(connection, query, {"number": transaction}) == [("committed",)]
