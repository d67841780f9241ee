"""More than one database for a test: what was interrupted here is compared with what was not interrupted there."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import Engine

from backoffice.db import make_engine, psycopg_url


@pytest.fixture
def fresh_engine(postgres_url: str, template_database: str) -> Iterator[Callable[[], Engine]]:
    """Makes an engine on a fresh migrated database each time it is called; all are dropped after the test."""
    with ExitStack() as stack:
        yield lambda: stack.enter_context(_database(postgres_url, template_database))


@contextmanager
def _database(server: str, template: str) -> Iterator[Engine]:
    name = f"test_{uuid4().hex}"
    plain = psycopg_url(server).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template} strategy file_copy")
        engine = make_engine(psycopg_url(server).set(database=name))
        yield engine
        engine.dispose()
        connection.execute(f"drop database {name} with (force)")
