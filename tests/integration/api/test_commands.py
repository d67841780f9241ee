"""What people decide over HTTP: on a real server process, each command once, and twice."""

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from itertools import count
from typing import Any

import httpx
import pytest
from api_server import Server, problem
from front_door import (
    NETWORK,
    Engine,
    a_handler,
    action,
    balance,
    deposit,
    differences,
    events,
    opened,
    rows,
    take,
    tallinn,
)

from backoffice.api.commands import DOORS
from backoffice.log.postgres import PostgresLog

_numbers = count(1)


@pytest.fixture(scope="module")
def mia(server: Server) -> httpx.Client:
    return server.person("mia", "shift_manager", casinos=["tallinn"])


@pytest.fixture(scope="module")
def otto(server: Server) -> httpx.Client:
    return server.person("otto", "compliance", casinos=["tallinn"])


@pytest.fixture(scope="module")
def cash(server: Server) -> httpx.Client:
    return server.person("cass", "cashier", casinos=["tallinn"])


def ask(
    who: httpx.Client, path: str, *, key: str | None = None, tag: str | None = None, **fields: Any
) -> httpx.Response:
    headers = {"Idempotency-Key": key or f'"q-{next(_numbers)}"'} | ({"If-Match": tag} if tag else {})
    return who.post(f"/v1/{path}", json=fields, headers=headers)


def done(answer: httpx.Response) -> dict[str, Any]:
    assert answer.status_code == 200, answer.text
    receipt: dict[str, Any] = answer.json()
    return receipt


def an_open_round(books: Engine, player: str) -> str:
    round_id = f"c-r-{next(_numbers)}"
    seat = action("ante", round=round_id, seat="1", **tallinn(player), amount="20.00")
    take(a_handler(books), deposit(player, "100.00"), opened(round_id), seat)
    return round_id


def a_won_round(books: Engine, player: str) -> str:
    """Twenty euro staked and forty called; a pair of aces beats the dealer's kings, and the winnings go home."""
    round_id = an_open_round(books, player)
    at = {"round": round_id}
    hands = {"1": ["Ac", "Ad", "6h", "8s", "Tc"]}
    take(
        a_handler(books),
        action("close", **at),
        action("deal", **at, hands=hands, up="Kd"),
        action("call", **at, seat="1"),
        action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **at),
        action("withdraw", **tallinn(player), amount="160.00"),
    )
    assert balance(books, player) == 0
    return round_id


def test_an_open_round_is_cancelled_at_once(mia: httpx.Client, books: Engine) -> None:
    round_id = an_open_round(books, "ann")
    receipt = done(ask(mia, "cancellations", round=round_id, reason="misdeal"))
    assert balance(books, "ann") == 10_000
    assert receipt["streams"] == [f"round/{round_id}"]
    assert len(receipt["told"]) == 2
    assert events(books)[-1].position == receipt["position"]


def test_a_settled_round_is_reversed_by_two_people_and_what_is_owed_is_paid_or_written_off(
    mia: httpx.Client, otto: httpx.Client, cash: httpx.Client, books: Engine
) -> None:
    round_id = a_won_round(books, "bea")
    asked = done(ask(mia, "reversals", round=round_id, reason="a marked deck"))
    case = f"reversal/{round_id}"
    assert asked["streams"] == [f"case/{case}"]
    assert problem(ask(mia, "approvals", case=case, proposal=1), 409, "refused")["rule"] == "two people"
    done(ask(otto, "approvals", case=case, proposal=1))
    owed = {**tallinn("bea"), "amount": "10.00"}
    assert problem(ask(cash, "repayments", **owed), 409, "refused")["rule"] == "cover"
    done(ask(cash, "deposits", **{**owed, "amount": "50.00"}))
    done(ask(cash, "repayments", **owed))
    assert problem(ask(cash, "withdrawals", **owed), 409, "refused")["rule"] == "debt"
    done(ask(mia, "write-offs", **owed, reason="a mistake of the house"))
    corrected = {"hands": {"1": ["Ac", "Ad", "6h", "8s", "9c"]}}
    done(ask(mia, "corrections", round=round_id, reason="the nine was read as a ten", **corrected))
    done(ask(otto, "refusals", case=f"correction/{round_id}", proposal=1, reason="it was a ten"))
    assert not differences(books)


