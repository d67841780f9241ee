"""Reading while others write, and more reading than there are connections for."""

import asyncio
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Event, Thread
from typing import Any
from urllib.parse import parse_qsl

import httpx
import pytest
from api_server import Server, inside, problem
from front_door import a_handler, deposit, founding, take, tallinn, whole_round
from sqlalchemy import Connection, Engine, text

from backoffice.api import reading, reading_desk
from backoffice.api.problems import Kind, Problem
from backoffice.api.reading_desk import AT_ONCE, ReadingDesk
from backoffice.bootstrap import CODEC
from backoffice.log.postgres import PostgresLog
from backoffice.projections.projector import Projector
from backoffice.reports.queries import snapshot

_numbers = count(1)


class Playing:
    """Somebody who plays a round after the other until told to stop."""

    def __init__(self, engine: Engine) -> None:
        self._engine, self._name = engine, f"n{next(_numbers)}"
        self._stop = Event()
        self._thread = Thread(target=self._play)
        self.rounds = 0

    def _play(self) -> None:
        handler = a_handler(self._engine)
        while not self._stop.is_set():
            self.rounds += 1
            player = f"{self._name}-{self.rounds}"
            take(handler, deposit(player), *whole_round(f"race-{player}", player))

    def goes_on(self, rounds: int) -> None:
        """Wait until so many were played."""
        while self.rounds < rounds:
            assert self._thread.is_alive()
            time.sleep(0.01)

    def __enter__(self) -> "Playing":
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()


def pages(client: httpx.Client, path: str, **parameters: Any) -> Iterator[Any]:
    while True:
        page = client.get(path, params=parameters).raise_for_status().json()
        yield page
        if page["next"] is None:
            return
        parameters["cursor"] = page["next"]


@pytest.mark.parametrize(
    ("path", "key", "query"),
    [
        ("/v1/rounds", ("round",), "select round from read.rounds where first_position <= :began"),
        (
            "/v1/rounds?casino=tallinn&state=settled",
            ("round",),
            "select round from read.rounds where last_position <= :began and phase = 'settled'",
        ),
        (
            "/v1/entries?kind=cashier&owner=tallinn",
            ("entry_position", "line"),
            "select position, line from read.entries where kind = 'cashier' and owner = 'tallinn' and position <= :began",
        ),
    ],
)
def test_pages_hold_every_row_that_was_there_once_and_no_other_while_others_write(
    auditor: httpx.Client, books: Engine, path: str, key: tuple[str, ...], query: str
) -> None:
    took = take(a_handler(books), deposit("first"), *whole_round(f"first-{next(_numbers)}", "first"))
    path, _, query_string = path.partition("?")
    parameters = dict(parse_qsl(query_string))
    auditor.get(path, params={**parameters, "wait_for": took[-1].last_position}).raise_for_status()
    seen: list[tuple[Any, ...]] = []
    began = 0
    with Playing(books) as one, Playing(books) as other:
        one.goes_on(6)
        other.goes_on(6)
        for page in pages(auditor, path, limit=2, **parameters):
            began = began or page["position"]
            seen += [tuple(row[name] for name in key) for row in page["rows"]]
        played = one.rounds + other.rounds
    assert len(seen) == len(set(seen))
    with books.connect() as connection:
        there = {tuple(row) for row in connection.execute(text(query), {"began": began})}
    assert there <= set(seen) if "state" in parameters else set(seen) == there
    assert played > 12


def test_more_ask_than_there_are_connections_and_all_are_answered(
    server: Server, auditor: httpx.Client, books: Engine
) -> None:
    paths = ("/v1/rounds", "/v1/balances", "/v1/cases", "/v1/jackpots", "/v1/projections", "/v1/events")
    with (
        httpx.Client(base_url=server.url, headers=auditor.headers, timeout=60) as many,
        ThreadPoolExecutor(64) as threads,
        Playing(books),
    ):
        statuses = Counter(threads.map(lambda number: many.get(paths[number % 6]).status_code, range(400)))
    assert statuses.keys() <= {200, 429}
    assert statuses[200] > 200


