"""A house with the whole sample feed in it, made once for all reports that only read it."""

from collections.abc import Iterator
from uuid import uuid4

import psycopg
import pytest
from sqlalchemy import Engine

from backoffice.bootstrap import House, house_on
from backoffice.db import make_engine, psycopg_url


@pytest.fixture(scope="session")
def sample_house(postgres_url: str, template_database: str) -> Iterator[House]:
    """The example network with the sample feed, reactions carried out, read tables caught up. Nobody writes to it."""
    from feeding import Feeding  # noqa: PLC0415 - skips the test that asks, where there is no shared folder

    name = f"sample_{uuid4().hex}"
    url = psycopg_url(postgres_url)
    plain = url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name} template {template_database} strategy file_copy")
        made: Engine = make_engine(url.set(database=name))
        try:
            Feeding(made).take_all()
            house = house_on(made)
            house.projector().catch_up()
            yield house
        finally:
            made.dispose()
            connection.execute(f"drop database {name} with (force)")
