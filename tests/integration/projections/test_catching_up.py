"""Every event counts once, whoever is at it, whatever dies, and never a wrong log."""

import os
import random
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from feeding import Feeding
from sqlalchemy import Engine, func, select, text
from sqlalchemy.exc import DBAPIError

from backoffice.bootstrap import CODEC
from backoffice.db import make_engine, metadata
from backoffice.log.checkpoints import load
from backoffice.log.errors import CheckpointAhead, CheckpointElsewhere
from backoffice.log.postgres import PostgresLog
from backoffice.projections import replay
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.catching_up import catch_up, catch_up_batch
from backoffice.projections.projector import Projector, UnknownProjection
from backoffice.projections.replay import Replay
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS
from backoffice.projections.tables import READ_TABLES
from backoffice.projections.versions import ProjectionStale

LAGGING = [projection for projection in PROJECTIONS if not projection.inline]


def count(engine: Engine, table: Any) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(table)).scalar_one()


def position(engine: Engine, name: str) -> int:
    with engine.connect() as connection:
        return load(connection, f"projection/{name}").position


@pytest.mark.parametrize("seed", range(3))
def test_bit_by_bit_comes_to_the_same_as_all_at_once(
    engine: Engine, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)  # noqa: S311
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    for _ in range(10):
        feeding.take(chance.randint(1, 200))
        monkeypatch.setattr(replay, "BATCH", chance.choice([2, 7, 50, 1000]))
        for projection in chance.sample(LAGGING, 2):
            projector.catch_up(projection.name)
    monkeypatch.undo()
    projector.catch_up()
    assert [str(difference) for difference in projector.compare()] == []
    assert not any(rebuilt.differed for rebuilt in projector.rebuild())


