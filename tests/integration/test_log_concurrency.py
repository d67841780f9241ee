"""Many writers, a reader on their heels, and the tricks that make other stores skip, freeze or fork."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from datetime import UTC, datetime
from threading import Event

import psycopg
import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from uuid_utils.compat import uuid7

from backoffice.db import make_engine, psycopg_url
from backoffice.log.chain import genesis, verify
from backoffice.log.envelope import NewEvent, Recorded
from backoffice.log.errors import VersionConflict
from backoffice.log.news import News
from backoffice.log.postgres import PostgresLog

SEEDS = (1, 2)


def facts(stream: str, count: int, after: int = 0) -> list[NewEvent]:
    now = datetime.now(UTC)
    return [
        NewEvent(uuid7(), stream, version, "t", 1, now, "me", None, None, b'{"n":1}')
        for version in range(after + 1, after + count + 1)
    ]


@contextmanager
def open_write_transaction(url: str) -> Iterator[None]:
    """Somebody who took a transaction id long ago and does not come to an end."""
    plain = psycopg_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain) as connection:
        connection.execute("create table scratch (id int)")
        connection.execute("insert into scratch values (1)")
        yield
        connection.rollback()


class Hiccup(Exception):
    """A writer changed its mind."""


def perhaps_hiccup(dice: random.Random) -> None:
    if dice.random() < 0.15:
        raise Hiccup


def write(log: PostgresLog, dice: random.Random) -> list[Recorded]:
    """Some appends of very different size and length; what was committed."""
    committed: list[Recorded] = []
    streams = [f"{uuid7()}", "shared"]
    for _ in range(dice.randint(8, 12)):
        size = dice.choice([1, 1, 2, 3, 150])
        stream = dice.choice(streams)
        try:
            with log.writing() as writer:
                placed = writer.append(facts(stream, size, after=writer.versions([stream])[stream]))
                recorded = list(writer.read(placed.start - 1))
                if size > 100 or dice.random() < 0.2:
                    time.sleep(dice.random() * 0.01)
                perhaps_hiccup(dice)
        except Hiccup:
            continue
        committed += recorded
    return committed


def tail(log: PostgresLog, engine: Engine, done: Event) -> list[Recorded]:
    """Read to the end again and again until the writers are done and nothing is left."""
    delivered: list[Recorded] = []
    with News(engine.url) as news:
        while True:
            last_look = done.is_set()
            after = delivered[-1].position if delivered else 0
            page = list(log.read(after, batch=random.randint(1, 50)))  # noqa: S311
            delivered += page
            if page:
                continue
            if last_look:
                return delivered
            news.wait(0.05)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_reader_on_the_writers_heels_gets_everything_once_in_order(
    engine: Engine, empty_database_url: str, seed: int
) -> None:
    log, done = PostgresLog(engine), Event()
    with (
        open_write_transaction(empty_database_url),
        open_write_transaction(engine.url.render_as_string(hide_password=False)),
        ThreadPoolExecutor(7) as threads,
    ):
        reader = threads.submit(tail, log, engine, done)
        writers = [threads.submit(write, log, random.Random(seed * 100 + n)) for n in range(6)]  # noqa: S311
        committed = [event for writer in writers for event in writer.result()]
        done.set()
        delivered = reader.result(timeout=30)
    stored = list(log.read())
    assert delivered == stored
    assert sorted(committed, key=lambda event: event.position) == stored
    assert [event.position for event in stored] == list(range(1, len(stored) + 1))
    seen: dict[str, int] = {}
    for event in delivered:
        assert event.version == seen.get(event.stream, 0) + 1
        seen[event.stream] = event.version
    assert verify(stored, genesis(log.head().log_id), log.head()) is None


def test_two_writers_cannot_fork_the_chain(engine: Engine) -> None:
    log = PostgresLog(engine)
    outcomes: list[str] = []

    def race(_number: int) -> None:
        with log.writing() as writer:
            try:
                writer.append(facts("contested", 1))
            except VersionConflict:
                outcomes.append("conflict")
            else:
                outcomes.append("won")

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(race, range(8)))
    assert sorted(outcomes) == ["conflict"] * 7 + ["won"]
    assert verify(log.read(), genesis(log.head().log_id), log.head()) is None


def test_the_clock_is_asked_behind_the_lock(engine: Engine) -> None:
    log, waiting = PostgresLog(engine), Event()

    def second() -> datetime:
        waiting.set()
        with log.writing() as writer:
            return writer.now

    with ThreadPoolExecutor(1) as threads:
        with log.writing():
            later = threads.submit(second)
            waiting.wait()
            time.sleep(0.1)
            released = datetime.now(UTC)
            assert not later.done()
        assert later.result() > released


def test_a_writer_that_was_paused_is_put_out_and_the_others_go_on(engine: Engine) -> None:
    sleepy = make_engine(engine.url, idle_in_transaction_seconds=0.1)
    with pytest.raises(DBAPIError), PostgresLog(sleepy).writing() as paused:  # noqa: PT012
        paused.append(facts("a", 1))
        time.sleep(0.3)
        with PostgresLog(engine).writing() as other:
            assert other.append(facts("b", 1)) == range(1, 2)
        paused.connection.execute(text("select 1"))
    sleepy.dispose()
    assert [event.stream for event in PostgresLog(engine).read()] == ["b"]


def test_reading_holds_no_connection_between_pages(database_url: str) -> None:
    tiny = make_engine(database_url, pool_size=1, max_overflow=0, pool_timeout=1)
    log = PostgresLog(tiny)
    with log.writing() as writer:
        writer.append(facts("a", 5))
    readers = [log.read(batch=1) for _ in range(20)]
    assert [[next(reader).position for reader in readers] for _ in range(5)] == [
        [n] * 20 for n in (1, 2, 3, 4, 5)
    ]
    assert log.head().position == 5
    tiny.dispose()
