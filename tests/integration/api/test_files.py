"""What was produced for authorities, over HTTP: as the command line tells it, page by page, to whom it concerns."""

import json
from typing import Any

import httpx
import pytest
from api_server import Server, problem
from command_line import backoffice
from front_door import a_handler, entered, take
from sqlalchemy import Engine

from backoffice.log.postgres import PostgresLog


@pytest.fixture(scope="module", autouse=True)
def produced(books: Engine, server: Server) -> None:
    """Five files of Tallinn's, for two authorities, and one of Lugano's."""
    take(
        a_handler(books),
        entered("tallinn", 1),
        entered("tallinn", 2, day="2026-03-02"),
        entered("lugano", 1, part="CHF"),
        entered("tallinn", 3, version=1, replaces=1, after=7, position=9, sha256="c" * 64),
        entered("tallinn", 1, authority="mga", name="mga-live-tables"),
        entered("tallinn", 2, authority="mga", name="mga-live-tables", day="2026-03-02"),
    )


def everything(client: httpx.Client, **asked: Any) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = []
    page: dict[str, Any] = {"next": ""}
    while page["next"] is not None:
        cursor = {"cursor": page["next"]} if page["next"] else {}
        answer = client.get("/v1/files", params={**asked, **cursor})
        assert answer.status_code == 200, answer.text
        page = answer.json()
        assert answer.headers["log-position"] == str(page["position"])
        rows += page["rows"]
    return rows


def numbers(rows: list[dict[str, Any]]) -> list[tuple[str, str, int]]:
    return [(row["casino"], row["authority"], row["number"]) for row in rows]


def as_on_the_command_line(row: dict[str, Any]) -> dict[str, Any]:
    told = {name: value for name, value in row.items() if name not in {"made_from", "made_from_hash"}}
    told |= {"position": row["made_from"], "hash": row["made_from_hash"]}
    told["made_at"] = row["made_at"].replace("Z", "+00:00")
    del told["entered_at"]
    return told


def test_every_file_is_listed_once_the_newest_first(auditor: httpx.Client, books: Engine) -> None:
    rows = everything(auditor, limit=2)
    assert numbers(rows) == [
        ("tallinn", "mga", 2),
        ("tallinn", "mga", 1),
        ("tallinn", "dk", 3),
        ("lugano", "dk", 1),
        ("tallinn", "dk", 2),
        ("tallinn", "dk", 1),
    ]
    told = map(json.loads, backoffice(books, "files", "list", "--json").out.splitlines())
    by_number = {tuple(one[name] for name in ("casino", "authority", "number")): one for one in told}
    assert [as_on_the_command_line(row) for row in rows] == [by_number[key] for key in numbers(rows)]
    places = {one.position: one.type for one in PostgresLog(books).read()}
    assert {places[row["entered_at"]] for row in rows} == {"filing.produced"}


def test_files_are_asked_for_by_casino_and_authority(auditor: httpx.Client) -> None:
    assert numbers(everything(auditor, authority="mga", limit=1)) == [
        ("tallinn", "mga", 2),
        ("tallinn", "mga", 1),
    ]
    assert numbers(everything(auditor, casino="lugano")) == [("lugano", "dk", 1)]
    assert numbers(everything(auditor, casino="tallinn", authority="dk", limit=2)) == [
        ("tallinn", "dk", number) for number in (3, 2, 1)
    ]
    assert everything(auditor, casino="lugano", authority="gr") == []
    document = problem(auditor.get("/v1/files?authority=uk"), 422, "invalid")
    assert document["errors"][0]["field"] == "authority"


def test_one_file_is_told_whole(auditor: httpx.Client, books: Engine) -> None:
    answer = auditor.get("/v1/files/tallinn/dk/3")
    told = answer.json()
    assert int(answer.headers["log-position"]) == told.pop("position") == PostgresLog(books).head().position
    shown = backoffice(books, "files", "show", "tallinn", "dk", "3")
    assert as_on_the_command_line(told) == json.loads(shown.out)
    assert (told["replaces"], told["version"], told["by"]) == (1, 1, "ann")


def test_a_casino_sees_its_own_files(server: Server) -> None:
    leo = server.person("leo", "accountant", casinos=["lugano"])
    assert numbers(everything(leo)) == [("lugano", "dk", 1)]
    for path in ("/v1/files?casino=tallinn", "/v1/files/tallinn/dk/1", "/v1/files/tallinn/dk/99"):
        assert problem(leo.get(path), 403, "forbidden")["rule"] == "casino"


def test_a_file_that_was_not_produced_is_not_found(auditor: httpx.Client) -> None:
    for path in ("tallinn/dk/4", "tallinn/gr/1", "atlantis/dk/1", f"tallinn/dk/{2**63 - 1}"):
        problem(auditor.get(f"/v1/files/{path}"), 404, "not-found")
    for path in ("tallinn/dk/0", "tallinn/dk/x", "tallinn/uk/1"):
        problem(auditor.get(f"/v1/files/{path}"), 422, "invalid")
