"""Feeds out: the log for systems downstream, meters and new cases as they happen; whatever dies on the way."""

import json
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from threading import Thread
from typing import Any

import httpx
import pytest
from api_server import Server, inside, problem, serving
from command_line import url_of
from front_door import (
    a_handler,
    action,
    deposit,
    opened,
    rows,
    staff,
    take,
    tallinn,
)
from sqlalchemy import Engine, text

from backoffice.api import streaming
from backoffice.api.queries import streams
from backoffice.domain.cases.commands import OpenCase
from backoffice.log.postgres import PostgresLog

Event = dict[str, Any]


@contextmanager
def stream(client: httpx.Client, name: str, last: str | None = None) -> Iterator[Iterator[Event]]:
    """Server-sent events as they come in."""
    headers = {} if last is None else {"Last-Event-ID": last}
    with client.stream("GET", f"/v1/streams/{name}", headers=headers, timeout=60) as answer:
        assert answer.status_code == 200, answer.read()
        assert answer.headers["content-type"].startswith("text/event-stream")
        events = _events(answer.iter_lines())
        assert "comment" in next(events)
        yield events


def _events(lines: Iterator[str]) -> Iterator[Event]:
    event: Event = {}
    for line in lines:
        if not line and event:
            yield event
            event = {}
        elif line:
            field, _, value = line.partition(": ")
            event[field or "comment"] = json.loads(value) if field == "data" else value


def named(events: Iterator[Event], name: str) -> Event:
    return next(event for event in events if event.get("event") == name)


def a_case(engine: Engine, reason: str = "coffee on the cards") -> str:
    """A claim of a player, opened by staff."""
    take(a_handler(engine), deposit("ann", "1.00"))
    asked = staff(OpenCase, "maria:shift_manager", **tallinn("ann"), grounds="other", reason=reason)
    take(a_handler(engine), asked)
    return f"claim/maria/{asked.command.id}"


def mark(engine: Engine, name: str) -> None:
    """A round with a mark in it: the meter moves."""
    seat = {"round": name, "seat": "1"}
    take(
        a_handler(engine),
        deposit("ann"),
        opened(name),
        action("ante", **seat, **tallinn("ann"), amount="20.00"),
        action("mark", **seat),
    )


def kill_listeners(engine: Engine) -> int:
    with engine.begin() as connection:
        killed = connection.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'backoffice_log' and datname = current_database()"
            )
        )
        return len(killed.all())


def test_a_new_case_is_streamed_and_a_client_that_comes_back_misses_none(
    auditor: httpx.Client, books: Engine
) -> None:
    with stream(auditor, "cases") as events:
        first = a_case(books)
        told = named(events, "case")
    assert told["data"]["case"] == first
    assert told["id"] == str(told["data"]["position"])
    missed = [a_case(books, f"again {number}") for number in range(3)]
    with stream(auditor, "cases", last=told["id"]) as events:
        assert [named(events, "case")["data"]["case"] for _ in missed] == missed


def test_a_stream_outlives_the_connection_that_listens(auditor: httpx.Client, books: Engine) -> None:
    with stream(auditor, "cases") as events:
        for turn in range(3):
            assert kill_listeners(books) >= 1
            case = a_case(books, f"turn {turn}")
            assert named(events, "case")["data"]["case"] == case


def test_meters_are_streamed_as_they_move(auditor: httpx.Client, books: Engine) -> None:
    with stream(auditor, "jackpots") as events:
        jackpots = {row[0] for row in rows(books, "select distinct jackpot from read.jackpot_meters")}
        before = {}
        while before.keys() != jackpots:
            event = named(events, "meter")
            before[event["data"]["jackpot"]] = event["data"]
        mark(books, "r-1")
        moved = named(events, "meter")
    after = auditor.get("/v1/jackpots").json()
    assert moved["data"] in after["rows"]
    assert moved["data"] != before[moved["data"]["jackpot"]]
    assert int(moved["id"]) <= after["position"]


def test_a_casino_is_streamed_its_own_buckets_and_what_all_are_worth(
    server: Server, auditor: httpx.Client, books: Engine
) -> None:
    mark(books, "r-of-tallinn")
    whole = {meter["jackpot"]: meter for meter in auditor.get("/v1/jackpots").json()["rows"]}
    with stream(server.person("stina", "auditor", casinos=["stockholm"]), "jackpots") as events:
        for _ in whole:
            meter = named(events, "meter")["data"]
            assert meter["worth"] == whole[meter["jackpot"]]["worth"]
            assert {bucket["casino"] for bucket in meter["buckets"]} <= {"stockholm"}


def test_a_server_that_is_to_end_does_not_wait_for_its_streams_and_a_casino_was_told_of_its_own(
    books: Engine,
) -> None:
    with (
        serving(url_of(books)) as server,
        stream(server.person("stina", "auditor", casinos=["stockholm"]), "cases") as events,
        ThreadPoolExecutor(1) as thread,
    ):
        a_case(books)
        auditor = server.person("otto", "auditor")
        end = PostgresLog(books).head().position
        polling = thread.submit(auditor.get, "/v1/events", params={"after": end, "wait": 30})
        time.sleep(0.5)
        began = time.monotonic()
        server.terminate()
        assert list(events) == []
        assert polling.result().json()["facts"] == []
        assert server.process.wait(40) == 0
        assert time.monotonic() - began < 25