def test_nobody_waits_for_ever_for_what_is_not_projected(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "PATIENCE_SECONDS", 1.5)
    (done,) = take(a_handler(engine), founding())
    with inside(engine, reacts=False) as client:
        token = {"name": "otto", "roles": ["auditor"]}
        client.headers["Authorization"] = (
            f"Bearer {client.post('/development/tokens', json=token).json()['token']}"
        )
        answer = client.get("/v1/rounds", params={"wait_for": done.last_position})
        assert (
            problem(answer, 504, "late")["detail"]
            == f"what is asked has come to 0 and not to {done.last_position}"
        )
        assert answer.headers["retry-after"] == "1"
        inline = client.get("/v1/balances", params={"wait_for": done.last_position})
        assert inline.json()["position"] == done.last_position
        Projector(engine, CODEC).catch_up()
        assert client.get("/v1/rounds", params={"wait_for": done.last_position}).status_code == 200


def test_rows_of_another_version_are_not_shown(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"))
    Projector(engine, CODEC).catch_up()
    with engine.begin() as connection:
        connection.execute(text("update read.versions set version = 1 where projection = 'rounds'"))
    with inside(engine, reacts=False) as client:
        token = {"name": "otto", "roles": ["auditor"]}
        client.headers["Authorization"] = (
            f"Bearer {client.post('/development/tokens', json=token).json()['token']}"
        )
        assert "rebuild it" in problem(client.get("/v1/rounds"), 503, "unavailable")["detail"]
        assert client.get("/v1/balances").status_code == 200
        states = {row["name"]: row["state"] for row in client.get("/v1/projections").json()["rows"]}
        assert states["rounds"] == "stale"
        assert states["cases"] == "current"


def asked(engine: Engine, questions: int, seconds: float) -> list[Any]:
    """What so many questions that all take so long are answered, all asked at once."""

    def question(connection: Connection) -> str:
        connection.execute(text("select pg_sleep(:seconds)"), {"seconds": seconds})
        return "answered"

    async def ask() -> list[Any]:
        desk = ReadingDesk(engine)
        return list(
            await asyncio.gather(*(desk.ask(question) for _ in range(questions)), return_exceptions=True)
        )

    return asyncio.run(ask())


def kinds(answers: list[Any]) -> Counter[Any]:
    return Counter(one.kind if isinstance(one, Problem) else one for one in answers)


def test_a_few_are_asked_at_a_time_and_who_would_wait_long_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert kinds(asked(engine, 3 * AT_ONCE, 0.05)) == {"answered": 3 * AT_ONCE}
    monkeypatch.setattr(reading_desk, "PATIENCE_SECONDS", 0.2)
    assert kinds(asked(engine, 3 * AT_ONCE, 0.5)) == {"answered": AT_ONCE, Kind.TOO_MANY: 2 * AT_ONCE}
    monkeypatch.setattr(reading_desk, "WAITING_MOST", 2)
    answers = kinds(asked(engine, 3 * AT_ONCE, 0.1))
    assert answers[Kind.TOO_MANY] >= 2 * AT_ONCE - 2


def test_a_question_that_takes_too_long_is_ended(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(snapshot, "LONGEST_SECONDS", 1)
    began = time.monotonic()
    assert kinds(asked(engine, 1, 20)) == {Kind.LATE: 1}
    assert time.monotonic() - began < 10


def test_one_answer_is_one_moment(auditor: httpx.Client, books: Engine) -> None:
    """The balance of a player and the position beside it always go together."""
    handler = a_handler(books)
    at: dict[int, int] = {}
    stop = Event()

    def pay() -> None:
        paid = 0
        while not stop.is_set():
            (done,) = take(handler, deposit("moment", "1.00"))
            paid += 1
            at[done.last_position] = paid

    payer = Thread(target=pay)
    payer.start()
    try:
        told = [
            auditor.get("/v1/balances", params={"casino": tallinn("x")["casino"], "player": "moment"}).json()
            for _ in range(60)
        ]
    finally:
        stop.set()
        payer.join()
    assert len({page["position"] for page in told}) > 5
    for page in told:
        paid = max((paid for position, paid in at.items() if position <= page["position"]), default=0)
        assert [row["balance"] for row in page["rows"]] == ([f"{paid}.00"] if paid else [])


def test_reading_does_not_write(engine: Engine) -> None:
    from sqlalchemy.exc import InternalError  # noqa: PLC0415

    with snapshot.snapshot(engine) as connection, pytest.raises(InternalError, match="read-only"):
        connection.execute(text("insert into read.versions values ('x', 1)"))
    assert PostgresLog(engine).head().position == 0
