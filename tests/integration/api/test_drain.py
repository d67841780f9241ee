"""Ending the server, kindly or not, while table systems send: nothing that was answered is lost, nothing is done twice."""

import signal
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread

import httpx
import pytest
from api_server import Server, problem, serving
from command_line import url_of
from front_door import EVENING, a_handler, balance, founding, rows, take, tallinn
from sqlalchemy import Engine

from backoffice.log.postgres import PostgresLog

CALLERS = 8


class Caller:
    """A table system that sends one deposit of a cent after the other until nobody answers any more."""

    def __init__(self, server: Server, number: int) -> None:
        self._client = server.person("floor", "table_feed")
        self._number = number
        self.asked: list[str] = []
        self.answered: list[str] = []
        self.thread = Thread(target=self.run)

    def run(self) -> None:
        try:
            while True:
                name = f"c-{self._number}-{len(self.asked)}"
                self.asked.append(name)
                if self._client.post("/v1/actions", json=cent(name)).status_code != 200:
                    return
                self.answered.append(name)
        except httpx.HTTPError:
            return


def cent(name: str) -> dict[str, str]:
    fields = {"id": name, "at": EVENING.isoformat(), "do": "deposit", "amount": "0.01"}
    return {**fields, **tallinn("ann")}


@contextmanager
def under_load(database: str) -> Iterator[tuple[Server, list[Caller]]]:
    with serving(database) as server:
        callers = [Caller(server, number) for number in range(CALLERS)]
        for caller in callers:
            caller.thread.start()
        while sum(len(caller.answered) for caller in callers) < 200:
            time.sleep(0.01)
        yield server, callers
        for caller in callers:
            caller.thread.join()


@pytest.fixture
def founded(engine: Engine) -> Engine:
    take(a_handler(engine), founding())
    return engine


def kept(engine: Engine) -> set[str]:
    return {name for (name,) in rows(engine, "select key from intake.accepted_keys where key like 'c-%'")}


def test_asked_to_end_it_answers_everything_that_it_has_taken_in(founded: Engine) -> None:
    with under_load(url_of(founded)) as (server, callers):
        server.terminate()
        assert server.process.wait(30) == 0
    assert kept(founded) == {name for caller in callers for name in caller.answered}


def test_killed_it_has_lost_nothing_that_was_answered_and_the_rest_can_be_sent_again(founded: Engine) -> None:
    with under_load(url_of(founded)) as (server, callers):
        server.process.send_signal(signal.SIGKILL)
    assert kept(founded) >= {name for caller in callers for name in caller.answered}
    asked = [name for caller in callers for name in caller.asked]
    with serving(url_of(founded)) as again:
        floor = again.person("floor", "table_feed")
        for start in range(0, len(asked), 1000):
            sent = floor.post("/v1/actions", json=[cent(name) for name in asked[start : start + 1000]])
            assert {one["outcome"] for one in sent.json()["answers"]} <= {"accepted", "repeated"}
    assert balance(founded, "ann") == len(asked)


def test_a_full_desk_says_when_to_come_again_and_a_late_answer_that_it_is_late(founded: Engine) -> None:
    """Somebody else holds the head: two actions wait until they are late, the third is not even taken in."""
    limits = {"BACKOFFICE_API_WAITING_MOST": "2", "BACKOFFICE_API_ANSWER_SECONDS": "2"}
    with serving(url_of(founded), **limits) as server:
        floor = server.person("floor", "table_feed")
        assert floor.post("/v1/actions", json=cent("c-first")).status_code == 200
        with PostgresLog(founded).writing(), ThreadPoolExecutor(3) as threads:
            sent = [threads.submit(floor.post, "/v1/actions", json=cent(f"c-{one}")) for one in range(3)]
            first, *late = sorted((one.result() for one in sent), key=lambda answer: answer.status_code)
        problem(first, 429, "too-many-requests")
        assert first.headers["Retry-After"] == "1"
        for answer in late:
            problem(answer, 504, "late")
        for one in range(3):
            while (again := floor.post("/v1/actions", json=cent(f"c-{one}"))).status_code == 429:
                time.sleep(int(again.headers["Retry-After"]))
            assert again.json()["outcome"] in {"accepted", "repeated"}
    assert balance(founded, "ann") == 4
