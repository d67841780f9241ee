import time
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime

import psycopg
import pytest
from sqlalchemy import Engine, text
from uuid_utils.compat import uuid7

from backoffice.log.envelope import NewEvent
from backoffice.log.news import News
from backoffice.log.postgres import PostgresLog


def append(engine: Engine, version: int = 1) -> None:
    with PostgresLog(engine).writing() as writer:
        writer.append([NewEvent(uuid7(), "a", version, "t", 1, datetime.now(UTC), "me", None, None, b"{}")])


def test_an_append_ends_the_wait(engine: Engine) -> None:
    with News(engine.url) as news, ThreadPoolExecutor(1) as threads:
        began = time.monotonic()
        waiting = threads.submit(news.wait, 20)
        append(engine)
        waiting.result()
        assert time.monotonic() - began < 5


def test_what_was_appended_before_the_wait_ends_it_too(engine: Engine) -> None:
    with News(engine.url) as news:
        append(engine)
        began = time.monotonic()
        news.wait(20)
        assert time.monotonic() - began < 5


def test_without_news_the_wait_ends_all_the_same(engine: Engine) -> None:
    with News(engine.url) as news:
        began = time.monotonic()
        news.wait(0.05)
        assert 0.04 < time.monotonic() - began < 5


def test_a_dead_connection_costs_one_wait_and_is_replaced(engine: Engine) -> None:
    with News(engine.url) as news:
        kill_listeners(engine)
        began = time.monotonic()
        news.wait(20)
        news.wait(20)
        assert time.monotonic() - began < 5
        append(engine)
        news.wait(20)
        assert time.monotonic() - began < 5


def test_a_database_that_is_gone_is_an_error_and_no_endless_sleep(engine: Engine) -> None:
    with News(engine.url.set(database="postgres")) as news:
        news.close()
        news._url = news._url.replace("/postgres", "/nowhere", 1)
        with pytest.raises(psycopg.OperationalError):
            news.wait(20)


def kill_listeners(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.execute(
            text(
                "select pg_terminate_backend(pid) from pg_stat_activity"
                " where application_name = 'backoffice_log' and datname = current_database()"
            )
        )
