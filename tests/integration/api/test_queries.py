"""What can be shown is shown, at one position, page by page, and only to whom it concerns: on a real server."""

import json
import time
import tomllib
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import httpx
import pytest
from api_server import Server, problem, serving
from command_line import url_of
from feeding import SAMPLE, Feeding
from front_door import a_handler, action, deposit, opened, take, tallinn
from shared_folder import shared
from sqlalchemy import Engine, text

from backoffice.bootstrap import CODEC
from backoffice.log.postgres import PostgresLog
from backoffice.projections.projector import Projector
from backoffice.reports.round_story import round_story


@pytest.fixture(scope="module")
def server(books: Engine) -> Iterator[Server]:
    """A server on the sample feed, taken in and projected."""
    Feeding(books).take_all()
    Projector(books, CODEC).catch_up()
    with serving(url_of(books)) as running:
        yield running


def shown(client: httpx.Client, path: str, **parameters: Any) -> Any:
    answer = client.get(path, params=parameters)
    assert answer.status_code == 200, answer.text
    assert answer.headers["log-position"] == str(answer.json()["position"])
    return answer.json()


def once_reached(client: httpx.Client, path: str, **parameters: Any) -> Any:
    """The same on a machine that stands still now and then: asked again where the answer says so."""
    until = time.monotonic() + 60
    while client.get(path, params=parameters).status_code == 504 and time.monotonic() < until:
        pass
    return shown(client, path, **parameters)


def everything(client: httpx.Client, path: str, **parameters: Any) -> list[Any]:
    """All rows, page after page."""
    rows: list[Any] = []
    cursor: dict[str, str] = {}
    while True:
        page = shown(client, path, **parameters, **cursor)
        rows += page["rows"]
        if page["next"] is None:
            return rows
        cursor = {"cursor": page["next"]}


def values(engine: Engine, query: str) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.scalars(text(query)))


def a_shared_round(engine: Engine) -> str:
    """A round in which several casinos' players staked."""
    query = "select round from read.round_players group by round having count(distinct casino) > 1 order by 1 limit 1"
    return str(values(engine, query)[0])


def test_every_round_is_found_once(auditor: httpx.Client, books: Engine) -> None:
    rows = everything(auditor, "/v1/rounds", limit=77)
    assert [row["round"] for row in rows] == values(
        books, "select round from read.rounds order by opened_at desc, first_position desc"
    )


@pytest.mark.parametrize(
    ("parameters", "condition"),
    [
        ({"table": "live-1", "state": "settled"}, "table_id = 'live-1' and phase = 'settled'"),
        ({"state": "open"}, "phase not in ('settled', 'cancelled', 'reversed')"),
        ({"state": "cancelled"}, "phase = 'cancelled'"),
        ({"casino": "tallinn"}, "round in (select round from read.round_casinos where casino = 'tallinn')"),
        ({"hand": "full house"}, "round in (select round from read.round_hands where hand = 'full house')"),
        (
            {"currency": "EUR", "payout_from": "100.00", "payout_to": "200.00"},
            "round in (select round from read.round_lines where currency = 'EUR' and payout_minor between 10000 and 20000)",
        ),
        (
            {"currency": "EUR", "stake_from": "20.00"},
            "round in (select round from read.round_lines where currency = 'EUR' and stake_minor >= 2000)",
        ),
    ],
)
def test_rounds_are_searched(
    auditor: httpx.Client, books: Engine, parameters: dict[str, str], condition: str
) -> None:
    found = sorted(row["round"] for row in everything(auditor, "/v1/rounds", limit=20, **parameters))
    assert found == values(books, f"select round from read.rounds where {condition} order by round")  # noqa: S608


def test_cards_are_given_in_any_order(auditor: httpx.Client, books: Engine) -> None:
    (cards,) = values(books, "select cards from read.round_hands order by position limit 1")
    backwards = " ".join(reversed(cards.split()))
    found = {row["round"] for row in everything(auditor, "/v1/rounds", cards=backwards)}
    assert found == set(values(books, f"select round from read.round_hands where cards = '{cards}'"))  # noqa: S608


