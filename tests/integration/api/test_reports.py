"""Reports over HTTP: the bytes of the command line, at one position, for whom they concern; on a real server."""

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from api_server import Server, inside, problem, serving
from command_line import backoffice, url_of
from feeding import Feeding
from front_door import a_handler, deposit, take
from sqlalchemy import Engine, text

from backoffice.api import report_desk
from backoffice.api.limits import page_policy
from backoffice.api.problems import Kind, Problem
from backoffice.api.report_desk import ReportDesk
from backoffice.bootstrap import CODEC, house_on
from backoffice.log.postgres import PostgresLog
from backoffice.projections.projector import Projector
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.rendering.as_html import STYLE
from backoffice.reports.rendering.forms import FORMS, MEDIA_TYPES, file_ending
from backoffice.reports.revenue import REVENUE

CLOSED = "2026-03-01"
WANTED = {"player-statement": {"player": "ta-eur-01"}, "closed-day": {"day": CLOSED}}
"""What some reports are not made without, beside a casino."""
TOLD_TO_ONE = [name for name, report in REPORTS.items() if not report.tells_of_others]
"""Reports that somebody of one casino is shown."""


@pytest.fixture(scope="module")
def server(books: Engine) -> Iterator[Server]:
    """A server on the sample feed, with a day of Tallinn's closed."""
    Feeding(books).take_all()
    Projector(books, CODEC).catch_up()
    closed = backoffice(books, "day", "close", "tallinn", CLOSED, "--carry-over", "--as", "ann:accountant")
    assert closed.code == 0, closed.err
    with serving(url_of(books)) as running:
        yield running


def made(client: httpx.Client, name: str, **asked: Any) -> httpx.Response:
    answer = client.get(f"/v1/reports/{name}", params=asked)
    assert answer.status_code == 200, answer.text
    return answer


def rows(client: httpx.Client, name: str, **asked: Any) -> list[dict[str, Any]]:
    told: list[dict[str, Any]] = made(client, name, **asked).json()["rows"]
    return told


def written(books: Engine, folder: Path, form: str, *arguments: str) -> bytes:
    """What the command line writes."""
    file = folder / f"report.{file_ending(form)}"
    done = backoffice(books, "report", *arguments, "--format", form, "--out", file)
    assert done.code == 0, done.err
    return file.read_bytes()


def test_every_report_is_listed_with_what_it_is_asked(auditor: httpx.Client) -> None:
    told = auditor.get("/v1/reports").json()
    listed = {row["name"]: row for row in told["rows"]}
    assert list(listed) == list(REPORTS)
    assert listed["player-statement"]["wants"] == ["casino", "player"]
    (as_,) = [one for one in listed["revenue"]["filters"] if one["name"] == "as"]
    assert as_["words"] == ["first-reported", "now-known"]
    assert {one["format"]: one["content_type"] for one in told["formats"]} == dict(MEDIA_TYPES)


@pytest.mark.parametrize("form", FORMS)
def test_a_report_is_what_the_command_line_writes_to_the_byte(
    auditor: httpx.Client, books: Engine, tmp_path: Path, form: str
) -> None:
    asked = {"casino": "tallinn", "from": "2026-02-27", "to": "2026-03-02", "as": "now-known"}
    answer = made(auditor, "revenue", format=form, **asked)
    options = ("--casino", "tallinn", "--from", "2026-02-27", "--to", "2026-03-02", "--only", "as=now-known")
    assert answer.content == written(books, tmp_path, form, "revenue", *options)
    assert answer.headers["content-type"].partition(";")[0] == MEDIA_TYPES[form]
    assert answer.headers["content-length"] == str(len(answer.content))
    assert answer.headers["log-position"] == str(PostgresLog(books).head().position)
    kept, _, name = answer.headers["content-disposition"].partition("; ")
    assert kept == ("inline" if form in {"json", "html"} else "attachment")
    assert name == f"filename*=UTF-8''revenue-tallinn-2026-02-27-2026-03-02.{file_ending(form)}"


@pytest.mark.parametrize("name", REPORTS)
def test_every_report_is_made_of_everything_as_the_command_line_does(
    auditor: httpx.Client, books: Engine, tmp_path: Path, name: str
) -> None:
    wanted = WANTED.get(name, {})
    asked = {"casino": "tallinn", **wanted} if wanted else {}
    only = {key: value for key, value in wanted.items() if key != "day"}
    options = [part for key, value in only.items() for part in ("--only", f"{key}={value}")]
    options += ["--casino", "tallinn"] if asked else []
    options += ["--day", CLOSED] if "day" in wanted else []
    assert made(auditor, name, **asked).content == written(books, tmp_path, "json", name, *options)