def test_a_case_is_opened_proposed_and_paid(mia: httpx.Client, otto: httpx.Client, books: Engine) -> None:
    whose = {"casino": "tallinn", "player": "cleo", "currency": "EUR"}
    receipt = done(ask(mia, "cases", **whose, grounds="goodwill", reason="waited an hour"))
    case = receipt["streams"][0].removeprefix("case/")
    proposed = done(ask(mia, "proposals", case=case, amount="25.00", reason="a dinner"))
    tag = f'"{proposed["version"]}"'
    changed = done(ask(mia, "proposals", case=case, amount="30.00", reason="with wine"))
    problem(ask(otto, "approvals", tag=tag, case=case, proposal=2), 412, "changed")
    approved = done(ask(otto, "approvals", tag=f'"{changed["version"]}"', case=case, proposal=2))
    assert any("30.00 EUR paid" in told for told in approved["told"])
    assert balance(books, "cleo") == 3_000


def test_rates_and_the_network_are_for_those_who_act_for_all_casinos(server: Server, books: Engine) -> None:
    everywhere, tallinns = (server.person("ada", "administrator", casinos=at) for at in (["*"], ["tallinn"]))
    done(ask(everywhere, "rates", quote="SEK", rate="11.25"))
    assert problem(ask(tallinns, "rates", quote="SEK", rate="11.00"), 403, "forbidden")["rule"] == "casino"
    file = json.loads(NETWORK.model_dump_json(exclude_unset=True))
    file["approval"] = {"expires_hours": 24}
    receipt = done(ask(everywhere, "networks", file=file))
    assert receipt["streams"] == ["network"]
    done(ask(everywhere, "networks", file=file))  # nothing has changed any more: no fact
    file["casino"][0]["timezone"] = "Europe/Atlantis"
    assert "Atlantis" in problem(ask(everywhere, "networks", file=file), 409, "refused")["detail"]
    file["casino"][0]["timezone"] = 7
    told = problem(ask(everywhere, "networks", file=file), 422, "invalid")
    assert told["errors"][0]["field"] == "file.casino.0.timezone"


def test_a_cashier_acts_in_their_own_casino(cash: httpx.Client, books: Engine) -> None:
    done(ask(cash, "deposits", **tallinn("dan"), amount="5.00"))
    other = {**tallinn("dan"), "casino": "stockholm", "amount": "5.00", "currency": "SEK"}
    assert problem(ask(cash, "deposits", **other), 403, "forbidden")["rule"] == "casino"


def test_what_a_person_did_is_evidence(cash: httpx.Client, books: Engine) -> None:
    receipt = done(ask(cash, "deposits", **tallinn("eve"), amount="5.00"))
    (*told, position) = rows(
        books,
        "select kind, who, whence, what, about, before::text, after::text, last_position"
        " from intake.significant_events order by number desc limit 1",
    )[0]
    assert position == receipt["position"]
    assert tuple(told) == (
        "write",
        "cass",
        "127.0.0.1 by token",
        "deposit",
        "casino tallinn, player eve, currency EUR",
        '{"balance of eve of tallinn in EUR":"0.00 EUR"}',
        '{"balance of eve of tallinn in EUR":"5.00 EUR"}',
    )


def test_whatever_people_did_here_is_evidence(cash: httpx.Client, books: Engine) -> None:
    """Of everything that was accepted from people so far there is a row that points at the same facts."""
    done(ask(cash, "deposits", **tallinn("joe"), amount="5.00"))
    query = """
        select key, exists (
            select from intake.significant_events
            where (first_position, last_position) = (accepted.first_position, accepted.last_position)
            and who = substr(sender, 8) and whence = '127.0.0.1 by token'
        )
        from intake.accepted_keys as accepted where sender like 'person:%'
    """
    told = dict(rows(books, query))  # type: ignore[arg-type]
    assert told
    assert all(told.values()), told