@pytest.mark.parametrize(
    ("parameters", "field"),
    [
        ({"player": "ta-eur-01"}, "casino"),
        ({"payout_from": "1.00"}, "currency"),
        ({"payout_from": "1.001", "currency": "EUR"}, "payout_from"),
        ({"payout_from": "-1", "currency": "EUR"}, "payout_from"),
        ({"stake_to": "1", "currency": "XXX"}, "stake_to"),
        ({"hand": "five of a kind"}, "hand"),
        ({"cards": "As Ks"}, "cards"),
        ({"state": "won"}, "state"),
        ({"since": "yesterday"}, "since"),
        ({"since": "2026-03-01T20:00:00"}, "since"),
        ({"limit": "0"}, "limit"),
        ({"limit": "501"}, "limit"),
        ({"limit": "99999999999999999999"}, "limit"),
        ({"cursor": "nonsense"}, "cursor"),
        ({"cursor": "x" * 4001}, "cursor"),
        ({"wait_for": "-1"}, "wait_for"),
        ({"wait_for": str(2**63)}, "wait_for"),
        ({"cassino": "tallinn"}, "cassino"),
        ({"number": "\0"}, "number"),
        ({"number": "a\u2028b"}, "number"),
    ],
)
def test_what_cannot_be_asked_is_told_by_its_field(
    auditor: httpx.Client, parameters: dict[str, str], field: str
) -> None:
    document = problem(auditor.get("/v1/rounds", params=parameters), 422, "invalid")
    assert document["errors"][0]["field"] == field


def test_what_is_given_twice_is_refused_where_one_is_asked_for(auditor: httpx.Client) -> None:
    twice = [("limit", "1"), ("limit", "2")]
    document = problem(auditor.get("/v1/rounds", params=twice), 422, "invalid")
    assert document["errors"] == [{"field": "limit", "reason": "it is given twice"}]
    assert auditor.get("/v1/cases", params=[("standing", "open"), ("standing", "closed")]).status_code == 200


def test_a_cursor_goes_with_its_own_search_only(auditor: httpx.Client) -> None:
    cursor = shown(auditor, "/v1/rounds", limit=2)["next"]
    assert shown(auditor, "/v1/rounds", limit=9, cursor=cursor)["rows"]
    problem(auditor.get("/v1/rounds", params={"cursor": cursor, "table": "live-1"}), 422, "invalid")
    problem(auditor.get("/v1/balances", params={"cursor": cursor}), 422, "invalid")


def test_a_round_is_shown_with_its_version(auditor: httpx.Client, books: Engine) -> None:
    name = a_shared_round(books)
    answer = auditor.get(f"/v1/rounds/{name}")
    stream = PostgresLog(books).read_stream(f"round/{name}")
    assert answer.headers["etag"] == f'"{len(stream)}"'
    assert answer.json()["version"] == len(stream)
    assert answer.json()["last_position"] == stream[-1].position
    assert auditor.get(f"/v1/rounds/{name}/story").headers["etag"] == answer.headers["etag"]


@pytest.mark.parametrize("path", ["", "/story"])
def test_who_has_that_version_is_not_sent_it_again(auditor: httpx.Client, books: Engine, path: str) -> None:
    place = f"/v1/rounds/{a_shared_round(books)}{path}"
    tag = auditor.get(place).headers["etag"]
    for same in (tag, f"W/{tag}", f'"x", {tag}', "*"):
        again = auditor.get(place, headers={"If-None-Match": same})
        assert (again.status_code, again.content, again.headers["etag"]) == (304, b"", tag)
        assert again.headers["log-position"]
    assert auditor.get(place, headers={"If-None-Match": '"0"'}).status_code == 200
    assert auditor.get(place, headers={"If-Match": tag}).status_code == 200
    problem(auditor.get(place, headers={"If-Match": '"0"'}), 412, "changed")


