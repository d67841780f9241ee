"""A migrated database for several tests that only read what one of them put there."""

from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from sqlalchemy import Engine, text

from backoffice.db import make_engine


@contextmanager
def database(postgres_url: str, template: str) -> Iterator[Engine]:
    """A fresh one, made like `template` and dropped behind it."""
    server = make_engine(postgres_url).execution_options(isolation_level="AUTOCOMMIT")
    name = f"test_{uuid4().hex}"
    _execute(server, f"create database {name} template {template} strategy file_copy")
    engine = make_engine(server.url.set(database=name))
    try:
        yield engine
    finally:
        engine.dispose()
        _execute(server, f"drop database {name} with (force)")
        server.dispose()


def _execute(server: Engine, statement: str) -> None:
    with server.connect() as connection:
        connection.execute(text(statement))
