"""Every endpoint x role x casino: a table of who may, checked on a live server. An endpoint that is not in it fails."""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import httpx
import pytest
from api_server import Server, problem, serving
from command_line import url_of
from front_door import (
    EVENING,
    Engine,
    a_handler,
    action,
    entered,
    opened,
    staff,
    take,
    tallinn,
)

from backoffice.api.commands import DOORS
from backoffice.api.rights import HOLDERS, OPEN, Right
from backoffice.domain.cases.commands import Grounds, OpenCase
from backoffice.domain.days.decisions import CLOSING
from backoffice.domain.staff import DECIDING, Role
from backoffice.log.postgres import PostgresLog

ROLES = ("table_feed", "auditor", "cashier", "shift_manager", "compliance", "accountant", "administrator")
TABLE = """
                                    F A C S K B M   another casino's
POST /v1/actions                    x . . . . . .   403
POST /v1/cancellations              . . . x x . x   403
POST /v1/reversals                  . . . x x . x   403
POST /v1/corrections                . . . x x . x   403
POST /v1/cases                      . . . x x . x   403
POST /v1/proposals                  . . . x x . x   403
POST /v1/approvals                  . . . x x . x   403
POST /v1/refusals                   . . . x x . x   403
POST /v1/write-offs                 . . . x x . x   403
POST /v1/repayments                 . . x x . . .   403
POST /v1/deposits                   . . x x . . .   403
POST /v1/withdrawals                . . x x . . .   403
POST /v1/rates                      . . . . . x x   403
POST /v1/networks                   . . . . . . x   403
POST /v1/day-closes                 . . . x . x x   403
GET /v1/rounds                      . x x x x x x   403
GET /v1/rounds/{round:path}         . x x x x x x   404
GET /v1/rounds/{round:path}/story   . x x x x x x   404
GET /v1/rounds/{round:path}/events  . x x x x x x   404
GET /v1/rounds/{round:path}/dispute . x x x x x x   403
GET /v1/balances                    . x x x x x x   403
GET /v1/debts                       . x x x x x x   403
GET /v1/entries                     . x x x x x x   403
GET /v1/jackpots                    . x x x x x x   403
GET /v1/hits                        . x x x x x x   403
GET /v1/cases                       . x x x x x x   403
GET /v1/cases/{case:path}           . x x x x x x   404
GET /v1/network                     . x x x x x x   200
GET /v1/reports                     . x x x x x x   200
GET /v1/reports/{name}              . x x x x x x   403
GET /v1/files                       . x x x x x x   403
GET /v1/files/{casino}/{authority}/{number} . x x x x x x 403
GET /v1/refused-requests            . x x x x x x   200
GET /v1/events                      . x . . x x x   200
GET /v1/significant-events          . x . x x . x   403
GET /v1/projections                 . x x x x x x   200
GET /v1/streams/jackpots            . x x x x x x   200
GET /v1/streams/cases               . x x x x x x   200
GET /metrics                        . x x x x x x   200
"""
"""The last column is what somebody of Tallinn is answered who holds the right and asks about Lugano, or about everything
where all casinos are concerned. 200: they are shown what is their own of it (tests of the queries look at that), or there
is nothing in it of any casino."""


class Row(NamedTuple):
    endpoint: str
    roles: frozenset[str]
    foreign: int


def _rows() -> Iterator[Row]:
    for line in TABLE.strip().splitlines()[1:]:
        method, path, *marks, foreign = line.split()
        roles = frozenset(role for role, mark in zip(ROLES, marks, strict=True) if mark == "x")
        yield Row(f"{method} {path}", roles, int(foreign))


ROWS = tuple(_rows())
ROUND = {"tallinn": "acc-tallinn", "lugano": "acc-lugano"}
WHOSE = {"tallinn": tallinn("ann"), "lugano": {"casino": "lugano", "player": "leo", "currency": "CHF"}}
_numbers = iter(range(10**9))


@pytest.fixture(scope="module")
def case_of(books: Engine, server: Server) -> dict[str, str]:
    """A round, a case and a file in each of two casinos; the names of the cases."""
    handler = a_handler(books)
    cases = {}
    for casino, table in (("tallinn", "high-24h"), ("lugano", "floor-7")):
        whose = WHOSE[casino]
        take(handler, action("deposit", **whose, amount="500.00"), opened(ROUND[casino], table=table))
        take(handler, action("ante", round=ROUND[casino], seat="1", **whose, amount="20.00"), entered(casino))
        (done,) = take(handler, staff(OpenCase, "kim", **whose, grounds=Grounds.GOODWILL, reason="a wait"))
        stream = next(server_log(books, done.first_position))
        cases[casino] = stream.removeprefix("case/")
    return cases


def server_log(books: Engine, position: int) -> Iterator[str]:
    return (recorded.stream for recorded in PostgresLog(books).read(after=position - 1))


