"""Actions over HTTP: one or a list, accepted, repeated or refused, on a real server process."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import httpx
import pytest
from api_server import Server, problem
from front_door import EVENING, balance, differences, events, rows, tallinn
from shared_folder import shared
from sqlalchemy import Engine

_numbers = count(1)


@pytest.fixture(scope="module")
def floor(server: Server) -> httpx.Client:
    """A table system of all casinos."""
    return server.person("floor", "table_feed")


def act(do: str, **fields: Any) -> dict[str, Any]:
    return {"id": f"h-{next(_numbers)}", "at": EVENING.isoformat(), "do": do, **fields}


def deposit(player: str, amount: str = "100.00", **fields: Any) -> dict[str, Any]:
    return act("deposit", **{**tallinn(player), "amount": amount, **fields})


def withdraw(player: str, amount: str) -> dict[str, Any]:
    return act("withdraw", **tallinn(player), amount=amount)


def send(client: httpx.Client, body: object, **options: Any) -> httpx.Response:
    return client.post("/v1/actions", json=body, **options)


def test_an_action_is_accepted_with_its_position_and_the_version_of_its_stream(
    floor: httpx.Client, books: Engine
) -> None:
    asked = act("open", round="h-r-1", table="high-24h", number="1")
    answer = send(floor, asked)
    assert answer.status_code == 200, answer.text
    told = answer.json()
    (opened,) = events(books, "round/h-r-1")
    assert told == {
        "outcome": "accepted",
        "id": asked["id"],
        "first_position": opened.position,
        "position": opened.position,
        "version": 1,
    }
    assert opened.actor == "floor"


def test_sent_again_it_is_answered_as_the_first_time(floor: httpx.Client) -> None:
    asked = deposit("ann")
    first, again = send(floor, asked).json(), send(floor, asked).json()
    assert again == {**first, "outcome": "repeated"}


def test_the_same_id_with_another_content_is_refused(floor: httpx.Client) -> None:
    asked = deposit("ann")
    send(floor, asked)
    told = problem(send(floor, {**asked, "amount": "200.00"}), 409, "refused")
    assert told["rule"] == "conflict"


def test_a_refused_action_says_its_rule_and_reason_and_may_be_sent_again(floor: httpx.Client) -> None:
    asked = withdraw("poor", "5.00")
    told = problem(send(floor, asked), 409, "refused")
    assert told["rule"] == "cover"
    assert "5.00 EUR" in told["detail"]
    send(floor, deposit("poor"))
    assert send(floor, asked).json()["outcome"] == "accepted"


def test_what_cannot_be_read_is_told_field_by_field(floor: httpx.Client) -> None:
    told = problem(send(floor, deposit("ann", amount=5.0, colour="red")), 422, "invalid")
    assert {one["field"] for one in told["errors"]} == {"amount", "colour"}
    told = problem(send(floor, {"id": "x", "do": "dance"}), 422, "invalid")
    assert told["errors"] == [{"field": "", "reason": "do: is no action"}]
    twice = json.dumps(deposit("ann")).encode()[:-1] + b', "amount": "9.00"}'
    told = problem(_raw(floor, twice), 422, "invalid")
    assert told["errors"] == [{"field": "amount", "reason": "stands there twice"}]


def test_in_a_list_each_has_its_own_answer(floor: httpx.Client, books: Engine) -> None:
    asked = [deposit("lea"), withdraw("lea", "500.00"), {"do": "dance"}, withdraw("lea", "40.00")]
    answers = send(floor, asked).json()["answers"]
    assert [one["outcome"] for one in answers] == ["accepted", "refused", "refused", "accepted"]
    assert [one.get("rule") for one in answers] == [None, "cover", "format", None]
    assert balance(books, "lea") == 6_000


def test_a_list_is_done_whole_or_not_at_all_if_that_is_asked(floor: httpx.Client, books: Engine) -> None:
    asked = [deposit("max"), withdraw("max", "500.00")]
    whole = {"params": {"all-or-nothing": "true"}}
    answers = send(floor, asked, **whole).json()["answers"]
    assert [one["rule"] for one in answers] == ["all or nothing", "cover"]
    assert balance(books, "max") == 0
    answers = send(floor, [asked[0], withdraw("max", "50.00")], **whole).json()["answers"]
    assert [one["outcome"] for one in answers] == ["accepted", "accepted"]
    assert balance(books, "max") == 5_000


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        (b"[", 400, "malformed"),
        (b'[{"id": "x"},]', 400, "malformed"),
        (b'[{"id": "x"} {"id": "y"}]', 400, "malformed"),
        (b"[] []", 400, "malformed"),
        (b"[NaN]", 200, ""),
        (b"[" + b"9" * 5000 + b"]", 400, "malformed"),
        (b"[" * 100_000, 400, "malformed"),
        (b"[" + b'{"a":' * 50_000, 400, "malformed"),
        (b'{"a":' * 50_000, 422, "invalid"),
        (b"[]", 422, "invalid"),
        (b"[" + b"1," * 1000 + b"1]", 422, "invalid"),
        (b"", 422, "invalid"),
        (b"\xff\xfe{}", 422, "invalid"),
        (b'["\xff"]', 400, "malformed"),
        (b'{"id": "\\ud800"}', 422, "invalid"),
        (b'["\\u0000"]', 200, ""),
        (b" " * 5_000_000, 413, "too-large"),
        (iter([b" " * 1_000_000] * 5), 413, "too-large"),
    ],
)
def test_a_strange_body_is_a_problem_and_no_fault(
    floor: httpx.Client, body: bytes | Iterator[bytes], status: int, name: str
) -> None:
    answer = _raw(floor, body)
    if status == 200:
        assert [one["rule"] for one in answer.json()["answers"]] == ["format"]
    else:
        problem(answer, status, name)


def test_only_json_is_taken(floor: httpx.Client) -> None:
    sent = floor.post("/v1/actions", content=json.dumps(deposit("ann")), headers={"Content-Type": "text/csv"})
    problem(sent, 415, "not-json")


def test_concurrent_requests_share_commits(floor: httpx.Client, books: Engine, server: Server) -> None:
    """Thirty-two callers at once: far fewer transactions moved the head than requests were answered."""

    def call(number: int) -> str:
        return str(send(floor, deposit(f"crowd-{number % 32}", id=f"crowd-{number}")).json()["outcome"])

    with ThreadPoolExecutor(32) as threads:
        assert set(threads.map(call, range(640))) == {"accepted"}
    recorded = rows(
        books,
        "select count(*), count(distinct recorded_at) from log.events where correlation like 'floor/crowd-%'",
    )
    assert recorded[0][0] == 640
    assert recorded[0][1] < 320


def test_the_sample_feed_comes_in_by_http_as_it_does_by_file(floor: httpx.Client, books: Engine) -> None:
    lines = [json.loads(line) for line in shared("feeds", "sample.jsonl").read_bytes().splitlines()]
    outcomes = []
    for start in range(0, len(lines), 1000):
        outcomes += [one["outcome"] for one in send(floor, lines[start : start + 1000]).json()["answers"]]
    assert outcomes.count("refused") == 0
    assert outcomes.count("accepted") == len({line["id"] for line in lines})
    assert not differences(books)


def _raw(client: httpx.Client, body: bytes | Iterator[bytes]) -> httpx.Response:
    return client.post("/v1/actions", content=body, headers={"Content-Type": "application/json"})
