"""What the API takes at most, and what every answer says to browsers, on a real server process."""

import socket
import time
from urllib.parse import urlsplit

import pytest
from api_server import Server, problem, serving
from command_line import url_of
from front_door import Engine, a_handler, founding, rows, take, tallinn

from backoffice.api.limits import SAFE
from ops.disturbances.servers import Redis


@pytest.mark.parametrize(
    "path", ["/health/live", "/v1/rounds", "/nowhere", "/problems/refused", "/openapi.json"]
)
def test_every_answer_is_safe_for_a_browser_and_kept_by_no_cache(server: Server, path: str) -> None:
    answer = server.client.get(path)
    assert {name: answer.headers[name] for name in SAFE} == SAFE
    assert answer.headers["Cache-Control"] == "no-store"
    assert "server" not in answer.headers


def test_a_head_without_end_is_hung_up_on(server: Server) -> None:
    with _line(server) as line, pytest.raises(ConnectionError):
        _flood(line)


def _flood(line: socket.socket) -> None:
    """A hundred megabytes of headers."""
    line.sendall(b"GET /health/live HTTP/1.1\r\nHost: 127.0.0.1\r\n")
    for _ in range(10_000):
        line.sendall(b"X-More: " + b"x" * 10_000 + b"\r\n")


@pytest.mark.parametrize("path", ["/v1/actions", "/v1/deposits"])
def test_of_somebody_unknown_no_body_is_read(server: Server, path: str) -> None:
    with _line(server) as line:
        head = f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        line.sendall(f"{head}Idempotency-Key: x\r\nContent-Length: 1000000\r\n\r\n".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 401 ")


def test_a_large_body_that_comes_with_its_head_is_no_long_head(server: Server) -> None:
    floor = server.person("floor", "table_feed")
    body = b'{"id":"' + b"x" * 1_000_000 + b'"}'
    problem(
        floor.post("/v1/actions", content=body, headers={"Content-Type": "application/json"}), 422, "invalid"
    )


def test_behind_a_proxy_evidence_says_from_where_they_come(books: Engine) -> None:
    if not rows(books, "select from log.events limit 1"):
        take(a_handler(books), founding())
    for options, whence in (((), "127.0.0.1"), (("--proxy", "127.0.0.1"), "203.0.113.7")):
        with serving(url_of(books), "--development", *options) as server:
            cash = server.person("cass", "cashier")
            headers = {"Idempotency-Key": f"proxy-{whence}", "X-Forwarded-For": "203.0.113.7"}
            asked = {**tallinn("ann"), "amount": "1.00"}
            assert cash.post("/v1/deposits", json=asked, headers=headers).status_code == 200
        query = "select whence from intake.significant_events order by number desc limit 1"
        assert rows(books, query) == [(f"{whence} by token",)]


def _line(server: Server) -> socket.socket:
    url = urlsplit(server.url)
    line = socket.create_connection((str(url.hostname), int(url.port or 80)))
    line.settimeout(10)
    return line


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
        "REQUESTS_A_SECOND": "0.5",
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
    """Five at once, then one in two seconds; another person has their own."""
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
    with _line(server) as line:
        head = f"POST /v1/actions HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer {token}\r\n"
        line.sendall(f"{head}Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{{".encode())
        assert line.recv(4096).startswith(b"HTTP/1.1 408 ")


def test_servers_that_share_a_redis_count_requests_together(
    books: Engine, tmp_path_factory: pytest.TempPathFactory
) -> None:
    redis = Redis(tmp_path_factory.mktemp("redis"))
    redis.start()
    limits = {"BACKOFFICE_API_REQUESTS_A_SECOND": "0.1", "BACKOFFICE_API_REQUESTS_AT_ONCE": "5"}
    try:
        with (
            serving(url_of(books), BACKOFFICE_BROKER_URL=redis.url, **limits) as first,
            serving(url_of(books), BACKOFFICE_BROKER_URL=redis.url, **limits) as second,
        ):
            people = [server.person("ann", "auditor") for server in (first, second)]
            statuses = [who.get("/v1/projections").status_code for who in people for _ in range(5)]
    finally:
        redis.stop()
    assert statuses[:5] == [200] * 5
    assert statuses.count(200) <= 6
    assert set(statuses) == {200, 429}
