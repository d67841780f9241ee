"""The dispute pack of a round over HTTP: that of the command line, as far as its asker may see it; on a real server."""

import json
from pathlib import Path

import httpx
import pytest
from api_server import Server, problem
from command_line import backoffice
from front_door import a_handler as handler_of
from front_door import action, opened, take, tallinn, whole_round
from sqlalchemy import Engine

from backoffice.api.limits import page_policy
from backoffice.reports.markup import STYLE

STOCKHOLM = {"casino": "stockholm", "player": "sven", "currency": "SEK"}


@pytest.fixture(scope="module", autouse=True)
def played(books: Engine, server: Server) -> int:
    """A round of Tallinn's own, and one that Stockholm plays at, too; the position behind them."""
    at = {"round": "shared-1"}
    outcomes = take(
        handler_of(books),
        *(action("deposit", **whose, amount="10000.00") for whose in (tallinn("ann"), STOCKHOLM)),
        *whole_round("own-1", "ann"),
        opened("shared-1", table="live-1"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="20.00"),
        action("ante", **at, seat="2", **STOCKHOLM, amount="200.00"),
        action("close", **at),
        action("cancel", **at, reason="a card fell"),
    )
    return outcomes[-1].last_position


def pack(client: httpx.Client, round_id: str, played: int, **asked: str) -> httpx.Response:
    answer = client.get(f"/v1/rounds/{round_id}/dispute", params={"wait_for": played, **asked})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize("form", ["json", "html"])
@pytest.mark.parametrize("casino", [None, "tallinn"])
def test_a_pack_is_what_the_command_line_writes_to_the_byte(
    auditor: httpx.Client, books: Engine, played: int, tmp_path: Path, form: str, casino: str | None
) -> None:
    file = tmp_path / "pack"
    asked = {} if casino is None else {"casino": casino}
    options = [part for pair in asked.items() for part in (f"--{pair[0]}", pair[1])]
    done = backoffice(books, "round", "dispute", "shared-1", "--format", form, "--out", file, *options)
    assert done.code == 0, done.err
    answer = pack(auditor, "shared-1", played, format=form, **asked)
    assert answer.content == file.read_bytes()
    assert int(answer.headers["log-position"]) >= played


def test_its_hashes_are_good(auditor: httpx.Client, books: Engine, played: int, tmp_path: Path) -> None:
    file = tmp_path / "pack.json"
    file.write_bytes(pack(auditor, "own-1", played).content)
    assert backoffice(books, "round", "check", file).code == 0


def test_a_casino_sees_nothing_of_another_in_it(server: Server, auditor: httpx.Client, played: int) -> None:
    tiina = server.person("tiina", "shift_manager", casinos=["tallinn"])
    for form in ("json", "html"):
        assert "sven" in pack(auditor, "shared-1", played, format=form).text
        assert "sven" not in pack(tiina, "shared-1", played, format=form).text
    told = json.loads(pack(tiina, "shared-1", played).text)
    assert told["casinos"] == ["tallinn"]
    assert told["chain"]["left_out"] > 0
    at_home = {"casino": "stockholm"}
    problem(tiina.get("/v1/rounds/shared-1/dispute", params=at_home), 403, "forbidden")
    elsewhere = server.person("leo", "shift_manager", casinos=["lugano"])
    problem(elsewhere.get("/v1/rounds/own-1/dispute"), 404, "not-found")


def test_its_page_runs_nothing(auditor: httpx.Client, played: int) -> None:
    answer = pack(auditor, "own-1", played, format="html")
    assert answer.headers["content-security-policy"] == page_policy(STYLE)
    assert f"<style>{STYLE}</style>" in answer.text
    assert "<script" not in answer.text


def test_what_cannot_be_asked_is_told(auditor: httpx.Client) -> None:
    problem(auditor.get("/v1/rounds/never/dispute"), 404, "not-found")
    document = problem(auditor.get("/v1/rounds/own-1/dispute?format=pdf"), 422, "invalid")
    assert document["errors"][0]["field"] == "format"
