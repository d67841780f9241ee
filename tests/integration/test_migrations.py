"""Every step from nothing to now; none of them touches what was recorded."""

import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine, text
from uuid_utils.compat import uuid7

from backoffice.db import make_engine, metadata, migrations_config, upgrade
from backoffice.log import tables
from backoffice.log.chain import genesis
from backoffice.log.envelope import NewEvent
from backoffice.log.postgres import PostgresLog

SCRIPTS = ScriptDirectory.from_config(migrations_config())
STEPS = list(reversed(list(SCRIPTS.walk_revisions())))
CHANGES = re.compile(
    r"\b(alter\s+table|drop\s+table|update|delete\s+from|truncate(\s+table)?|insert\s+into|copy"
    r"|(trigger|rule|index)\s[^;]*\bon)\s+((if\s+exists|only)\s+)*log\.(events|head)\b"
    r"|\bdrop\s+schema\s+(if\s+exists\s+)?log\b",
    re.IGNORECASE,
)
REMAINS = (
    "select pg_relation_filenode('log.events'), pg_relation_filenode('log.head')",
    """
    select attname, atttypid, attnotnull, attnum from pg_attribute
    where attrelid = 'log.events'::regclass order by attnum
    """,
    "select tgname, tgenabled, tgtype from pg_trigger where tgrelid = 'log.events'::regclass order by tgname",
    "select ctid, xmin, * from log.events order by position",
)


@pytest.fixture
def empty_engine(empty_database_url: str) -> Any:
    engine = make_engine(empty_database_url)
    yield engine
    engine.dispose()


def test_there_is_one_line_of_steps() -> None:
    assert STEPS[0].down_revision is None
    assert [step.down_revision for step in STEPS[1:]] == [step.revision for step in STEPS[:-1]]


def test_steps_are_named_by_date_and_deed() -> None:
    for step in STEPS:
        assert re.fullmatch(r"\d{4}_\d\d_\d\d_\d{4}_[a-z]+(_[a-z]+)+", Path(step.path).stem), step.path


def test_a_fresh_log_is_at_its_genesis(empty_engine: Engine) -> None:
    upgrade(empty_engine)
    head = PostgresLog(empty_engine).head()
    assert head == genesis(head.log_id)


def test_an_upgrade_can_be_run_again_and_by_url(empty_database_url: str, empty_engine: Engine) -> None:
    upgrade(empty_database_url)
    log_id = PostgresLog(empty_engine).head().log_id
    upgrade(empty_engine)
    assert PostgresLog(empty_engine).head().log_id == log_id


def test_processes_that_start_together_upgrade_once(empty_engine: Engine) -> None:
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(lambda _: upgrade(empty_engine), range(4)))
    assert PostgresLog(empty_engine).head().position == 0


def test_an_upgrade_works_from_any_folder(empty_database_url: str, tmp_path: Path) -> None:
    """As it must from an installed package: nothing is looked up in the folder one happens to be in."""
    program = f"from backoffice.db import upgrade; upgrade({empty_database_url!r})"
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, check=True)


def test_the_tables_are_what_the_program_says(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_schemas": True})
        differences = compare_metadata(context, metadata)
    mine = [difference for difference in differences if tables.SCHEMA in repr(difference)]
    assert mine == []


def test_the_data_column_is_json_and_comes_back_as_text(engine: Engine) -> None:
    spaced = b'{"b": 1,  "a":2}'
    with PostgresLog(engine).writing() as writer:
        writer.append([NewEvent(uuid7(), "a", 1, "t", 1, datetime.now(UTC), "me", None, None, spaced)])
    with engine.connect() as connection:
        assert connection.scalar(text("select pg_typeof(data)::text from log.events")) == "json"
        assert (
            connection.scalar(tables.events.select().with_only_columns(tables.events.c.data))
            == spaced.decode()
        )


def test_no_step_after_the_first_mentions_a_change_of_the_log() -> None:
    for step in STEPS[1:]:
        source = " ".join(Path(step.path).read_text().split())
        assert not CHANGES.search(source), step.path
        assert 'schema="log"' not in source, step.path


@pytest.mark.parametrize(
    "source",
    [
        "alter table log.events alter column data type jsonb",
        "ALTER TABLE  log.events add column x int",
        "drop table if exists log.events",
        "update log.events set actor = ''",
        "truncate log.head",
        "drop trigger append_only on log.events",
        "create rule quiet as on update to log.events do nothing; create index i on log.events (type)",
        "drop schema log cascade",
    ],
)
def test_the_search_for_changes_finds_them(source: str) -> None:
    assert CHANGES.search(source)


def test_reading_the_log_is_no_change() -> None:
    assert not CHANGES.search("insert into read.balances select * from log.events; update x set y = 1")


def test_what_was_recorded_lives_through_every_later_step(empty_engine: Engine) -> None:
    upgrade(empty_engine, STEPS[0].revision)
    log = PostgresLog(empty_engine)
    with log.writing() as writer:
        writer.append(
            [
                NewEvent(uuid7(), "a", n, "t", 1, datetime.now(UTC), "me", None, None, b"{ }")
                for n in (1, 2, 3)
            ]
        )
    before = remains(empty_engine), list(log.read()), log.head()
    upgrade(empty_engine)
    assert (remains(empty_engine), list(log.read()), log.head()) == before


def remains(engine: Engine) -> list[Any]:
    """Everything that a rewrite of the table, a new column, or a lost trigger would change."""
    with engine.connect() as connection:
        return [connection.execute(text(question)).all() for question in REMAINS]
