"""The connection dies before or after the commit: the writer can find out which it was."""

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Thread
from typing import Literal

import psycopg
import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from uuid_utils.compat import uuid7

from backoffice.db import make_engine
from backoffice.log.envelope import NewEvent
from backoffice.log.errors import AlreadyAppended
from backoffice.log.postgres import PostgresLog


def facts(stream: str, count: int) -> list[NewEvent]:
    now = datetime.now(UTC)
    return [
        NewEvent(uuid7(), stream, version, "t", 1, now, "me", None, None, b'{"n":1}')
        for version in range(1, count + 1)
    ]


class CuttingProxy:
    """Stands between one client and the server and hangs up around the COMMIT."""

    def __init__(self, engine: Engine, cut: Literal["before", "after"]) -> None:
        self.cut = cut
        self.listening = socket.create_server(("127.0.0.1", 0))
        self.server = _connect(engine)
        self.thread = Thread(target=self._run)

    @property
    def port(self) -> int:
        return int(self.listening.getsockname()[1])

    def _run(self) -> None:
        client, _ = self.listening.accept()
        with client, self.server:
            back = Thread(target=_pump, args=(self.server, client))
            back.start()
            while data := client.recv(1 << 16):
                if b"COMMIT\0" not in data:
                    self.server.sendall(data)
                    continue
                client.shutdown(socket.SHUT_RDWR)
                if self.cut == "after":
                    self.server.sendall(data)
                break
            self.server.shutdown(socket.SHUT_WR)
            back.join()


def _pump(source: socket.socket, target: socket.socket) -> None:
    while data := source.recv(1 << 16):
        try:
            target.sendall(data)
        except OSError:
            continue


def _connect(engine: Engine) -> socket.socket:
    with engine.connect() as connection:
        raw = connection.connection.driver_connection
        assert isinstance(raw, psycopg.Connection)
        host, port = raw.info.host, raw.info.port
    if host.startswith("/"):
        server = socket.socket(socket.AF_UNIX)
        server.connect(f"{host}/.s.PGSQL.{port}")
        return server
    return socket.create_connection((host, port))


@contextmanager
def cut_engine(engine: Engine, cut: Literal["before", "after"]) -> Iterator[Engine]:
    proxy = CuttingProxy(engine, cut)
    query = {"sslmode": "disable", "gssencmode": "disable"}
    url = engine.url.set(host="127.0.0.1", port=proxy.port, query=query)
    through = make_engine(url)
    proxy.thread.start()
    try:
        yield through
    finally:
        through.dispose()
        proxy.thread.join(timeout=10)
        proxy.listening.close()


@pytest.mark.parametrize("cut", ["before", "after"])
def test_an_append_whose_answer_was_lost_can_be_tried_again(
    engine: Engine, cut: Literal["before", "after"]
) -> None:
    log = PostgresLog(engine)
    with log.writing() as writer:
        writer.append(facts("other", 2))
    events = facts("a", 3)
    with (
        cut_engine(engine, cut) as through,
        pytest.raises(DBAPIError),
        PostgresLog(through).writing() as writer,
    ):
        writer.append(events)
    with log.writing() as writer:
        try:
            positions = list(writer.append(events))
            told = "appended now"
        except AlreadyAppended as already:
            positions = [event.position for event in already.recorded]
            told = "already appended"
    assert told == {"before": "appended now", "after": "already appended"}[cut]
    assert positions == [3, 4, 5]
    assert [event.event_id for event in log.read_stream("a")] == [event.event_id for event in events]
    assert log.head().position == 5


def test_what_an_append_reports_is_what_is_stored(engine: Engine) -> None:
    """A row that the server leaves out without a word is not reported as a success."""
    with engine.begin() as connection:
        connection.execute(
            text(
                "create function swallow() returns trigger language plpgsql as"
                " $$ begin if new.version = 2 then return null; end if; return new; end $$"
            )
        )
        connection.execute(
            text("create trigger swallow before insert on log.events for each row execute function swallow()")
        )
    log = PostgresLog(engine)
    with pytest.raises(RuntimeError, match="2 of 3 events were stored"), log.writing() as writer:
        writer.append(facts("a", 3))
    assert list(log.read()) == []
    assert log.head().position == 0