def test_a_story_is_that_of_the_command_line(auditor: httpx.Client, books: Engine) -> None:
    name = a_shared_round(books)
    told = auditor.get(f"/v1/rounds/{name}/story").json()
    story = round_story(PostgresLog(books), CODEC, name)
    assert [event["what"] for event in told["events"]] == [event["what"] for event in story["events"]]
    assert told["lines"] == story["lines"]


def test_a_round_s_events_are_those_of_the_log(auditor: httpx.Client, books: Engine) -> None:
    name = a_shared_round(books)
    stream = PostgresLog(books).read_stream(f"round/{name}")
    first = auditor.get(f"/v1/rounds/{name}/events", params={"limit": 3}).json()
    rest = auditor.get(f"/v1/rounds/{name}/events", params={"after": first["after"]}).json()
    facts = first["facts"] + rest["facts"]
    assert [fact["hash"] for fact in facts] == [one.hash.hex() for one in stream]
    assert [fact["data"] for fact in facts] == [json.loads(one.data) for one in stream]
    assert rest["position"] == PostgresLog(books).head().position


@pytest.mark.parametrize(
    "name", ["none", "no/such", "%2e%2e", "ünïcode", "a" * 1000, "x%00y", "'; drop table x"]
)
@pytest.mark.parametrize("path", ["", "/story", "/events"])
def test_a_round_that_is_not_there_is_not_found(auditor: httpx.Client, name: str, path: str) -> None:
    answer = auditor.get(f"/v1/rounds/{name}{path}")
    assert answer.status_code in {404, 422}
    assert answer.json()["status"] == answer.status_code


def test_balances_are_those_of_the_table(auditor: httpx.Client, books: Engine) -> None:
    rows = everything(auditor, "/v1/balances", limit=13)
    assert [(row["casino"], row["player"], row["currency"]) for row in rows] == [
        tuple(key.split("/"))
        for key in values(
            books,
            "select casino || '/' || player || '/' || currency from read.balances order by casino, player, currency",
        )
    ]
    player = rows[3]["player"]
    assert rows[3] in everything(auditor, "/v1/balances", casino=rows[3]["casino"], player=player)
    assert everything(auditor, "/v1/debts") == []


def test_entries_of_an_account_add_up_to_its_balance(auditor: httpx.Client, books: Engine) -> None:
    wallet = shown(auditor, "/v1/balances", limit=1)["rows"][0]
    account = {"kind": "player", "owner": wallet["casino"], "holder": wallet["player"]}
    rows = everything(auditor, "/v1/entries", limit=7, **account)
    assert len(rows) > 20
    places = [(row["entry_position"], row["line"]) for row in rows]
    assert places == sorted(set(places))
    assert sum(Decimal(row["amount"]) for row in rows if row["currency"] == wallet["currency"]) == Decimal(
        wallet["balance"]
    )


def test_a_meter_is_worth_its_buckets(auditor: httpx.Client, of_tallinn: httpx.Client) -> None:
    meters = {meter["jackpot"]: meter for meter in shown(auditor, "/v1/jackpots")["rows"]}
    ours = {meter["jackpot"]: meter for meter in shown(of_tallinn, "/v1/jackpots")["rows"]}
    assert meters.keys() == ours.keys()
    for name, meter in meters.items():
        assert meter["worth"] == ours[name]["worth"]
        assert ours[name]["buckets"] == [one for one in meter["buckets"] if one["casino"] == "tallinn"]
        if all(bucket["currency"] == meter["currency"] for bucket in meter["buckets"]):
            assert sum(Decimal(one["balance"]) for one in meter["buckets"]) == Decimal(meter["worth"])
    (one,) = shown(auditor, "/v1/jackpots", jackpot=next(iter(meters)))["rows"]
    assert one["jackpot"] == next(iter(meters))


