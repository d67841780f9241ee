"""`backoffice serve` in a process of its own, and those who ask it: for tests on a real server."""

import re
import signal
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from threading import Thread
from typing import Any

import httpx
import uvicorn
from command_line import begun
from sqlalchemy import Engine

from backoffice.api.application import create_app
from backoffice.bootstrap import house_on
from backoffice.settings import ApiSettings

ALL = "*"
KEY_REFRESH_SECONDS = 0.1


class Server:
    """A running server; `client` asks as nobody, `person` and so on give clients that are somebody."""

    def __init__(self, process: "subprocess.Popen[str]", url: str) -> None:
        self.process = process
        self.url = url
        self._clients = ExitStack()
        self.client = self.asking()

    def asking(self, **headers: str) -> httpx.Client:
        """A client that sends these headers; closed with the server."""
        client = httpx.Client(base_url=self.url, headers=headers, timeout=30)
        return self._clients.enter_context(client)

    def token(self, name: str, *roles: str, casinos: Sequence[str] = (ALL,)) -> str:
        """A development token."""
        asked = {"name": name, "roles": list(roles), "casinos": list(casinos)}
        answer = self.client.post("/development/tokens", json=asked)
        answer.raise_for_status()
        return str(answer.json()["token"])

    def person(self, name: str, *roles: str, casinos: Sequence[str] = (ALL,)) -> httpx.Client:
        """A client that is a person with these roles at these casinos."""
        return self.asking(Authorization=f"Bearer {self.token(name, *roles, casinos=casinos)}")

    def terminate(self) -> None:
        """Ask it to end, as an init system does."""
        self.process.send_signal(signal.SIGTERM)

    def close(self) -> None:
        """Close all clients."""
        self._clients.close()


@contextmanager
def serving(database: str, *options: str, **surroundings: str) -> Iterator[Server]:
    """A server on a database and a free port; in development mode unless `options` say otherwise. Killed at the end."""
    surroundings = {"BACKOFFICE_API_KEY_REFRESH_SECONDS": str(KEY_REFRESH_SECONDS), **surroundings}
    process = begun(database, "serve", "--port", "0", *(options or ("--development",)), **surroundings)
    try:
        with closing(Server(process, _address(process))) as server:
            yield server
    finally:
        process.kill()
        process.communicate()


def _address(process: "subprocess.Popen[str]") -> str:
    assert process.stderr is not None
    said = ""
    for line in process.stderr:
        said += line
        if found := re.search(r"serving at (http://\S+)", line):
            return found[1]
    raise AssertionError(f"the server did not start: {said}")


def problem(answer: httpx.Response, status: int, name: str) -> dict[str, Any]:
    """The problem document of an answer, which must be of this status and type."""
    assert answer.status_code == status, answer.text
    assert answer.headers["content-type"] == "application/problem+json"
    document: dict[str, Any] = answer.json()
    assert document["type"] == f"/problems/{name}", document
    assert document["detail"]
    return document


@contextmanager
def inside(engine: Engine, *, reacts: bool = True) -> Iterator[httpx.Client]:
    """A client of a server in a thread of this process, to lay hands on what is inside."""
    app = create_app(house_on(engine, reacts=reacts), ApiSettings(development=True))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_config=None, timeout_graceful_shutdown=5))
    with server.config.bind_socket() as listening:
        listening.listen()  # who asks before the server is there waits, and is not turned away
        thread = Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        host, port = listening.getsockname()
        try:
            with httpx.Client(base_url=f"http://{host}:{port}", timeout=30) as client:
                yield client
        finally:
            server.should_exit = True
            thread.join()
