"""Denials that cannot be written stay counted, and are written once the database is back."""

import asyncio
from concurrent.futures import Future

import psycopg
import pytest

from backoffice.api import denials
from backoffice.api.denials import MOST, Denial, Denials


class Desk:
    """A group commit on a database that is away at first."""

    def __init__(self, failures):
        self.failures = failures
        self.written = []

    def submit(self, requests, beside):
        answer = Future()
        if self.failures:
            self.failures -= 1
            answer.set_exception(psycopg.OperationalError("away"))
        else:
            beside(self, [])
            answer.set_result([])
        return answer

    def execute(self, statement, rows):
        self.written += rows


def denial(number=0):
    return Denial("login refused", "unknown", f"10.0.0.{number}", "GET /v1/rounds", "", "no token")


@pytest.fixture(autouse=True)
def hasty(monkeypatch):
    monkeypatch.setattr(denials, "QUICKEST_SECONDS", 0.01)


def test_what_could_not_be_written_is_written_later_with_all_its_times():
    async def evening():
        desk = Desk(failures=2)
        async with Denials(desk) as counting:
            for _ in range(3):
                counting.note(denial())
                await asyncio.sleep(0.02)
        return desk.written

    written = asyncio.run(evening())
    assert sum(row["times"] for row in written) == 3


def test_more_kinds_than_are_told_apart_are_counted_together():
    async def storm():
        desk = Desk(failures=0)
        async with Denials(desk) as counting:
            for number in range(1000):
                counting.note(denial(number))
        return desk.written

    written = asyncio.run(storm())
    assert len(written) == MOST + 1
    assert sum(row["times"] for row in written) == 1000
    assert written[-1]["whence"] == "several"
