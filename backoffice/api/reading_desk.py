"""Reading for many callers over few connections.

A question is a function of a connection; it runs in a thread, and what it gives back is whole: while the answer goes out,
however slowly, neither a connection nor a thread is held. Who would have to wait for long is told so.
"""

from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

import anyio
from psycopg.errors import QueryCanceled
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from backoffice.api.problems import Finding, Kind, Problem
from backoffice.db import NotMigrated
from backoffice.log.errors import CheckpointError
from backoffice.projections.levelling import Incomplete
from backoffice.projections.versions import ProjectionStale
from backoffice.reports.case_story import UnknownCase
from backoffice.reports.decoding import Damaged
from backoffice.reports.making import UnknownReport
from backoffice.reports.queries.files import UnknownEntry
from backoffice.reports.queries.paging import BadCursor
from backoffice.reports.queries.snapshot import snapshot
from backoffice.reports.reading import UnknownCasino, Unsettled
from backoffice.reports.rendering.as_xlsx import TooLong
from backoffice.reports.round_story import UnknownRound
from backoffice.reports.scope import OutOfScope

AT_ONCE = 6
"""So many questions are asked of the database at a time; fewer than the pool has connections."""
WAITING_MOST = 200
PATIENCE_SECONDS = 5.0
"""So long a question waits for its turn."""
RETRY = {"Retry-After": "1"}
TOO_MUCH = "that is too much to look for: ask for less of it"

T = TypeVar("T")

_NOES: Mapping[type[Exception], tuple[Kind, str | None]] = {
    BadCursor: (Kind.INVALID, "cursor"),
    OutOfScope: (Kind.FORBIDDEN, None),
    UnknownReport: (Kind.INVALID, None),
    UnknownCasino: (Kind.INVALID, "casino"),
    TooLong: (Kind.INVALID, "format"),
    UnknownRound: (Kind.NOT_FOUND, None),
    UnknownCase: (Kind.NOT_FOUND, None),
    UnknownEntry: (Kind.NOT_FOUND, None),
    ProjectionStale: (Kind.UNAVAILABLE, None),
    Incomplete: (Kind.UNAVAILABLE, None),
    Unsettled: (Kind.UNAVAILABLE, None),
    CheckpointError: (Kind.UNAVAILABLE, None),
    Damaged: (Kind.UNAVAILABLE, None),
    NotMigrated: (Kind.UNAVAILABLE, None),
}
"""What a question may be answered with instead: the kind of problem, and the field at fault where the no does not say it."""


class ReadingDesk:
    """Asks the database for many callers."""

    def __init__(self, engine: Engine, at_once: int = AT_ONCE) -> None:
        self._engine = engine
        self._turns = anyio.CapacityLimiter(at_once)
        self._threads = anyio.CapacityLimiter(at_once)

    @property
    def waiting(self) -> int:
        """How many questions wait for their turn."""
        return self._turns.statistics().tasks_waiting

    @property
    def asking(self) -> int:
        """How many are being answered."""
        return self._turns.statistics().borrowed_tokens

    async def ask(self, question: Callable[[Connection], T]) -> T:
        """What a question comes to, in a snapshot. Raises a Problem where too many wait, or where it is answered by a no."""
        return await self.run(partial(_asked, self._engine, question))

    async def run(self, work: Callable[[], T]) -> T:
        """What work comes to that finds its own way to the database. Raises the same."""
        if self.waiting >= WAITING_MOST:
            raise Problem(Kind.TOO_MANY, "too many questions wait already", headers=RETRY)
        try:
            with anyio.fail_after(PATIENCE_SECONDS):
                await self._turns.acquire()
        except TimeoutError as late:
            raise Problem(Kind.TOO_MANY, "too many questions wait already", headers=RETRY) from late
        try:
            return await anyio.to_thread.run_sync(partial(_answered, work), limiter=self._threads)
        finally:
            self._turns.release()


def _asked(engine: Engine, question: Callable[[Connection], T]) -> T:
    with snapshot(engine) as connection:
        return question(connection)


def _answered(work: Callable[[], T]) -> T:
    try:
        return work()
    except DBAPIError as error:
        if isinstance(error.orig, QueryCanceled):
            raise Problem(Kind.LATE, TOO_MUCH) from error
        raise
    except tuple(_NOES) as no:
        raise _problem(no) from no


def _problem(no: Exception) -> Problem:
    kind, field = next(told for known, told in _NOES.items() if isinstance(no, known))
    field = field or getattr(no, "field", None)
    errors = None if not field else [Finding(field=field, reason=str(no))]
    return Problem(kind, str(no), errors=errors, rule="casino" if isinstance(no, OutOfScope) else None)