@pytest.mark.parametrize("door", DOORS, ids=lambda door: door.path)
def test_every_command_needs_a_key(server: Server, door: Any) -> None:
    ada = server.person("ada", "administrator", "shift_manager")
    answer = ada.post(f"/v1/{door.path}", json=door.example)
    problem(answer, 400, "idempotency-key-missing")


def test_asked_again_with_the_same_key_it_is_answered_as_the_first_time(
    cash: httpx.Client, books: Engine
) -> None:
    asked = {**tallinn("flo"), "amount": "5.00"}
    first, again, bare = (
        ask(cash, "deposits", key=key, **asked) for key in ('"again-1"', '"again-1"', "again-1")
    )
    assert done(first) == done(again) == done(bare)
    assert "Idempotency-Replayed" not in first.headers
    assert again.headers["Idempotency-Replayed"] == "true"
    assert balance(books, "flo") == 500


def test_a_key_used_for_something_else_is_refused(cash: httpx.Client) -> None:
    done(ask(cash, "deposits", key='"else-1"', **tallinn("gus"), amount="5.00"))
    for path, amount in (("deposits", "6.00"), ("withdrawals", "5.00")):
        problem(
            ask(cash, path, key='"else-1"', **tallinn("gus"), amount=amount), 422, "idempotency-key-reused"
        )


def test_the_same_key_of_another_person_is_another_key(
    cash: httpx.Client, server: Server, books: Engine
) -> None:
    other = server.person("carl", "cashier")
    for who in (cash, other):
        done(ask(who, "deposits", key='"shared-1"', **tallinn("hal"), amount="5.00"))
    assert balance(books, "hal") == 1_000


def test_a_key_that_is_in_flight_is_told_so(cash: httpx.Client, books: Engine) -> None:
    def call(_: int) -> httpx.Response:
        return ask(cash, "deposits", key='"flight-1"', **tallinn("ivy"), amount="5.00")

    with ThreadPoolExecutor(2) as threads:
        with PostgresLog(books).writing():
            first = [threads.submit(call, number) for number in range(2)]
            refused = next(_finished(first))
            problem(refused, 409, "idempotency-key-in-flight")
        statuses = sorted(one.result().status_code for one in first)
    assert statuses == [200, 409]
    assert balance(books, "ivy") == 500


@pytest.mark.parametrize("key", ['""', '"x', "x" * 65, '"' + "x" * 65 + '"', "x y", "é"])
def test_what_is_no_key_is_told_so(cash: httpx.Client, key: str) -> None:
    headers = {"Idempotency-Key": key.encode()}
    problem(
        cash.post("/v1/deposits", json={**tallinn("jo"), "amount": "1.00"}, headers=headers), 422, "invalid"
    )


@pytest.mark.parametrize(
    ("body", "status", "name"),
    [
        (b"{", 400, "malformed"),
        (b"[" * 50_000, 400, "malformed"),
        (b"[]", 422, "invalid"),
        (b"null", 422, "invalid"),
        (b'{"casino": "tallinn", "player": "jo", "currency": "EUR", "amount": 1.0}', 422, "invalid"),
        (b'{"casino": "tallinn", "player": "jo", "currency": "EUR", "amount": "1e2"}', 422, "invalid"),
        (b'{"casino": "tallinn", "player": "jo\\u0000", "currency": "EUR", "amount": "1"}', 422, "invalid"),
        (b'{"casino": "tallinn", "player": "\\ud800", "currency": "EUR", "amount": "1"}', 400, "malformed"),
        (
            b'{"casino": "tallinn", "player": "jo", "currency": "EUR", "amount": "1", "by": {}}',
            422,
            "invalid",
        ),
        (
            b'{"casino": "tallinn", "player": "jo", "currency": "EUR", "amount": "1", "amount": "9"}',
            422,
            "invalid",
        ),
        (b"\xff", 400, "malformed"),
    ],
)
def test_a_strange_body_is_a_problem_and_no_fault(
    cash: httpx.Client, body: bytes, status: int, name: str
) -> None:
    headers = {"Idempotency-Key": "strange", "Content-Type": "application/json"}
    problem(cash.post("/v1/deposits", content=body, headers=headers), status, name)


def _finished(futures: list[Any]) -> Iterator[httpx.Response]:
    while True:
        yield from (one.result() for one in futures if one.done())
