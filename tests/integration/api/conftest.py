"""One server for all tests of a module, on a database of its own with the example network in it."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import httpx
import psycopg
import pytest
from api_server import Server, serving
from command_line import url_of
from front_door import a_handler, founding, take
from sqlalchemy import Engine

from backoffice.db import make_engine, psycopg_url


@pytest.fixture(scope="module")
def books(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """A module's own database."""
    with a_database(postgres_url, template_database) as engine:
        yield engine


@pytest.fixture(scope="module")
def server(books: Engine) -> Iterator[Server]:
    """A server in development mode on it."""
    take(a_handler(books), founding())
    with serving(url_of(books)) as running:
        yield running


@pytest.fixture(scope="module")
def auditor(server: Server) -> httpx.Client:
    """Somebody who sees everything, on whichever server the module has."""
    return server.person("otto", "auditor")


@pytest.fixture(scope="module")
def of_tallinn(server: Server) -> httpx.Client:
    """Somebody who sees one casino."""
    return server.person("tiina", "auditor", casinos=["tallinn"])


@contextmanager
def a_database(postgres_url: str, template_database: str) -> Iterator[Engine]:
    """A fresh migrated database, dropped at the end."""
    name = f"test_{uuid4().hex}"
    plain = psycopg_url(postgres_url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template_database} strategy file_copy")
        engine = make_engine(psycopg_url(postgres_url).set(database=name))
        yield engine
        engine.dispose()
        connection.execute(f"drop database {name} with (force)")
