"""Zones, large numbers, large payloads: what changes around the log does not change what is in it."""

import time
from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine, create_engine, text
from uuid_utils.compat import uuid7

from backoffice.db import make_engine
from backoffice.log.chain import genesis, verify
from backoffice.log.envelope import Head, NewEvent
from backoffice.log.postgres import PostgresLog

NOON = datetime(2026, 3, 29, 12, 0, 0, 123_456, UTC)


def fact(stream: str, version: int, data: bytes = b'{"n":1}') -> NewEvent:
    return NewEvent(uuid7(), stream, version, "t", 1, NOON, "me", None, None, data)


@pytest.fixture
def tokyo(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setenv("TZ", "Asia/Tokyo")
    monkeypatch.setenv("PGTZ", "Asia/Tokyo")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_another_zone_changes_nothing(engine: Engine, tokyo: None) -> None:
    """Neither the process's zone, nor the database's, nor that of a connection made elsewhere."""
    with engine.begin() as connection:
        name = connection.scalar(text("select current_database()"))
        connection.execute(text(f"alter database {name} set timezone = 'America/St_Johns'"))
    engine.dispose()
    foreign = create_engine(engine.url)
    logs = [PostgresLog(engine), PostgresLog(foreign)]
    for version, log in enumerate(logs, 1):
        with log.writing() as writer:
            assert abs((writer.now - datetime.now(UTC)).total_seconds()) < 60
            writer.append([fact("a", version)])
    one, other = (list(log.read()) for log in logs)
    foreign.dispose()
    assert one == other
    assert [event.happened_at for event in one] == [NOON, NOON]
    assert {event.recorded_at.utcoffset() for event in one} == {NOON.utcoffset()}
    for events in (one, other):
        assert verify(events, genesis(logs[0].head().log_id), logs[0].head()) is None


def test_positions_and_versions_go_past_two_to_the_31(engine: Engine) -> None:
    log = PostgresLog(engine)
    far = Head(log.head().log_id, 2**31 + 5, bytes(32))
    with engine.begin() as connection:
        connection.execute(
            text("update log.head set position = :at, hash = :hash"), {"at": far.position, "hash": far.hash}
        )
        connection.execute(
            text(
                "insert into log.events values (:at, gen_random_uuid(), 'old', :at, 't', 1, now(), now(),"
                " 'me', null, null, '{}', :hash)"
            ),
            {"at": far.position, "hash": far.hash},
        )
    with log.writing() as writer:
        assert writer.versions(["old"]) == {"old": 2**31 + 5}
        assert writer.append([fact("old", 2**31 + 6), fact("new", 1)]) == range(2**31 + 6, 2**31 + 8)
    recorded = list(log.read(far.position, batch=1))
    assert [event.position for event in recorded] == [2**31 + 6, 2**31 + 7]
    assert list(log.read(far.position, upto=2**31 + 6)) == log.read_stream("old", 2**31 + 5) == recorded[:1]
    assert verify(log.read(far.position), far, log.head()) is None


def test_a_large_append_is_announced_by_a_small_payload(engine: Engine) -> None:
    log = PostgresLog(engine)
    events = [
        fact(f"stream-{number}-{'x' * 150}", 1, b'{"text":"' + b"x" * 2_000 + b'"}') for number in range(500)
    ]
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as listening:
        raw = listening.connection.driver_connection
        raw.execute("listen backoffice_log")
        with log.writing() as writer:
            writer.append(events)
        [announced] = raw.notifies(timeout=5, stop_after=1)
    assert announced.payload == "500"


def test_an_engine_is_utc_and_named(engine: Engine) -> None:
    named = make_engine(engine.url, application_name="cashier's desk")
    with named.connect() as connection:
        assert connection.scalar(text("show timezone")) == "UTC"
        assert connection.scalar(text("show application_name")) == "cashier's desk"
        assert connection.scalar(text("show transaction_isolation")) == "read committed"
    named.dispose()