def test_the_network_is_shown_as_its_file_has_it(auditor: httpx.Client, of_tallinn: httpx.Client) -> None:
    file = tomllib.loads(shared("feeds", "network.toml").read_text())
    told = shown(auditor, "/v1/network")
    assert (told["network"], told["base_currency"]) == tuple(file["network"].values())
    assert {one["casino"]: one["timezone"] for one in told["casinos"]} == {
        one["id"]: one["timezone"] for one in file["casino"]
    }
    assert {one["table"]: one["ruleset"] for one in told["tables"]} == {
        one["id"]: one["ruleset"] for one in file["table"]
    }
    assert {one["jackpot"]: one["parameters"]["seed"] for one in told["jackpots"]} == {
        one["id"]: one["seed"] for one in file["jackpot"]
    }
    last = {}
    for line in map(json.loads, SAMPLE):
        if line["do"] == "rate":
            last[line["quote"]] = line["rate"]
    assert told["rates"] == {**file["rates"], **last}
    ours = shown(of_tallinn, "/v1/network")
    assert [one["casino"] for one in ours["casinos"]] == ["tallinn"]
    assert ours["tables"] == [one for one in told["tables"] if "tallinn" in one["casinos"]] != told["tables"]


def test_hits_and_cases_are_listed(auditor: httpx.Client, books: Engine) -> None:
    hits = everything(auditor, "/v1/hits", limit=2)
    assert len(hits) == len(values(books, "select round from read.jackpot_shares")) > 0
    by_hit: dict[int, list[Any]] = {}
    for hit in hits:
        by_hit.setdefault(hit["hit_position"], []).append(hit)
    for shares in by_hit.values():
        before, after = (Decimal(shares[0][name]) for name in ("pool_before", "pool_after"))
        assert before - after == sum(Decimal(share["share_base"]) for share in shares)
    cases = everything(auditor, "/v1/cases", limit=2)
    assert [case["case"] for case in cases] == values(
        books, "select case_id from read.cases order by position desc"
    )
    assert cases
    for case in cases[:5]:
        story = auditor.get(f"/v1/cases/{case['case']}".replace("%", "%25"))
        assert story.json()["case"] == case["case"], story.text
        assert story.headers["etag"] == f'"{story.json()["version"]}"'
        assert case["casinos"] == story.json()["casinos"]
    problem(auditor.get("/v1/cases/none/such"), 404, "not-found")


def test_projections_and_refusals_are_told(auditor: httpx.Client, books: Engine) -> None:
    told = shown(auditor, "/v1/projections")
    assert {row["state"] for row in told["rows"]} == {"current"}
    assert {row["lag_events"] for row in told["rows"]} == {0}
    assert len(everything(auditor, "/v1/refused-requests", limit=3)) == len(
        values(books, "select refusal from intake.refusals")
    )


def test_a_casino_sees_nothing_of_another(
    auditor: httpx.Client, of_tallinn: httpx.Client, books: Engine
) -> None:
    """Not in lists, not in stories, not in events: neither names nor sums."""
    others = {
        name
        for name in values(books, "select distinct player from read.round_players where casino <> 'tallinn'")
        if name
        not in values(books, "select distinct player from read.round_players where casino = 'tallinn'")
    }
    assert others
    name = a_shared_round(books)
    seen = [of_tallinn.get(f"/v1/rounds/{name}{path}").text for path in ("", "/story", "/events")]
    for path in ("balances", "debts", "hits", "cases", "refused-requests"):
        rows = everything(of_tallinn, f"/v1/{path}", limit=100)
        assert all(row.get("casino", "tallinn") == "tallinn" for row in rows)
        seen.append(json.dumps(rows))
    after = 0
    while True:
        page = of_tallinn.get("/v1/events", params={"after": after, "limit": 1000})
        seen.append(page.text)
        if page.json()["after"] == after:
            break
        after = page.json()["after"]
    for said in seen:
        assert "tallinn" in said or said == "[]" or "facts" in said or "round" in said
        assert not [other for other in others if f'"{other}"' in said or f"{other} of" in said]
    story = json.loads(seen[1])
    assert {line["casino"] for line in story["lines"]} == {"tallinn"}
    assert all(":tallinn" in one["account"] for event in story["events"] for one in event["postings"])