class Asking:
    """How each endpoint is asked about a casino's affairs."""

    def __init__(self, case_of: dict[str, str]) -> None:
        self._case_of = case_of

    def ask(self, client: httpx.Client, endpoint: str, casino: str) -> int:
        method, _, path = endpoint.partition(" ")
        names = {
            "{round:path}": ROUND[casino],
            "{case:path}": self._case_of[casino].replace("%", "%25"),
            "{name}": "revenue",
            "{casino}": casino,
            "{authority}": "dk",
            "{number}": "1",
        }
        filled = re.sub(r"\{[^}]*\}", lambda found: names[found[0]], path)
        if method == "POST":
            headers = {"Idempotency-Key": f"acc-{next(_numbers)}"}
            return client.post(filled, json=self._body(path, casino), headers=headers).status_code
        query = {name: casino if value is None else value for name, value in QUERY.get(path, {}).items()}
        with client.stream("GET", filled, params=query) as answer:  # some never end
            return answer.status_code

    def _body(self, path: str, casino: str) -> dict[str, Any]:
        if path == "/v1/actions":
            fields = {"id": f"acc-{next(_numbers)}", "at": EVENING.isoformat(), "do": "deposit"}
            return {**fields, **WHOSE[casino], "amount": "1.00"}
        example = dict(next(door.example for door in DOORS if f"/v1/{door.path}" == path))
        about = {**WHOSE[casino], "round": ROUND[casino], "case": self._case_of[casino]}
        return {name: about.get(name, value) for name, value in example.items()}


QUERY: dict[str, dict[str, str | None]] = {
    "/v1/rounds": {"casino": None},
    "/v1/rounds/{round:path}/dispute": {"casino": None},
    "/v1/reports/{name}": {"casino": None},
    "/v1/files": {"casino": None},
    "/v1/balances": {"casino": None},
    "/v1/debts": {"casino": None},
    "/v1/entries": {"kind": "house", "owner": None},
    "/v1/jackpots": {"casino": None},
    "/v1/hits": {"casino": None},
    "/v1/cases": {"casino": None},
}
"""What a query is asked with; None stands for the casino."""


def test_every_endpoint_stands_in_the_table(server: Server) -> None:
    paths = server.client.get("/openapi.json").json()["paths"]
    live = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    told = {row.endpoint.replace(":path}", "}") for row in ROWS}
    free = {f"GET {path}" for path in OPEN}
    assert live - {"POST /development/tokens"} - free == told


def test_nobody_is_let_in_without_a_token_or_a_key(server: Server, case_of: dict[str, str]) -> None:
    statuses = {row.endpoint: Asking(case_of).ask(server.client, row.endpoint, "tallinn") for row in ROWS}
    assert set(statuses.values()) == {401}, statuses


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_the_table_says_and_nothing_else(
    server: Server, case_of: dict[str, str], role: str
) -> None:
    """In their own casino, and in all; at a foreign one nobody may do anything."""
    asking = Asking(case_of)
    everywhere = server.person(f"{role}-all", role)
    own = server.person(f"{role}-tallinn", role, casinos=["tallinn"])
    found, wanted = {}, {}
    for row in ROWS:
        may = role in row.roles
        found[row.endpoint] = (
            _let_in(asking.ask(everywhere, row.endpoint, "lugano")),
            _let_in(asking.ask(own, row.endpoint, "tallinn")),
            asking.ask(own, row.endpoint, "lugano"),
        )
        for_all = row.endpoint in FOR_ALL
        wanted[row.endpoint] = (may, may and not for_all, row.foreign if may else 403)
    assert found == wanted


FOR_ALL = {"POST /v1/rates", "POST /v1/networks", "GET /v1/significant-events"}
"""What concerns all casinos at once: nobody who acts for some may."""


def _let_in(status: int) -> bool:
    """Whether somebody was let in: what they asked may still be refused, or be nowhere."""
    assert status in {200, 401, 403, 404, 409}
    return status not in {401, 403, 404}


def test_whoever_has_several_roles_acts_in_one_that_may(server: Server) -> None:
    both = server.person("both", "auditor", "cashier", casinos=["tallinn"])
    headers = {"Idempotency-Key": "both-1"}
    answer = both.post("/v1/deposits", json={**tallinn("ann"), "amount": "1.00"}, headers=headers)
    assert answer.status_code == 200


def test_the_house_and_its_door_agree_on_who_decides() -> None:
    for right in (Right.CANCEL_ROUNDS, Right.DECIDE_CASES, Right.WRITE_OFF):
        assert set(HOLDERS[right]) == DECIDING
    assert set(HOLDERS[Right.CLOSE_DAYS]) == CLOSING
    assert {role for row in ROWS for role in row.roles} == set(Role)
    assert set(HOLDERS) == set(Right)
    assert set(ROLES) == set(Role)


def test_outside_development_nobody_issues_tokens_and_none_is_taken(books: Engine, server: Server) -> None:
    token = server.token("ann", "administrator")
    with serving(url_of(books), "--host", "127.0.0.1") as production:
        asked = {"name": "ann", "roles": ["administrator"]}
        problem(production.client.post("/development/tokens", json=asked), 404, "not-found")
        forged = production.asking(Authorization=f"Bearer {token}")
        problem(forged.get("/v1/rounds"), 401, "unauthenticated")
