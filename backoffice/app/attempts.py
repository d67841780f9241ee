"""Knowing, after the connection died on the way to the answer, whether a commit had been made.

Deciding its requests again would not do: what was refused might be accepted now, behind what the commit itself wrote.
"""

from collections.abc import Sequence

import psycopg
import sqlalchemy.exc
from sqlalchemy import Connection

from backoffice.app.copying import fetch_rows
from backoffice.app.requests import Outcome

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
        self._transaction: str | None = None
        self._outcomes: Sequence[Outcome] = ()

    def note(self, connection: Connection, outcomes: Sequence[Outcome]) -> None:
        """Remember what this try will have answered if its transaction, which is about to end, is committed."""
        ((self._transaction,),) = fetch_rows(connection, "select pg_current_xact_id()::text", {})
        self._outcomes = outcomes

    def answered(self, connection: Connection) -> list[Outcome] | None:
        """What an earlier try made durable, or None. Ask under the head's lock: the earlier try held it to its end."""
        if self._transaction is None:
            return None
        asked = {"transaction": self._transaction}
        ((status,),) = fetch_rows(connection, "select pg_xact_status(%(transaction)s::xid8)", asked)
        return list(self._outcomes) if status == "committed" else None
