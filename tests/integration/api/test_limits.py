"""What the API takes at most, and what every answer says to browsers, on a real server process."""

import socket
import time
from urllib.parse import urlsplit

import pytest
from api_server import Server, problem, serving
from command_line import url_of
from front_door import Engine

from backoffice.api.limits import SAFE


@pytest.mark.parametrize(
    "path", ["/health/live", "/v1/rounds", "/nowhere", "/problems/refused", "/openapi.json"]
)
def test_every_answer_is_safe_for_a_browser_and_kept_by_no_cache(server: Server, path: str) -> None:
    answer = server.client.get(path)
    assert {name: answer.headers[name] for name in SAFE} == SAFE
    assert answer.headers["Cache-Control"] == "no-store"
    assert "server" not in answer.headers


def test_no_web_page_of_another_origin_may_ask(server: Server) -> None:
    asked = {"Origin": "https://evil.example", "Access-Control-Request-Method": "POST"}
    assert not [
        name
        for name in server.client.options("/v1/actions", headers=asked).headers
        if "access-control" in name
    ]


def test_web_pages_of_named_origins_may_and_requests_have_a_rate(books: Engine) -> None:
    limits = {
        "CORS_ORIGINS": '["https://office.casino.example"]',
        "REQUESTS_A_SECOND": "2",
        "REQUESTS_AT_ONCE": "5",
        "BODY_SECONDS": "1",
    }
    named = {f"BACKOFFICE_API_{name}": value for name, value in limits.items()}
    with serving(url_of(books), **named) as server:
        _check_origins(server)
        _check_rate(server)
        _check_slow_body(server)


def _check_origins(server: Server) -> None:
    for origin, allowed in (("https://office.casino.example", True), ("https://evil.example", False)):
        asked = {"Origin": origin, "Access-Control-Request-Method": "POST"}
        answer = server.client.options("/v1/deposits", headers=asked)
        assert ("access-control-allow-origin" in answer.headers) is allowed


def _check_rate(server: Server) -> None:
    """Five at once, then two a second; another person has their own."""
    ann, bea = server.person("ann", "auditor"), server.person("bea", "auditor")
    answers = [ann.get("/v1/projections") for _ in range(8)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert [answer.status_code for answer in answers[:5]] == [200] * 5
    problem(refused[0], 429, "too-many-requests")
    assert bea.get("/v1/projections").status_code == 200
    time.sleep(int(refused[-1].headers["Retry-After"]))
    assert ann.get("/v1/projections").status_code == 200


def _check_slow_body(server: Server) -> None:
    token = server.token("slow", "table_feed")
    url = urlsplit(server.url)
    with socket.create_connection((str(url.hostname), int(url.port or 80))) as line:
        head = f"POST /v1/actions HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {token}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
        line.settimeout(10)
        assert line.recv(4096).startswith(b"HTTP/1.1 408 ")