def test_a_closed_day_is_told_as_first_reported_and_as_now_known(
    auditor: httpx.Client, books: Engine
) -> None:
    of_day = {"casino": "tallinn", "day": CLOSED}
    first = made(auditor, "closed-day", **of_day)
    reported, known = (rows(auditor, "revenue", **of_day, **{"as": one}) for one in REVENUE.words["as"])
    assert first.json()["rows"] == reported == known != []
    (done,) = take(a_handler(books), deposit("newcomer", "1.00"))
    again = made(auditor, "closed-day", **of_day)
    assert again.content == first.content
    assert int(again.headers["log-position"]) < done.last_position
    assert [row["day"] for row in rows(auditor, "closed-days", casino="tallinn")] == [CLOSED]


def test_who_has_these_very_bytes_is_not_sent_them_again(auditor: httpx.Client, books: Engine) -> None:
    asked = {"casino": "tallinn", "day": CLOSED, "format": "csv"}
    tag = made(auditor, "closed-day", **asked).headers["etag"]
    take(a_handler(books), deposit("another", "1.00"))
    place = "/v1/reports/closed-day"
    again = auditor.get(place, params=asked, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
    problem(auditor.get(place, params=asked, headers={"If-Match": '"0"'}), 412, "changed")


def test_what_was_just_written_is_reported(auditor: httpx.Client, books: Engine) -> None:
    handler = a_handler(books)
    for turn in range(5):
        (done,) = take(handler, deposit(f"just-{turn}", "1.00"))
        asked = {"casino": "tallinn", "player": f"just-{turn}", "wait_for": done.last_position}
        answer = made(auditor, "player-statement", **asked)
        assert int(answer.headers["log-position"]) >= done.last_position
        assert [row["balance"] for row in answer.json()["rows"]][-1] == "1.00"
    beyond = {"wait_for": PostgresLog(books).head().position + 1}
    problem(auditor.get("/v1/reports/revenue", params=beyond), 409, "refused")


@pytest.mark.parametrize(
    ("name", "asked", "field"),
    [
        ("revenue", {"day": "yesterday"}, "day"),
        ("revenue", {"day": "2026-3-1"}, "day"),
        ("revenue", {"day": "20260301"}, "day"),
        ("revenue", {"day": "2026-W09-7"}, "day"),
        ("revenue", {"day": "0001-01-01"}, "day"),
        ("revenue", {"day": "9999-12-31"}, "day"),
        ("revenue", {"day": CLOSED, "from": CLOSED}, "day"),
        ("revenue", {"from": CLOSED}, "to"),
        ("revenue", {"to": CLOSED}, "from"),
        ("revenue", {"from": CLOSED, "to": "2026-02-28"}, "to"),
        ("revenue", {"from": "2000-01-01", "to": CLOSED}, "to"),
        ("revenue", {"days": "working"}, "days"),
        ("revenue", {"format": "pdf"}, "format"),
        ("revenue", {"as": "guessed"}, "as"),
        ("revenue", {"player": "ta-eur-01"}, "player"),
        ("revenue", {"cassino": "tallinn"}, "cassino"),
        ("revenue", {"casino": "atlantis"}, "casino"),
        ("revenue", {"table": "\0"}, "table"),
        ("player-statement", {"casino": "tallinn"}, "player"),
        ("player-statement", {"player": "ta-eur-01"}, "casino"),
        ("player-statement", {"casino": "tallinn", "player": "p", "at": "noon"}, "at"),
        ("closed-day", {"casino": "tallinn"}, "day"),
        ("closed-day", {"casino": "tallinn", "day": "2026-03-02"}, "day"),
        ("aml-flags", {"limit": "much"}, "limit"),
        ("aml-flags", {"gap": "0"}, "gap"),
        ("trial-balance", {"by": "year"}, "by"),
    ],
)
def test_what_cannot_be_reported_is_told_by_its_field(
    auditor: httpx.Client, name: str, asked: dict[str, str], field: str
) -> None:
    document = problem(auditor.get(f"/v1/reports/{name}", params=asked), 422, "invalid")
    assert document["errors"][0]["field"] == field


def test_a_report_that_there_is_not_is_not_found(auditor: httpx.Client) -> None:
    for name in ("profit", "list", "%2e%2e", "x" * 64):
        problem(auditor.get(f"/v1/reports/{name}"), 404, "not-found")


def test_somebody_of_one_casino_is_shown_that_one(auditor: httpx.Client, of_tallinn: httpx.Client) -> None:
    assert made(of_tallinn, "revenue").content == made(auditor, "revenue", casino="tallinn").content
    assert {row["casino"] for row in rows(of_tallinn, "revenue")} == {"tallinn"}
    for name in REPORTS:
        answer = of_tallinn.get(f"/v1/reports/{name}", params={"casino": "stockholm"})
        assert problem(answer, 403, "forbidden")["rule"] == "casino"


def test_somebody_of_some_casinos_names_one_of_them(server: Server) -> None:
    both = server.person("both", "accountant", casinos=["tallinn", "stockholm"])
    document = problem(both.get("/v1/reports/revenue"), 422, "invalid")
    assert document["errors"][0]["field"] == "casino"
    for casino in ("tallinn", "stockholm"):
        assert {row["casino"] for row in rows(both, "revenue", casino=casino)} == {casino}


def test_what_tells_of_others_at_common_tables_is_for_who_sees_them_all(
    auditor: httpx.Client, of_tallinn: httpx.Client
) -> None:
    listed = auditor.get("/v1/reports").json()["rows"]
    alone = [row["name"] for row in listed if row["whole_network_only"]]
    assert set(alone) == set(REPORTS) - set(TOLD_TO_ONE) != set()
    for name in alone:
        made(auditor, name, casino="tallinn")
        answer = of_tallinn.get(f"/v1/reports/{name}", params={"casino": "tallinn"})
        assert problem(answer, 403, "forbidden")["rule"] == "casino"


@pytest.mark.parametrize(
    ("role", "status"),
    [
        ("compliance", 200),
        ("auditor", 200),
        ("administrator", 200),
        ("shift_manager", 403),
        ("accountant", 403),
        ("cashier", 403),
    ],
)
def test_nobody_who_deals_with_a_player_reads_that_they_are_suspected(
    server: Server, role: str, status: int
) -> None:
    somebody = server.person(role, role)
    listed = somebody.get("/v1/reports").json()["rows"]
    assert [row["name"] for row in listed if row["confidential"]] == ["aml-flags"]
    answer = somebody.get("/v1/reports/aml-flags")
    assert answer.status_code == status
    if status == 403:
        assert problem(answer, 403, "forbidden")["rule"] == "role"
    made(somebody, "revenue")


@pytest.mark.parametrize("name", TOLD_TO_ONE)
def test_no_report_of_one_casino_names_another_s_players(
    of_tallinn: httpx.Client, books: Engine, name: str
) -> None:
    query = "select distinct player from read.round_players where {} player not in ({})"
    ours = "select player from read.round_players where casino = 'tallinn'"
    with books.connect() as connection:
        others = list(connection.scalars(text(query.format("casino <> 'tallinn' and", ours))))
    assert others
    told = made(of_tallinn, name, casino="tallinn", **WANTED.get(name, {})).text
    assert not [other for other in others if f'"{other}"' in told or f"{other} of" in told]


def test_a_page_runs_nothing_and_looks_as_it_says(auditor: httpx.Client) -> None:
    answer = made(auditor, "revenue", format="html")
    policy = answer.headers["content-security-policy"]
    assert policy == page_policy(STYLE)
    assert "unsafe" not in policy
    assert f"<style>{STYLE}</style>" in answer.text
    assert "<script" not in answer.text
    assert answer.headers["content-type"] == "text/html; charset=utf-8"
    assert "sandbox" not in made(auditor, "revenue", format="csv").headers["content-security-policy"]


def test_a_report_that_takes_too_long_is_given_up(books: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_desk, "LONGEST_SECONDS", 0)
    with inside(books) as client:
        asked = {"name": "otto", "roles": ["auditor"], "casinos": ["*"]}
        token = client.post("/development/tokens", json=asked).json()["token"]
        answer = client.get("/v1/reports/journal", headers={"Authorization": f"Bearer {token}"})
        assert "--order" in problem(answer, 504, "late")["detail"]


def test_only_so_many_are_under_way(books: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(report_desk, "MOST_OUT", 1)

    async def ask() -> None:
        desk = ReportDesk(house_on(books))
        first = await desk.make(REVENUE, Asked(), "json")
        with pytest.raises(Problem) as refused:
            await desk.make(REVENUE, Asked(), "json")
        assert refused.value.kind is Kind.TOO_MANY
        assert json.load(first.stream)["position"] == str(first.position)
        desk.let_go(first)
        with pytest.raises(Problem):  # this one is let go of by itself
            await desk.make(REVENUE, Asked(only={"as": "guessed"}), "json")
        desk.let_go(await desk.make(REVENUE, Asked(), "csv"))

    asyncio.run(ask())