def test_streams_hold_no_connection_of_the_database(
    server: Server, auditor: httpx.Client, books: Engine
) -> None:
    """However many listen and read nothing, everybody else is answered."""
    with httpx.Client(
        base_url=server.url, headers=auditor.headers, limits=httpx.Limits(), timeout=30
    ) as many:
        listening = [
            many.send(many.build_request("GET", "/v1/streams/jackpots"), stream=True) for _ in range(60)
        ]
        mark(books, "r-2")
        for _ in range(30):
            assert auditor.get("/v1/rounds").status_code == 200
        held = rows(
            books,
            "select count(*) from pg_stat_activity where datname = current_database()"
            " and application_name = 'backoffice' and state <> 'idle'",
        )
        assert held[0][0] <= 8
        for answer in listening:
            answer.close()


def test_there_are_so_many_streams_and_each_ends_after_a_while(
    books: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever comes back shows anew who they are."""
    monkeypatch.setattr(streaming, "MOST", 1)
    monkeypatch.setattr(streams, "LONGEST_SECONDS", 1.5)
    with inside(books) as client:
        client.headers["Authorization"] = f"Bearer {token(client)}"
        with stream(client, "cases") as events:
            answer = client.get("/v1/streams/jackpots")
            assert problem(answer, 429, "too-many-requests")["detail"] == "too many streams are open already"
            assert answer.headers["retry-after"] == "1"
            assert list(events) == []
        with stream(client, "cases", last="0") as events:
            assert named(events, "case")


def token(client: httpx.Client) -> str:
    wanted = {"name": "otto", "roles": ["auditor"]}
    return str(client.post("/development/tokens", json=wanted).json()["token"])


@pytest.mark.parametrize("last", ["-1", "x", "1e3", str(2**63)])
def test_a_strange_last_event_id_is_refused(auditor: httpx.Client, last: str) -> None:
    problem(auditor.get("/v1/streams/cases", headers={"Last-Event-ID": last}), 422, "invalid")


def test_the_feed_is_the_log_while_many_append(server: Server, auditor: httpx.Client, books: Engine) -> None:
    """Every fact once, in order, to the byte of its data."""
    senders = [Thread(target=append, args=(server, number)) for number in range(4)]
    for sender in senders:
        sender.start()
    facts: list[Any] = []
    texts: list[bytes] = []
    after = 0
    while any(sender.is_alive() for sender in senders) or after < PostgresLog(books).head().position:
        answer = auditor.get("/v1/events", params={"after": after, "limit": 37, "wait": 1})
        page = answer.json()
        facts += page["facts"]
        texts.append(answer.content)
        after = page["after"]
    log = list(PostgresLog(books).read())
    assert [fact["position"] for fact in facts] == [one.position for one in log] == [*range(1, len(log) + 1)]
    assert [fact["hash"] for fact in facts] == [one.hash.hex() for one in log]
    whole = b"".join(texts)
    assert all(b'"data":' + one.data + b"}" in whole for one in log)


def append(server: Server, number: int) -> None:
    client = server.person(f"floor-{number}", "table_feed")
    for turn in range(30):
        asked = {"id": f"d-{turn}", "at": "2026-03-01T20:00:00Z", "do": "deposit", "amount": "1.00"}
        client.post("/v1/actions", json={**asked, **tallinn(f"p-{number}")}).raise_for_status()


def test_a_long_poll_is_answered_as_soon_as_there_is_something(auditor: httpx.Client, books: Engine) -> None:
    end = PostgresLog(books).head().position
    empty = auditor.get("/v1/events", params={"after": end, "wait": 1}).json()
    assert (empty["facts"], empty["after"]) == ([], end)
    with ThreadPoolExecutor(1) as thread:
        waiting = thread.submit(auditor.get, "/v1/events", params={"after": end, "wait": 30})
        time.sleep(0.5)
        began = time.monotonic()
        take(a_handler(books), deposit("ann", "1.00"))
        told = waiting.result().json()
        assert time.monotonic() - began < 25
    assert [fact["type"] for fact in told["facts"]] == ["wallet.money_deposited"]


def test_only_the_types_that_are_asked_for_come_and_the_place_moves_on(
    auditor: httpx.Client, books: Engine
) -> None:
    a_case(books)
    page = auditor.get("/v1/events", params={"type": ["case.claim_opened", "nothing"], "limit": 1}).json()
    assert [fact["type"] for fact in page["facts"]] == ["case.claim_opened"]
    rest = auditor.get("/v1/events", params={"type": "nothing", "after": page["after"]}).json()
    assert (rest["facts"], rest["after"]) == ([], rest["position"])


def test_who_is_ahead_of_the_log_or_on_another_one_is_told(auditor: httpx.Client, books: Engine) -> None:
    end = PostgresLog(books).head()
    told = problem(auditor.get("/v1/events", params={"after": end.position + 1}), 409, "refused")
    assert "restored" in told["detail"]
    problem(auditor.get("/v1/events", params={"log": "0" * 36}), 409, "refused")
    behind = {"Last-Event-ID": str(end.position + 1)}
    problem(auditor.get("/v1/streams/cases", headers=behind), 409, "refused")
    assert auditor.get("/v1/events", params={"log": end.log_id}).json()["log"] == end.log_id


def test_the_feed_is_for_those_who_may_follow_the_log(server: Server) -> None:
    problem(server.person("cilla", "cashier").get("/v1/events"), 403, "forbidden")
    problem(server.client.get("/v1/events"), 401, "unauthenticated")
    problem(server.client.get("/v1/streams/cases"), 401, "unauthenticated")
