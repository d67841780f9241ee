"""A PostgreSQL of the tests' own, and a fresh migrated database for every test that asks for one."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import Engine

from backoffice.db import make_engine, psycopg_url, upgrade
from backoffice.embedded import running

# Nothing a test writes need outlive the machine's next power cut.
QUICK = ("fsync = off", "synchronous_commit = off", "full_page_writes = off", "max_wal_size = '4GB'")


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A server: BACKOFFICE_TEST_DATABASE_URL if set, or one started for this run and thrown away after it."""
    given = os.environ.get("BACKOFFICE_TEST_DATABASE_URL")
    if given:
        yield given
        return
    # Not in pytest's own temporary folder: a second pytest takes away the rights on it that the server needs.
    with TemporaryDirectory(prefix="backoffice-") as folder, running(Path(folder) / "data") as url:
        with psycopg.connect(_plain(url), autocommit=True) as connection:
            for setting in QUICK:
                connection.execute(f"alter system set {setting}")
            connection.execute("select pg_reload_conf()")
        yield url


@pytest.fixture(scope="session")
def template_database(postgres_url: str) -> Iterator[str]:
    """The name of a migrated database that nobody is connected to, so it can be copied."""
    name = f"template_{uuid4().hex}"
    _execute(postgres_url, f"create database {name}")
    upgrade(_named(postgres_url, name))
    yield name
    _execute(postgres_url, f"drop database {name} with (force)")


@pytest.fixture
def database_url(postgres_url: str, template_database: str) -> Iterator[str]:
    """A fresh migrated database, dropped after the test."""
    name = f"test_{uuid4().hex}"
    _execute(postgres_url, f"create database {name} template {template_database} strategy file_copy")
    yield _named(postgres_url, name)
    _execute(postgres_url, f"drop database {name} with (force)")


@pytest.fixture
def empty_database_url(postgres_url: str) -> Iterator[str]:
    """A fresh database that was never migrated, dropped after the test."""
    name = f"test_{uuid4().hex}"
    _execute(postgres_url, f"create database {name}")
    yield _named(postgres_url, name)
    _execute(postgres_url, f"drop database {name} with (force)")


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """An engine on the fresh database, closed after the test."""
    made = make_engine(database_url)
    yield made
    made.dispose()


def _named(url: str, database: str) -> str:
    return psycopg_url(url).set(database=database).render_as_string(hide_password=False)


def _plain(url: str) -> str:
    """The URL as libpq understands it."""
    return psycopg_url(url).set(drivername="postgresql").render_as_string(hide_password=False)


def _execute(url: str, statement: str) -> None:
    with psycopg.connect(_plain(url), autocommit=True) as connection:
        connection.execute(statement)
