"""The HTTP API under 64 connections: single actions, in shared commits and one commit a request; and where the time goes."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from urllib.parse import urlsplit
from urllib.request import Request as HttpRequest
from urllib.request import urlopen

import psutil

from backoffice.app.asking import request_of
from backoffice.app.key_secrets import new_secret, shown_key
from backoffice.app.requests import Visit
from backoffice.bootstrap import House
from backoffice.domain.access.commands import CreateKey
from backoffice.domain.staff import Person, Role
from ops.speed.databases import empty_house
from ops.speed.house import begin_rounds

CONNECTIONS = 64


@dataclass(frozen=True, slots=True)
class Called:
    """What a crowd of callers got, and what it cost."""

    requests_a_second: float
    p50_ms: float
    p99_ms: float
    requests_a_commit: float
    committing: float
    """The part of the time in which a commit was being decided or made durable."""
    server_ms: float
    """The server's own processor time for a request, commits and all."""

    def __str__(self) -> str:
        return (
            f"{self.requests_a_second:>8,.0f} requests/s   p50 {self.p50_ms:>6.1f} ms   p99 {self.p99_ms:>6.1f} ms   "
            f"{self.requests_a_commit:>5.1f} requests a commit, committing {self.committing:>4.0%} of the time, "
            f"{self.server_ms:.2f} ms of the server's processor a request"
        )


def calling(server: str, seconds: float, *, shared: bool) -> Called:
    """Single actions over HTTP, each waited for until it is durable; `shared`: with group commit, else without."""
    with empty_house(server) as house:
        key = _key(house)
        begin_rounds(house, [f"r-{number}" for number in range(CONNECTIONS)])
        url = house.engine.url.render_as_string(hide_password=False)
        with _serving(url, commit_most=4000 if shared else 1) as (process, port):
            _crowd(port, key, 1)  # to warm up
            before = _spent(process, port)
            took = sorted(_crowd(port, key, seconds))
            after = _spent(process, port)
    cpu, commits, requests, committing = (one - other for one, other in zip(after, before, strict=True))
    return Called(
        requests_a_second=len(took) / seconds,
        p50_ms=took[len(took) // 2] * 1000,
        p99_ms=took[len(took) * 99 // 100] * 1000,
        requests_a_commit=requests / commits,
        committing=committing / seconds,
        server_ms=cpu / len(took) * 1000,
    )


def _key(house: House) -> str:
    secret, digest = new_secret()
    asked = {
        "key": "bench",
        "sender": "bench",
        "roles": (Role.TABLE_FEED,),
        "casinos": (),
        "digest": digest,
    }
    by = Person("bench", Role.ADMINISTRATOR)
    now = datetime.now(UTC)
    with house.group_commit() as group:
        visit = Visit("ops/bench")
        group.handle(request_of(CreateKey, by, asked, name="key", at=now, sender="ops", visit=visit))
    return shown_key("bench", secret)


@contextmanager
def _serving(url: str, commit_most: int) -> Iterator[tuple[psutil.Process, int]]:
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            "from backoffice.cli.main import main; main()",
            "serve",
            "--port",
            "0",
            "--development",
        ],
        env={
            **os.environ,
            "BACKOFFICE_DATABASE_URL": url,
            "BACKOFFICE_API_COMMIT_MOST": str(commit_most),
            "BACKOFFICE_API_REQUESTS_A_SECOND": "1000000",
            "BACKOFFICE_API_REQUESTS_AT_ONCE": "1000000",
        },
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert process.stderr is not None
        address = process.stderr.readline().split()[-1]  # serving at http://...
        yield psutil.Process(process.pid), int(urlsplit(address).port or 0)
    finally:
        process.terminate()
        process.communicate()


def _crowd(port: int, key: str, seconds: float) -> list[float]:
    asked = [str(port), key, str(CONNECTIONS), str(seconds)]
    done = subprocess.run(
        [sys.executable, "-m", "ops.speed.callers", *asked], stdout=subprocess.PIPE, check=True, text=True
    )
    took: list[float] = json.loads(done.stdout)
    return took


def _spent(process: psutil.Process, port: int) -> tuple[float, float, float, float]:
    """The server's processor seconds so far, and its commits, the requests in them, and their seconds."""
    cpu = process.cpu_times()
    shown = _get(port, "/metrics", {"Authorization": f"Bearer {_token(port)}"})
    names = ("requests_count", "requests_sum", "seconds_sum")
    found = (re.search(rf"^backoffice_commit_{name} (\S+)$", shown, re.MULTILINE) for name in names)
    commits, requests, seconds = (float(one[1]) if one else 0.0 for one in found)
    return cpu.user + cpu.system, commits, requests, seconds


def _token(port: int) -> str:
    asked = json.dumps({"name": "bench", "roles": ["administrator"]}).encode()
    told = _get(port, "/development/tokens", {"Content-Type": "application/json"}, asked)
    return str(json.loads(told)["token"])


def _get(port: int, path: str, headers: dict[str, str], body: bytes | None = None) -> str:
    with urlopen(HttpRequest(f"http://127.0.0.1:{port}{path}", body, headers)) as answer:
        text: str = answer.read().decode()
        return text
