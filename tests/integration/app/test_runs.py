"""Who died of a task is counted by the locks of the dead; who is at it, or gave up with an error, is not."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import Engine, text

from backoffice.app import runs
from backoffice.app.runs import deadly_tasks, forget_accidents, forgive, run

DIE = """
import os, signal, sys
from backoffice.app.runs import run
from backoffice.db import make_engine
with run(make_engine(sys.argv[1]), sys.argv[2]) as deaths:
    os.kill(os.getpid(), signal.SIGKILL)
"""


def die(engine: Engine, task: str) -> None:
    url = engine.url.render_as_string(hide_password=False)
    died = subprocess.run(
        [sys.executable, "-c", DIE, url, task], cwd=Path(__file__).parents[3], env=os.environ, check=False
    )
    assert died.returncode == -signal.SIGKILL


def counted(engine: Engine) -> dict[str, int]:
    with engine.connect() as connection:
        return {deadly.task: deadly.deaths for deadly in deadly_tasks(connection)}


def written_down(engine: Engine) -> int:
    with engine.connect() as connection:
        return int(connection.execute(text("select count(*) from intake.runs")).scalar_one())


def test_the_dead_are_counted_until_somebody_does_it(engine: Engine) -> None:
    die(engine, "this")
    die(engine, "this")
    die(engine, "that")
    assert counted(engine) == {"this": 2, "that": 1}
    with run(engine, "this") as deaths:
        assert deaths == 2
    assert counted(engine) == {"that": 1}


def test_whoever_is_at_it_is_not_dead(engine: Engine) -> None:
    with run(engine, "this") as first, run(engine, "this") as second:
        assert (first, second) == (0, 0)
        assert written_down(engine) == 2
        assert counted(engine) == {}
    assert written_down(engine) == 0


def test_an_error_is_no_death_and_makes_nobody_forget(engine: Engine) -> None:
    die(engine, "this")
    with pytest.raises(ValueError, match="no"), run(engine, "this"):
        raise ValueError("no")
    assert counted(engine) == {"this": 1}


def test_a_run_whose_connection_died_is_ended_all_the_same(engine: Engine) -> None:
    with (
        pytest.raises(Exception, match=r"terminating|closed"),
        run(engine, "this"),
        engine.connect() as other,
    ):
        other.execute(
            text(
                "select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and classid = 7241997"
            )
        )
    with run(engine, "this") as deaths:
        assert deaths <= 1
    assert written_down(engine) == 0


def test_a_task_is_left_alone_after_so_many_and_forgiven(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_DEATHS", 2)
    for _ in range(2):
        die(engine, "this")
    with engine.begin() as connection:
        (deadly,) = deadly_tasks(connection)
        assert deadly.left_alone
        assert forgive(connection, "that") == 0
        assert forgive(connection) == 2
    assert counted(engine) == {}


def test_an_accident_of_long_ago_is_forgotten_and_what_is_left_alone_is_not(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(runs, "MOST_DEATHS", 2)
    for task in ("accident", "deadly", "deadly"):
        die(engine, task)
    with engine.begin() as connection:
        assert forget_accidents(connection) == 0
        connection.execute(text("update intake.runs set begun_at = begun_at - interval '25 hours'"))
    die(engine, "today")
    with run(engine, "long"), engine.begin() as connection:
        connection.execute(
            text("update intake.runs set begun_at = now() - interval '2 days' where task = 'long'")
        )
        assert forget_accidents(connection) == 1
    assert counted(engine) == {"deadly": 2, "today": 1}
