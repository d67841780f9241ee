"""The frame: what holds for every endpoint, on a real server process."""

import asyncio
from collections.abc import Awaitable, Callable

import httpx
import psycopg
from api_server import Server, problem
from command_line import backoffice
from fastapi import APIRouter
from sqlalchemy import Engine

from backoffice.api.application import create_app
from backoffice.api.limits import SAFE
from backoffice.bootstrap import house_on
from backoffice.settings import ApiSettings


def test_an_unknown_path_and_a_wrong_method_are_problem_documents(server: Server) -> None:
    problem(server.client.get("/v1/nothing"), 404, "not-found")
    problem(server.client.delete("/problems/refused"), 405, "method-not-allowed")


def test_a_path_names_the_methods_of_all_its_endpoints(server: Server) -> None:
    assert server.client.put("/v1/cases").headers["allow"] == "GET, POST"
    assert server.client.put("/v1/events").headers["allow"] == "GET"


def test_what_a_problem_means_can_be_looked_up(server: Server) -> None:
    told = server.client.get("/problems/refused").json()
    assert told == {"type": "/problems/refused", "title": "The house refuses this", "status": 409}
    problem(server.client.get("/problems/of-mine"), 404, "not-found")


def test_a_development_token_is_given_to_whoever_asks(server: Server) -> None:
    assert server.token("ann", "auditor").count(".") == 2
    asked = {"name": "ann", "roles": ["emperor"]}
    told = problem(server.client.post("/development/tokens", json=asked), 422, "invalid")
    assert told["errors"][0]["field"] == "roles.0"


def test_a_name_that_somebody_leads_to_this_machine_gets_no_token(server: Server) -> None:
    asked = {"name": "ann", "roles": ["administrator"]}
    foreign = server.client.post("/development/tokens", json=asked, headers={"Host": "evil.example"})
    assert foreign.status_code == 400


def test_development_mode_refuses_to_start_where_others_could_reach_it() -> None:
    for host in ("::", "192.0.2.1", "casino.example"):
        refused = backoffice("postgresql:///nowhere", "serve", "--development", "--host", host)
        assert refused.code == 2
        assert "only at a loopback address" in refused.err


def test_a_fault_and_a_lost_database_tell_nothing_of_the_inside(books: Engine) -> None:
    router = APIRouter()
    secrets = {
        "/fault": RuntimeError("inside /etc/secret"),
        "/lost": psycopg.OperationalError("host 10.0.0.5"),
    }
    for path, error in secrets.items():
        router.add_api_route(path, _raising(error))
    app = create_app(house_on(books), ApiSettings(), routers=[router])

    async def ask(path: str) -> httpx.Response:
        transport = httpx.ASGITransport(app, raise_app_exceptions=False)
        async with httpx.AsyncClient(transport=transport, base_url="http://127.0.0.1") as client:
            return await client.get(path)

    for path, status, name in (("/fault", 500, "internal"), ("/lost", 503, "unavailable")):
        answer = asyncio.run(ask(path))
        problem(answer, status, name)
        assert not [word for word in ("secret", "10.0.0.5", "Traceback", "Error") if word in answer.text]
        assert {name: answer.headers[name] for name in SAFE} == SAFE


def _raising(error: Exception) -> Callable[[], Awaitable[None]]:
    async def fail() -> None:
        raise error

    return fail