def test_a_casino_is_told_of_its_own_refused_requests(
    auditor: httpx.Client, of_tallinn: httpx.Client, books: Engine
) -> None:
    handler = a_handler(books)
    (*_, last) = take(handler, opened("refusing", table="live-1"), opened("refusing-too", table="high-24h"))
    stockholm = {"casino": "stockholm", "player": "nobody", "currency": "SEK", "amount": "100.00"}
    asked = [
        action("ante", round="refusing", seat="1", **stockholm),
        action("ante", round="refusing", seat="2", **tallinn("nobody"), amount="20.00"),
        action("call", round="refusing", seat="1"),
        action("call", round="refusing-too", seat="1"),
        action("withdraw", **stockholm),
        action("withdraw", **tallinn("nobody"), amount="1.00"),
        action("call", round="never-opened", seat="1"),
    ]
    assert {type(outcome).__name__ for outcome in handler.commit(asked)} == {"Declined"}
    keys = [one.key for one in asked]
    told = [row["key"] for row in everything(auditor, "/v1/refused-requests", limit=2)]
    assert told[::-1][-len(keys) :] == keys
    assert [
        row["key"] for row in everything(of_tallinn, "/v1/refused-requests", wait_for=last.last_position)
    ][::-1] == [keys[number] for number in (1, 3, 5)]


@pytest.mark.parametrize(
    "path",
    [
        "/v1/rounds?casino=stockholm",
        "/v1/balances?casino=stockholm",
        "/v1/hits?casino=stockholm",
        "/v1/cases?casino=stockholm",
        "/v1/jackpots?casino=stockholm",
        "/v1/entries?kind=player&owner=stockholm&holder=st-sek-01",
        "/v1/entries?kind=house&owner=stockholm",
        "/v1/entries?kind=network",
        "/v1/entries?kind=seed&owner=royal",
        "/v1/entries?kind=settlement&owner=-&holder=stockholm",
        "/v1/significant-events",
    ],
)
def test_another_casino_s_books_are_forbidden(of_tallinn: httpx.Client, path: str) -> None:
    assert problem(of_tallinn.get(path), 403, "forbidden")["rule"] == "casino"


def test_a_round_at_another_casino_s_table_is_not_there(of_tallinn: httpx.Client, books: Engine) -> None:
    query = (
        "select round from read.rounds where round not in"
        " (select round from read.round_casinos where casino = 'tallinn') limit 1"
    )
    (name,) = values(books, query)
    for path in ("", "/story", "/events"):
        problem(of_tallinn.get(f"/v1/rounds/{name}{path}"), 404, "not-found")


def test_what_was_just_written_is_read(server: Server, auditor: httpx.Client, books: Engine) -> None:
    handler = a_handler(books)
    for turn in range(20):
        (done,) = take(handler, deposit(f"newcomer-{turn}", "1.00"))
        account = {"kind": "player", "owner": "tallinn", "holder": f"newcomer-{turn}"}
        page = once_reached(auditor, "/v1/entries", **account, wait_for=done.last_position)
        assert page["position"] >= done.last_position
        assert [row["amount"] for row in page["rows"]] == ["1.00"]


def test_nobody_waits_for_what_is_not_written(auditor: httpx.Client, books: Engine) -> None:
    beyond = PostgresLog(books).head().position + 1
    for position in (beyond, 2**63 - 1):
        document = problem(auditor.get("/v1/rounds", params={"wait_for": position}), 409, "refused")
        assert (document["rule"], document["detail"]) == ("position", f"the log ends at {beyond - 1}")


def test_amounts_are_texts_and_times_have_zones(auditor: httpx.Client) -> None:
    row = shown(auditor, "/v1/balances", limit=1, casino=tallinn("x")["casino"])["rows"][0]
    assert isinstance(row["balance"], str)
    assert shown(auditor, "/v1/rounds", limit=1)["rows"][0]["opened_at"].endswith("Z")
