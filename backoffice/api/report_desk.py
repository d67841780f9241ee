"""Making reports for many callers: a few at a time, each whole in a file of its own before its first byte goes out.

So memory stays flat however long a report is, what goes wrong is told before anything is, and who takes an answer in slowly
holds neither a connection nor a thread. What takes too long is for the workers to make.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import partial
from hashlib import sha256
from tempfile import TemporaryFile
from typing import IO, TypeVar

from sqlalchemy import text

from backoffice.api.problems import Kind, Problem
from backoffice.api.reading_desk import RETRY, ReadingDesk
from backoffice.bootstrap import House
from backoffice.reports.asked import Asked
from backoffice.reports.making import making
from backoffice.reports.reading import Reading
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Report, Row

AT_ONCE = 2
"""So many reports are made at a time."""
LONGEST_SECONDS = 60
"""A report that takes longer is given up."""
MOST_OUT = 50
"""So many may be made, or on their way out, at a time."""
TOO_LONG = (
    "that takes too long to be waited for: ask for fewer days, or order it by `backoffice report --order`"
)

T = TypeVar("T")


@dataclass(slots=True)
class Whole:
    """A report that is made: its bytes, how many, their digest, and from which position of the log."""

    stream: IO[bytes]
    size_bytes: int
    sha256: str
    position: int


class ReportDesk:
    """Makes reports, and counts those that are not yet out."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._turns = ReadingDesk(house.engine, AT_ONCE)
        self._out = 0

    async def make(self, report: Report, asked: Asked, form: str) -> Whole:
        """A report, whole, to be let go of by `let_go`. Raises a Problem where it cannot be made, or takes too long."""
        if self._out >= MOST_OUT:
            raise Problem(Kind.TOO_MANY, "too many reports are under way already", headers=RETRY)
        stream: IO[bytes] = TemporaryFile()  # noqa: SIM115 - closed by who takes it out
        self._out += 1
        try:
            return await self._turns.run(partial(_made, self._house, report, asked, form, stream))
        except BaseException:
            self._out -= 1
            stream.close()
            raise

    async def work(self, work: Callable[[], T]) -> T:
        """What other work comes to that takes as long as a report. Raises a Problem where it cannot be done."""
        return await self._turns.run(work)

    def let_go(self, whole: Whole) -> None:
        """It is out, or nobody wants it any more."""
        self._out -= 1
        whole.stream.close()


def _made(house: House, report: Report, asked: Asked, form: str, stream: IO[bytes]) -> Whole:
    """Write a report into `stream`, which is put back to its beginning."""
    until = time.monotonic() + LONGEST_SECONDS
    digest, size_bytes = sha256(), 0
    with making(house.engine, house.codec, _within(report, until), asked) as made:
        for piece in FORMS[form](made):
            stream.write(piece)
            digest.update(piece)
            size_bytes += len(piece)
        position = int(made.particulars["position"])
    stream.seek(0)
    return Whole(stream, size_bytes, digest.hexdigest(), position)


def _within(report: Report, until: float) -> Report:
    """The same report, given up where its rows are not all there by that time. Raises a Problem then."""

    def rows(reading: Reading) -> Iterator[Row]:
        reading.connection.execute(text(f"set local statement_timeout = '{LONGEST_SECONDS}s'"))
        for row in report.rows(reading):
            if time.monotonic() > until:
                raise Problem(Kind.LATE, TOO_LONG)
            yield row

    return replace(report, rows=rows)
