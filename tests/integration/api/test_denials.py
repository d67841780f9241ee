"""Refused logins and denied accesses are evidence, each counted, and no flood of them fills the house."""

import time
from typing import Any

import httpx
from api_server import Server, problem, serving
from command_line import url_of
from front_door import EVENING, Engine, a_handler, founding, rows, take, tallinn

from backoffice.api.denials import MOST


def denials(books: Engine) -> list[tuple[Any, ...]]:
    query = """
        select kind, who, whence, what, about, why, sum(times)::int from intake.significant_events
        where kind <> 'write' group by 1, 2, 3, 4, 5, 6 order by min(number)
    """
    return rows(books, query)


def until(books: Engine, times: int) -> list[tuple[Any, ...]]:
    """The evidence, once so many denials are in it."""
    for _ in range(200):
        if sum(row[-1] for row in denials(books)) >= times:
            return denials(books)
        time.sleep(0.05)
    raise AssertionError(f"{denials(books)}")


def test_a_refused_login_and_a_denied_access_say_who_from_where_and_why(engine: Engine) -> None:
    take(a_handler(engine), founding())
    with serving(url_of(engine)) as server:
        problem(server.client.get("/v1/rounds"), 401, "unauthenticated")
        problem(server.asking(Authorization="Bearer x.y.z").get("/v1/rounds"), 401, "unauthenticated")
        kim = server.person("kim", "auditor", casinos=["tallinn"])
        problem(kim.post("/v1/deposits", json={}), 403, "forbidden")
        floor = server.person("floor", "table_feed", casinos=["tallinn"])
        foreign = {"id": "d-1", "at": EVENING.isoformat(), "do": "deposit", "amount": "1.00"}
        foreign |= {**tallinn("ann"), "casino": "stockholm", "currency": "SEK"}
        problem(floor.post("/v1/actions", json=foreign), 403, "forbidden")
        floor.post("/v1/actions", json=[foreign, foreign])
        for _ in range(20):
            kim.post("/v1/deposits", json={})
        told = until(engine, 26)
    here = "127.0.0.1"
    assert told == [
        ("login refused", "unknown", here, "GET /v1/rounds", "", "a token or a key is needed", 1),
        ("login refused", "unknown", here, "GET /v1/rounds", "", "the token is not good", 1),
        (
            "access denied",
            "kim",
            f"{here} by token",
            "POST /v1/deposits",
            "role",
            "to deposit, withdraw and settle debts out of wallets is not for auditor",
            21,
        ),
        (
            "access denied",
            "floor",
            f"{here} by token",
            "POST /v1/actions",
            "casino",
            "floor does not act for stockholm",
            3,
        ),
    ]


def test_a_flood_of_them_is_counted_and_takes_little_room(engine: Engine) -> None:
    """Six hundred denials of three hundred kinds: all in the count, few in the table; what is left is written at the end."""
    take(a_handler(engine), founding())
    with serving(url_of(engine)) as server:
        floor = server.person("floor", "table_feed", casinos=["tallinn"])
        for start in range(0, 600, 100):
            _foreign(floor, start)
        server.terminate()
        server.process.wait(30)
    told = denials(engine)
    assert sum(row[-1] for row in told) == 600
    assert len(told) <= 6 * (MOST + 1) < 600


def _foreign(floor: httpx.Client, start: int) -> None:
    base = {"at": EVENING.isoformat(), "do": "deposit", "amount": "1.00", "player": "p", "currency": "EUR"}
    asked = [{**base, "id": f"{start + one}", "casino": f"c-{(start + one) // 2}"} for one in range(100)]
    answers = floor.post("/v1/actions", json=asked).json()["answers"]
    assert {one["rule"] for one in answers} == {"casino"}


def test_evidence_of_a_server_names_no_secret(server: Server, books: Engine) -> None:
    server.asking(**{"X-API-Key": "floor-1.verysecret"}).get("/v1/rounds")
    until(books, 1)
    assert "verysecret" not in str(rows(books, "select * from intake.significant_events"))
