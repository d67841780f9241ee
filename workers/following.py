"""Leading readers of the log over one session, and projecting as their leader."""

import os
import socket
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from backoffice.bootstrap import House
from backoffice.projections.leading import Lead, resign, take_lead


def follow(house: House, name: str) -> int:
    """Catch one projection up as its leader; how many positions that was. Nothing where somebody else leads it."""
    total = 0
    with Leading(house) as leading:
        while moved := leading.project(name):
            total += moved
    return total


class Leading:
    """What this process leads, all over one session, whatever the size of the pool. A context manager.

    When the session is lost so is everything that was led over it: begin anew with another.
    """

    def __init__(self, house: House) -> None:
        self._house = house
        self._projector = house.projector()
        self._who = f"{socket.gethostname()}:{os.getpid()}"
        self._session: Connection | None = None
        self._leads: dict[str, Lead] = {}

    def __enter__(self) -> Self:
        self._session = self._house.engine.connect()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        session, self._session = self._session, None
        assert session is not None
        try:
            if error is None:
                for lead in self._leads.values():
                    resign(session, lead)
        finally:
            self._leads.clear()
            session.invalidate()  # its locks go with it, not back into the pool
            session.close()

    def project(self, name: str) -> int:
        """Project one batch; how many positions that was. 0 where there is none, or where somebody else leads.

        Raises Deposed, ProjectionStale, ProjectionStopped or CheckpointError.
        """
        lead = self._lead(f"projection/{name}")
        if lead is None:
            return 0
        return self._projector.catch_up_leading(self._connection, name, lead)

    def leads(self, reader: str) -> bool:
        """Whether this process leads a reader of the log; it is seen to. Raises Deposed."""
        lead = self._lead(reader)
        if lead is None:
            return False
        with self._connection.begin():
            lead.confirm(self._connection)
        return True

    def _lead(self, reader: str) -> Lead | None:
        lead = self._leads.get(reader) or take_lead(self._connection, reader, self._who)
        if lead is not None:
            self._leads[reader] = lead
        return lead

    @property
    def _connection(self) -> Connection:
        assert self._session is not None
        return self._session
