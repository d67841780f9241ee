"""A licensed house: the example network with all that authorities want to know, and the sample feed in it."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import Engine

from backoffice.db import make_engine, psycopg_url


@pytest.fixture(scope="package")
def licensed_template(postgres_url: str, template_database: str) -> Iterator[str]:
    """The name of a database with the licensed network and the sample feed; nobody is connected to it."""
    from feeding import Feeding  # noqa: PLC0415 - skips the test that asks, where there is no shared folder
    from filing import license_all  # noqa: PLC0415 - as above

    name = f"licensed_{uuid4().hex}"
    url = psycopg_url(postgres_url)
    with _connected(postgres_url) as connection:
        connection.execute(f"create database {name} template {template_database} strategy file_copy")
        made = make_engine(url.set(database=name))
        Feeding(made).take_all()
        license_all(made)
        made.dispose()
        yield name
        connection.execute(f"drop database {name} with (force)")


@pytest.fixture
def licensed(postgres_url: str, licensed_template: str) -> Iterator[Engine]:
    """A copy of it for one test, which may add to its log."""
    name = f"licensed_{uuid4().hex}"
    with _connected(postgres_url) as connection:
        connection.execute(f"create database {name} template {licensed_template} strategy file_copy")
        made = make_engine(psycopg_url(postgres_url).set(database=name))
        yield made
        made.dispose()
        connection.execute(f"drop database {name} with (force)")


def _connected(url: str) -> "psycopg.Connection[tuple[object, ...]]":
    plain = psycopg_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    return psycopg.connect(plain, autocommit=True)
