"""Evidence of refused logins and denied accesses: every one counts, and no attacker fills the house with them.

What is alike (who, from where, at what, why) is one row that says how many times. Rows are written by the shared commits,
at most `MOST` at once; whoever causes more than that is counted under one row for all others, and written ever more
seldom. Names that nobody proved are not written: they are the attacker's own choice.
"""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from types import TracebackType
from typing import NamedTuple, Self

from sqlalchemy import Connection, insert

from backoffice.app.attempts import LOST
from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Outcome
from backoffice.app.tables import significant_events

log = logging.getLogger(__name__)

MOST = 50
QUICKEST_SECONDS, SLOWEST_SECONDS = 0.5, 60.0
LOGIN_REFUSED, ACCESS_DENIED = "login refused", "access denied"
UNKNOWN = "unknown"


class Denial(NamedTuple):
    """One kind of no: who was not let, from where, at which endpoint, under which rule, and why."""

    kind: str
    who: str
    whence: str
    what: str
    about: str
    why: str


class Denials:
    """Counts denials and has them written. An async context manager: leaving it writes what is left."""

    def __init__(self, group: GroupCommit) -> None:
        self._group = group
        self._times: dict[Denial, int] = {}
        self._since = datetime.now(UTC)
        self._some = asyncio.Event()
        self._leaving = asyncio.Event()

    async def __aenter__(self) -> Self:
        self._writer = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leaving.set()
        self._some.set()
        await self._writer

    def note(self, denial: Denial) -> None:
        """Count one more."""
        if denial not in self._times and len(self._times) >= MOST:
            denial = Denial(denial.kind, UNKNOWN, "several", "several", "", "more kinds than are told apart")
        if not self._times:
            self._since = datetime.now(UTC)
        self._times[denial] = self._times.get(denial, 0) + 1
        self._some.set()

    async def _run(self) -> None:
        pause = QUICKEST_SECONDS
        while not self._leaving.is_set():
            await self._some.wait()
            crowded = await self._write()
            pause = min(2 * pause, SLOWEST_SECONDS) if crowded else QUICKEST_SECONDS
            try:
                await asyncio.wait_for(self._leaving.wait(), pause)
            except TimeoutError:
                continue
        await self._write()

    async def _write(self) -> bool:
        """Write what was counted; whether that was more than are told apart. Without a database it stays counted."""
        times, since = self._times, self._since
        self._times = {}
        self._some.clear()
        rows = [{**denial._asdict(), "times": count, "since": since} for denial, count in times.items()]

        def keep(connection: Connection, _: Sequence[Outcome]) -> None:
            connection.execute(insert(significant_events), rows)

        if rows:
            try:
                await asyncio.wrap_future(self._group.submit([], keep))
            except LOST as lost:
                log.warning("%d denials are not written yet: %s", sum(times.values()), lost)
                self._count_again(times, since)
        return len(times) > MOST

    def _count_again(self, times: Mapping[Denial, int], since: datetime) -> None:
        for denial, count in times.items():
            self._times[denial] = self._times.get(denial, 0) + count
        self._since = since
        self._some.set()
