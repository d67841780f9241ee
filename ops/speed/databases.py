"""Databases for one measurement each, on one server."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

import psycopg
from sqlalchemy import URL

from backoffice.bootstrap import House, house_on
from backoffice.db import make_engine, psycopg_url, upgrade


@contextmanager
def empty_database(server: str) -> Iterator[URL]:
    """A database with nothing in it, dropped afterwards."""
    name = f"bench_{uuid4().hex}"
    with connected(psycopg_url(server)) as connection:
        connection.execute(f"create database {name}")
        yield psycopg_url(server).set(database=name)
        connection.execute(f"drop database {name} with (force)")


@contextmanager
def empty_house(server: str) -> Iterator[House]:
    """A house in a database of its own."""
    with empty_database(server) as url:
        engine = make_engine(url, pool_size=4)
        upgrade(engine)
        yield house_on(engine)
        engine.dispose()


@contextmanager
def connected(url: URL) -> Iterator[psycopg.Connection]:
    """A plain connection that commits by itself."""
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        yield connection
