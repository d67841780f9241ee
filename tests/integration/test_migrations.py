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


def test_cases_are_drawn_anew_and_what_was_never_taken_back_stays(empty_engine: Engine) -> None:
    upgrade(empty_engine, "2026_11_29_2130")
    old = (
        """
        insert into read.cases
            (case_id, kind, state, round, seat, casino, player, currency, opened_at, position)
        values ('r/1', 'dispute', 'open', 'r', '1', 'c', 'p', 'EUR', now(), 9)
        """,
        """
        insert into read.round_lines
        values ('r', '1', 'ante', 7, now(), 'c', 'p', 'EUR', 100, 'win', 1, 200, '', 0, 0, 'house')
        """,
        """
        insert into read.jackpot_shares
        values (8, '1', 'royal', 1, 100, 'r', 'c', 'p', 'EUR', 'EUR', 5, '1', 5, now())
        """,
        "insert into read.versions values ('cases', 1), ('round-lines', 1), ('jackpot-shares', 1)",
        "insert into log.checkpoints select 'projection/cases', log_id, 0, hash from log.head",
    )
    with empty_engine.begin() as connection:
        for step in old:
            connection.execute(text(step))
    upgrade(empty_engine)
    with empty_engine.connect() as connection:
        assert connection.scalar(text("select count(*) from read.cases")) == 0
        assert connection.scalar(text("select count(*) from log.checkpoints")) == 0
        lines = connection.execute(text("select position, number, replaced_at from read.round_lines")).all()
        shares = connection.execute(text("select position, number, reversed_at from read.jackpot_shares"))
        assert (lines, shares.all()) == ([(7, 1, None)], [(8, 1, None)])
        versions = connection.execute(text("select projection, version from read.versions where version = 2"))
        assert {name for name, _ in versions} == {"round-lines", "jackpot-shares"}
