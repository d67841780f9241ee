"""The database: how to reach it, how constraints are named, how to bring it up to date."""

from functools import cache
from pathlib import Path
from threading import Lock
from typing import Any

from alembic import command
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, Engine, MetaData, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(column_0_N_label)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s_%(referred_table_name)s",
        "pk": "pk_%(table_name)s",
    }
)


class NotMigrated(Exception):
    """The database is not at the step of the migrations that this program was written for; the message says what to do."""


# Alembic keeps what it is doing in a module: two threads at it would mix up their databases.
_ONE_UPGRADE = Lock()


def make_engine(
    url: str | URL,
    *,
    application_name: str = "backoffice",
    pool_size: int = 10,
    idle_in_transaction_seconds: float = 60,
    **options: Any,
) -> Engine:
    """An engine on a PostgreSQL database by URL; `options` go to SQLAlchemy's `create_engine`.

    A connection that died in the pool is found out before it is used. Every connection is in UTC, and one that
    sits idle inside a transaction is ended by the server: a process that was paused while it held the head's lock
    must not stop everybody else for ever.
    """
    engine = create_engine(
        psycopg_url(url),
        isolation_level="READ COMMITTED",
        pool_size=pool_size,
        pool_pre_ping=True,
        connect_args={"application_name": application_name},
        **options,
    )
    idle_timeout = f"{idle_in_transaction_seconds}s"

    @event.listens_for(engine, "connect")
    def settle(connection: Any, _record: object) -> None:
        connection.autocommit = True
        connection.execute(
            "select set_config('timezone', 'UTC', false),"
            " set_config('idle_in_transaction_session_timeout', %s, false)",
            [idle_timeout],
        )
        connection.autocommit = False

    return engine


def psycopg_url(url: str | URL) -> URL:
    """The same database through psycopg 3, also for a plain `postgresql://` URL."""
    parsed = make_url(url)
    if parsed.get_backend_name() not in {"postgres", "postgresql"}:
        raise ArgumentError(f"{parsed.drivername} is no PostgreSQL")
    if parsed.drivername in {"postgres", "postgresql"}:
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def migrations_config() -> Config:
    """Alembic's settings: the migrations lie beside this package, in a checkout as well as installed."""
    return Config(Path(__file__).parent.parent / "migrations" / "alembic.ini")


def upgrade(database: Engine | URL | str, revision: str = "head") -> None:
    """Run the migrations that are missing, in one transaction; whoever else is at it waits."""
    engine = database if isinstance(database, Engine) else make_engine(database)
    config = migrations_config()
    try:
        with _ONE_UPGRADE, engine.begin() as connection:
            config.attributes["connection"] = connection
            command.upgrade(config, revision)
    finally:
        if engine is not database:
            engine.dispose()


def refuse_unmigrated(engine: Engine) -> None:
    """Raises NotMigrated where steps are missing, or where the database has taken one that is not known here."""
    with engine.connect() as connection:
        check_migrated(connection)


def check_migrated(connection: Connection) -> None:
    """The same, over a connection."""
    head, steps = _known_steps()
    at = MigrationContext.configure(connection).get_current_revision()
    if at == head:
        return
    if at is None or at in steps:
        raise NotMigrated("this database is not migrated to this program: run `backoffice db upgrade`")
    raise NotMigrated(f"this database is of a newer program: its migrations are at {at}")


@cache
def _known_steps() -> tuple[str | None, frozenset[str]]:
    """The last step that this program knows, and all of them."""
    steps = ScriptDirectory.from_config(migrations_config())
    return steps.get_current_head(), frozenset(step.revision for step in steps.walk_revisions())
