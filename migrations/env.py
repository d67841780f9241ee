"""Alembic's way in.

`backoffice.db.upgrade` hands over a connection; the alembic command asks for BACKOFFICE_DATABASE_URL.
"""

import os
import pkgutil
from importlib import import_module

from alembic import context
from sqlalchemy import Connection, text

import backoffice
from backoffice.db import make_engine, metadata

# Any number will do, as long as nobody else in this database locks it.
UPGRADE_LOCK = 7_241_995_302


def know_all_tables() -> None:
    for module in pkgutil.walk_packages(backoffice.__path__, "backoffice."):
        if module.name.rpartition(".")[2] == "tables":
            import_module(module.name)


def run(connection: Connection) -> None:
    connection.execute(text("select pg_advisory_xact_lock(:lock)"), {"lock": UPGRADE_LOCK})
    context.configure(connection=connection, target_metadata=metadata, include_schemas=True)
    with context.begin_transaction():
        context.run_migrations()


def main() -> None:
    know_all_tables()
    handed_over = context.config.attributes.get("connection")
    if handed_over is not None:
        return run(handed_over)
    engine = make_engine(os.environ["BACKOFFICE_DATABASE_URL"])
    with engine.begin() as connection:
        run(connection)
    return engine.dispose()


main()
