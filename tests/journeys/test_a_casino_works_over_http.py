"""A casino's evening over HTTP: a table system gets a key and sends, a shift manager and compliance put a round right, an
auditor reads what happened and who did what, an accountant closes the day and takes its report home; all through one server
process, and the books agree in the end."""

import json
from itertools import count
from pathlib import Path
from typing import Any

import httpx
from api_server import Server, problem, serving
from command_line import backoffice, url_of
from front_door import EVENING, NETWORK, differences
from sqlalchemy import Engine

_numbers = count(1)
DAY = "2026-03-01"
PLAYER = {"casino": "tallinn", "player": "p-77", "currency": "EUR"}


def test_a_casino_works_over_http(engine: Engine, tmp_path: Path) -> None:
    url = url_of(engine)
    with serving(url) as server:
        table = a_table_system(server, url)
        position = a_round_is_played(table)
        mia, otto = (
            server.person(*who, casinos=["tallinn"])
            for who in (("mia", "shift_manager"), ("otto", "compliance"))
        )
        reversed_at = the_round_is_reversed_by_two(mia, otto)
        auditor = server.person("ada", "auditor")
        the_auditor_reads(auditor, position, reversed_at)
        accountant = server.person("acc", "accountant", casinos=["tallinn"])
        paper = the_day_is_closed(accountant)
        the_player_disputes(auditor, tmp_path, url)
        out = tmp_path / "closed.html"
        asked = ("report", "closed-day", "--casino", "tallinn", "--day", DAY, "--out", out)
        assert backoffice(url, *asked).code == 0
        assert paper == out.read_bytes()
        assert backoffice(url, "keys", "revoke", "table-1", "--reason", "the evening is over").code == 0
    assert not differences(engine)
    assert backoffice(url, "verify").code == 0


def a_table_system(server: Server, url: str) -> httpx.Client:
    """The network is founded over HTTP by an administrator, who sends no actions; a key is given on the command line."""
    root = server.person("root", "administrator")
    file = json.loads(NETWORK.model_dump_json(exclude_unset=True))
    assert ask(root, "networks", file=file).status_code == 200
    assert problem(send(root, act("close", round="x")), 403, "forbidden")["rule"] == "role"
    made = backoffice(
        url, "keys", "create", "table-1", "--sender", "table-1", "--role", "table_feed", "--casino", "tallinn"
    )
    assert made.code == 0, made.err
    return server.asking(**{"X-API-Key": made.out.split()[-1]})


def a_round_is_played(table: httpx.Client) -> int:
    """Staked, called and won; sent as a list that is done whole."""
    at = {"round": "evening-1"}
    actions = [
        act("deposit", **PLAYER, amount="100.00"),
        act("open", **at, table="high-24h", number="17"),
        act("ante", **at, seat="1", **PLAYER, amount="20.00"),
        act("close", **at),
        act("deal", **at, hands={"1": ["Ac", "Ad", "6h", "8s", "Tc"]}, up="Kd"),
        act("call", **at, seat="1"),
        act("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        act("settle", **at),
    ]
    answers = send(table, actions, params={"all-or-nothing": "true"}).json()["answers"]
    assert {one["outcome"] for one in answers} == {"accepted"}
    again = send(table, actions).json()["answers"]
    assert [one["position"] for one in again] == [one["position"] for one in answers]
    return int(answers[-1]["position"])


def the_round_is_reversed_by_two(mia: httpx.Client, otto: httpx.Client) -> int:
    ask(mia, "reversals", round="evening-1", reason="the dealer's cards were marked")
    alone = ask(mia, "approvals", case="reversal/evening-1", proposal=1)
    assert problem(alone, 409, "refused")["rule"] == "two people"
    approved = ask(otto, "approvals", case="reversal/evening-1", proposal=1)
    assert approved.status_code == 200, approved.text
    return int(approved.json()["position"])


def the_auditor_reads(auditor: httpx.Client, settled: int, reversed_at: int) -> None:
    """What was written can be read at once by whoever names its position, and cannot be changed by who only reads."""
    waiting = {"wait_for": str(reversed_at)}
    found = auditor.get("/v1/rounds", params={"number": "17", **waiting}).json()
    assert [one["round"] for one in found["rows"]] == ["evening-1"]
    held = auditor.get("/v1/balances", params={"casino": "tallinn", **waiting}).json()["rows"]
    assert [one["balance"] for one in held if one["player"] == "p-77"] == ["100.00"]
    facts = auditor.get("/v1/rounds/evening-1/events").json()
    assert settled in {one["position"] for one in facts["facts"]}
    evidence = auditor.get("/v1/significant-events", params={"kind": "write"}).json()["rows"]
    told = [(one["who"], one["what"]) for one in evidence]
    assert {("otto", "approve"), ("mia", "request reversal")} <= set(told)
    problem(ask(auditor, "deposits", **PLAYER, amount="1.00"), 403, "forbidden")


def the_day_is_closed(accountant: httpx.Client) -> bytes:
    """Once, whoever asks how often; its report as the page that is handed in."""
    closed = ask(accountant, "day-closes", casino="tallinn", day=DAY)
    assert closed.status_code == 200, closed.text
    again = ask(accountant, "day-closes", casino="tallinn", day=DAY)
    assert problem(again, 409, "refused")["rule"] == "closed"
    asked = {"casino": "tallinn", "day": DAY, "wait_for": closed.json()["position"]}
    report = accountant.get("/v1/reports/closed-day", params=asked).json()
    assert report["closed_by"] == "acc"
    assert [(row["rounds"], row["cancelled"], row["ggr"]) for row in report["rows"]] == [(0, 1, "0.00")]
    return accountant.get("/v1/reports/closed-day", params={**asked, "format": "html"}).content


def the_player_disputes(auditor: httpx.Client, folder: Path, url: str) -> None:
    """The pack of the round that was taken back holds by itself."""
    pack = folder / "pack.json"
    pack.write_bytes(auditor.get("/v1/rounds/evening-1/dispute").content)
    assert backoffice(url, "round", "check", pack).code == 0


def act(do: str, **fields: Any) -> dict[str, Any]:
    return {"id": f"e-{next(_numbers)}", "at": EVENING.isoformat(), "do": do, **fields}


def send(client: httpx.Client, body: object, **options: Any) -> httpx.Response:
    return client.post("/v1/actions", json=body, **options)


def ask(who: httpx.Client, path: str, **fields: Any) -> httpx.Response:
    return who.post(f"/v1/{path}", json=fields, headers={"Idempotency-Key": f"journey-{next(_numbers)}"})
