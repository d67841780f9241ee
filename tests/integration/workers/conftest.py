"""Brokers and worker processes of the tests' own, and a house on whose floor rounds are being played."""

import os
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import pytest
from celery import Celery
from evening_floor import Broker, Floor
from kombu.entity import Queue
from sqlalchemy import Engine, text

from backoffice.bootstrap import house_on
from backoffice.db import make_engine, psycopg_url
from ops.disturbances.crew import Crew
from ops.disturbances.servers import Redis
from workers.queues import QUEUES

AMQP = os.environ.get("BACKOFFICE_TEST_AMQP_URL")


@pytest.fixture(scope="session")
def redis_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    server = Redis(tmp_path_factory.mktemp("redis"))
    server.start()
    yield server
    server.stop()


@pytest.fixture
def redis(redis_server: Redis) -> Redis:
    redis_server.flush()
    return redis_server


@pytest.fixture(params=["redis", *(["amqp"] if AMQP else [])])
def broker_url(request: pytest.FixtureRequest) -> Iterator[str]:
    """Redis, and RabbitMQ as well where BACKOFFICE_TEST_AMQP_URL names one; empty in any case."""
    if request.param == "redis":
        yield request.getfixturevalue("redis").url
        return
    assert AMQP is not None
    forget_tasks(AMQP)
    yield AMQP
    forget_tasks(AMQP)


def forget_tasks(url: str) -> None:
    """The queues stay: whoever has declared one in this process relies on it."""
    with Celery(broker=url).connection_for_write() as connection, connection.channel() as channel:
        for name in QUEUES:
            queue = Queue(name)(channel)
            queue.declare()
            queue.purge()


@pytest.fixture
def broker(broker_url: str) -> Iterator[Broker]:
    made = Broker(broker_url)
    yield made
    made.app.close()


@pytest.fixture
def crew(tmp_path: Path, database_url: str, broker_url: str) -> Iterator[Crew]:
    made = Crew(tmp_path, database_url=database_url, broker_url=broker_url, SILENT_SECONDS="3")
    yield made
    made.dismiss()


@pytest.fixture
def floor(engine: Engine) -> Floor:
    """Reactions are left to workers."""
    return Floor(house_on(engine, reacts=False))


@pytest.fixture
def quiet_floor(postgres_url: str, template_database: str) -> Iterator[Floor]:
    """The same evening in another house, where reactions are carried out at once."""
    name = f"quiet_{uuid4().hex}"
    server = make_engine(postgres_url).execution_options(isolation_level="AUTOCOMMIT")
    engine = make_engine(psycopg_url(postgres_url).set(database=name))
    with server.connect() as connection:
        connection.execute(text(f"create database {name} template {template_database} strategy file_copy"))
        yield Floor(house_on(engine))
        engine.dispose()
        connection.execute(text(f"drop database {name} with (force)"))
    server.dispose()