def test_catching_up_says_how_far_it_went_and_then_finds_nothing_left(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    before = PostgresLog(engine).head().position
    assert projector.catch_up("rounds") == before
    feeding.take(50)
    assert projector.catch_up("rounds") == PostgresLog(engine).head().position - before
    assert projector.catch_up("rounds") == 0


def test_an_inline_projection_has_nothing_to_catch_up(engine: Engine) -> None:
    Feeding(engine).take(50)
    assert Projector(engine, CODEC).catch_up("balances") == 0


def test_an_unknown_name_is_told_with_those_there_are(engine: Engine) -> None:
    with pytest.raises(UnknownProjection, match=r"no projection profits: balances, .*cases"):
        Projector(engine, CODEC).catch_up("profits")


def test_workers_of_one_projection_take_turns(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    Feeding(engine).take(1500)
    monkeypatch.setattr(replay, "BATCH", 40)
    with ThreadPoolExecutor(4) as pool:
        moved = list(pool.map(lambda _: catch_up(engine, CODEC, ROUND_LINES), range(4)))
    assert sum(moved) == PostgresLog(engine).head().position
    assert list(Projector(engine, CODEC).compare("round-lines")) == []


def test_a_worker_killed_between_rows_and_commit_leaves_neither(engine: Engine, database_url: str) -> None:
    Feeding(engine).take(1500)
    program = """
        import os, signal, sys
        from backoffice.bootstrap import CODEC
        from backoffice.db import make_engine
        from backoffice.projections import catching_up
        from backoffice.projections.round_lines import ROUND_LINES
        catching_up.advance = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
        catching_up.catch_up(make_engine(sys.argv[1]), CODEC, ROUND_LINES)
    """
    killed = subprocess.run(
        [sys.executable, "-c", "\n".join(line.strip() for line in program.splitlines()), database_url],
        check=False,
        cwd=Path(__file__).parents[3],
        env=os.environ,
    )
    assert killed.returncode == -signal.SIGKILL
    assert (count(engine, round_lines), position(engine, "round-lines")) == (0, 0)
    projector = Projector(engine, CODEC)
    projector.catch_up()
    assert count(engine, round_lines) > 0
    assert list(projector.compare("round-lines")) == []


def test_a_paused_worker_that_lost_its_session_cannot_write_over_its_successor(engine: Engine) -> None:
    Feeding(engine).take(1500)
    with engine.connect() as paused:
        catch_up_batch(paused, ROUND_LINES, Replay(CODEC, [ROUND_LINES]))
        pid = paused.scalar(text("select pg_backend_pid()"))
        with engine.begin() as watchdog:
            watchdog.execute(text("select pg_terminate_backend(:pid, 5000)"), {"pid": pid})
        assert catch_up(engine, CODEC, ROUND_LINES) == PostgresLog(engine).head().position
        with pytest.raises(DBAPIError):
            paused.commit()
    assert list(Projector(engine, CODEC).compare("round-lines")) == []


def test_a_checkpoint_ahead_of_the_log_stops_everything_but_a_rebuild(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(300)
    projector.catch_up()
    with engine.begin() as connection:
        connection.execute(text("update log.checkpoints set position = position + 10"))
    with pytest.raises(CheckpointAhead, match="restored"):
        projector.catch_up("rounds")
    with pytest.raises(CheckpointAhead):
        list(projector.compare("rounds"))
    told = {status.name: status.problem for status in projector.status()}
    assert "restored" in (told["rounds"] or "")
    assert told["balances"] is None
    projector.rebuild("rounds")
    feeding.take(300)
    projector.catch_up("rounds")
    assert list(projector.compare("rounds")) == []


def test_a_checkpoint_of_another_log_stops_everything_but_a_rebuild(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(300)
    projector.catch_up()
    with engine.begin() as connection:
        connection.execute(text("update log.checkpoints set log_id = gen_random_uuid()"))
    with pytest.raises(CheckpointElsewhere, match="counts on log"):
        projector.catch_up("cases")
    projector.rebuild()
    feeding.take(300)
    projector.catch_up()
    assert list(projector.compare()) == []


def test_rows_of_another_version_are_not_added_to(engine: Engine) -> None:
    feeding = Feeding(engine)
    feeding.take(300)
    Projector(engine, CODEC).catch_up()
    newer = Projector(engine, CODEC, [replace(ROUNDS, version=ROUNDS.version + 1)])
    assert [status.stale for status in newer.status()] == [True]
    feeding.take(300)
    with pytest.raises(ProjectionStale, match="version 2, the program has 3"):
        newer.catch_up()
    newer.rebuild()
    assert [status.stale for status in newer.status()] == [False]
    feeding.take(300)
    newer.catch_up()
    assert list(newer.compare()) == []


def test_many_projections_share_a_pool_of_two(engine: Engine, database_url: str) -> None:
    Feeding(engine).take(600)
    small = make_engine(database_url, pool_size=2, max_overflow=0, pool_timeout=20)
    projector = Projector(small, CODEC)
    names = [projection.name for projection in LAGGING] * 5
    with ThreadPoolExecutor(len(names)) as pool:
        list(pool.map(projector.catch_up, names))
        list(pool.map(projector.rebuild, names[:8]))
        assert list(pool.map(lambda name: list(projector.compare(name)), names[:8])) == [[]] * 8
    small.dispose()


def test_status_tells_how_far_behind_each_is(engine: Engine) -> None:
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(100)
    projector.catch_up()
    seen = position(engine, "rounds")
    feeding.take(100)
    by_name = {status.name: status for status in projector.status()}
    head = PostgresLog(engine).head().position
    behind = by_name["rounds"]
    assert (behind.position, behind.head, behind.lag_events) == (seen, head, head - seen)
    assert 0 < behind.lag_seconds < 60
    assert behind.rows == sum(count(engine, table) for table in ROUNDS.tables)
    assert (behind.version, behind.stored_version, behind.stale) == (ROUNDS.version, ROUNDS.version, False)
    inline = by_name["balances"]
    assert (inline.position, inline.lag_events, inline.lag_seconds) == (head, 0, 0)


def test_nothing_is_stale_where_everything_was_there_from_the_start(engine: Engine) -> None:
    projector = Projector(engine, CODEC)
    assert not any(status.stale for status in projector.status())
    Feeding(engine)
    projector.catch_up()
    assert not any(status.stale for status in projector.status())


def test_the_read_tables_are_what_the_program_says(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"include_schemas": True})
        differences = [repr(difference) for difference in compare_metadata(context, metadata)]
        stored = connection.execute(
            text("select count(*) from pg_tables where schemaname = 'read'")
        ).scalar_one()
    assert [difference for difference in differences if "'read'" in difference] == []
    assert stored == len(READ_TABLES)
