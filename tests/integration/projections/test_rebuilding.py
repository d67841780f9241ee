"""Redrawing while everything goes on, and what it leaves: the rows that the log gives, nothing else."""

import dataclasses
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Event, Thread
from typing import Any

import pytest
from feeding import Feeding
from front_door import a_handler, action, balance, deposit, founding, opened, take, tallinn
from sqlalchemy import Engine, func, select, text

from backoffice import bootstrap
from backoffice.app.requests import Declined
from backoffice.bootstrap import CODEC
from backoffice.log.postgres import PostgresLog
from backoffice.projections import rebuilding
from backoffice.projections.balances import BALANCES, balances
from backoffice.projections.projector import Projector, UnknownProjection
from backoffice.projections.rounds import ROUNDS, rounds

WRONG = (
    "update read.balances set balance_minor = 5 where player = 'lu-chf-01'",
    "delete from read.balances where player = 'lu-chf-02'",
    "insert into read.balances values ('lugano', 'nobody', 'CHF', 1)",
    "update read.jackpot_meters set refunded_minor = refunded_minor + 1, balance_minor = balance_minor - 1",
    "update read.rounds set phase = 'lost'",
    "delete from read.round_lines where bet = 'call'",
    "update read.round_lines set seat = seat || '!' where bet = 'ante'",
    "delete from read.jackpot_shares",
    "update read.cases set opened_at = opened_at + interval '1 microsecond'",
)


@pytest.fixture
def feeding(engine: Engine) -> Feeding:
    return Feeding(engine)


@pytest.fixture
def projector(engine: Engine) -> Projector:
    return Projector(engine, CODEC)


def poke(engine: Engine, *statements: str) -> None:
    with engine.begin() as connection:
        for statement in statements:
            assert connection.execute(text(statement)).rowcount > 0, statement


def content(engine: Engine, table: Any) -> set[tuple[Any, ...]]:
    with engine.connect() as connection:
        return {tuple(row) for row in connection.execute(select(table))}


def test_who_appends_forgets_balances_and_meters_that_were_put_right(engine: Engine) -> None:
    """Remembered wrongly they would be decided by until that process ends."""
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann", "100.00"), opened("r-1"))
    take(handler, action("ante", round="r-1", seat="1", **tallinn("ann"), amount="20.00"))
    poke(
        engine,
        "update read.balances set balance_minor = 5",
        "update read.jackpot_meters set balance_minor = balance_minor - 7, refunded_minor = refunded_minor + 7",
    )
    wrong = a_handler(engine)
    take(wrong, deposit("bob"))
    (no,) = wrong.commit([action("mark", round="r-1", seat="1")])
    assert isinstance(no, Declined)
    mended = Projector(engine, CODEC).rebuild()
    assert {each.name for each in mended if each.differed} >= {"balances", "jackpot-meters"}
    take(wrong, action("mark", round="r-1", seat="1"))
    assert balance(engine, "ann") == 100_00 - 20_00 - 50


def test_a_rebuild_that_finds_all_right_makes_nobody_forget(engine: Engine, feeding: Feeding) -> None:
    feeding.take(50)
    Projector(engine, CODEC).rebuild()
    with engine.connect() as connection:
        assert (
            connection.execute(text("select coalesce(sum(mended), 0) from read.versions")).scalar_one() == 0
        )


@contextmanager
def going_on(feeding: Feeding, projector: Projector) -> Iterator[None]:
    """Appends and catching up, all the while."""
    over = Event()

    def append() -> None:
        while not over.is_set():
            feeding.take(7)
            projector.catch_up()

    thread = Thread(target=append)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def test_compare_prints_every_wrong_row_and_a_rebuild_puts_it_right(
    engine: Engine, feeding: Feeding, projector: Projector
) -> None:
    feeding.take_all()
    projector.catch_up()
    poke(engine, *WRONG)
    told = [str(difference) for difference in projector.compare()]
    right = "casino=lugano player=lu-chf-01 currency=CHF: balance_minor is 5, the log says 5000007800"
    assert f"balances {right}" in told
    assert any(
        line.startswith("balances casino=lugano player=lu-chf-02 currency=CHF: missing") for line in told
    )
    assert (
        "balances casino=lugano player=nobody currency=CHF: not from the log, it says balance_minor=1" in told
    )
    assert {line.split()[0] for line in told} == {
        "balances", "jackpot_meters", "rounds", "round_lines", "jackpot_shares", "cases",
    }  # fmt: skip
    rebuilt = projector.rebuild()
    poked = {"balances", "jackpot-meters", "rounds", "round-lines", "jackpot-shares", "cases"}
    assert {one.name for one in rebuilt if one.differed} == poked
    assert sum(one.healed.added + one.healed.removed + one.healed.changed for one in rebuilt) == len(told)
    assert list(projector.compare()) == []
    assert not any(one.differed for one in projector.rebuild())


def test_all_of_a_long_log_is_redrawn_by_two_processes(
    engine: Engine, feeding: Feeding, projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeding.take(1500)
    projector.catch_up()
    poke(engine, *WRONG)
    monkeypatch.setattr(bootstrap, "ALONE", 0)
    rebuilt = bootstrap.house_on(engine).rebuild()
    assert {one.name for one in rebuilt} == set(projector.names)
    poked = {"balances", "jackpot-meters", "rounds", "round-lines", "jackpot-shares", "cases"}
    assert {one.name for one in rebuilt if one.differed} == poked
    assert list(projector.compare()) == []


def test_a_bug_in_the_other_process_is_told_in_this_one(
    engine: Engine, feeding: Feeding, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeding.take(100)
    monkeypatch.setattr(bootstrap, "ALONE", 0)
    nobody = dataclasses.replace(ROUNDS, name="nobody's")
    monkeypatch.setattr(bootstrap, "HALVES", ((BALANCES,), (nobody,)))
    with pytest.raises(UnknownProjection, match="nobody's"):
        bootstrap.house_on(engine).rebuild()


def test_a_rebuild_of_one_touches_no_other(engine: Engine, feeding: Feeding, projector: Projector) -> None:
    feeding.take(500)
    projector.catch_up()
    poke(engine, "update read.balances set balance_minor = 5", "update read.rounds set phase = 'lost'")
    (rebuilt,) = projector.rebuild("balances")
    assert (rebuilt.name, rebuilt.position) == ("balances", PostgresLog(engine).head().position)
    assert list(projector.compare("balances")) == []
    assert {difference.table for difference in projector.compare()} == {"rounds"}


def test_lagging_is_no_difference_and_a_rebuild_catches_up(
    engine: Engine, feeding: Feeding, projector: Projector
) -> None:
    feeding.take(500)
    projector.catch_up()
    feeding.take(500)
    assert list(projector.compare()) == []
    assert not any(rebuilt.differed for rebuilt in projector.rebuild())
    assert not any(status.lag_events for status in projector.status())
    assert list(projector.compare()) == []


def test_a_first_build_is_a_rebuild(engine: Engine, feeding: Feeding, projector: Projector) -> None:
    feeding.take(500)
    projector.rebuild()
    assert not any(status.lag_events for status in projector.status())
    assert not any(status.stale for status in projector.status())
    assert list(projector.compare()) == []


def test_rebuilds_while_appends_and_catching_up_go_on(
    engine: Engine, feeding: Feeding, projector: Projector
) -> None:
    feeding.take(1000)
    projector.catch_up()
    with going_on(feeding, projector):
        for _ in range(3):
            poke(engine, "update read.balances set balance_minor = balance_minor + 1 where currency = 'SEK'")
            assert [one.name for one in projector.rebuild() if one.differed] == ["balances"]
    projector.catch_up()
    assert list(projector.compare()) == []


def test_comparing_finds_nothing_while_appends_and_catching_up_go_on(
    engine: Engine, feeding: Feeding, projector: Projector
) -> None:
    feeding.take(1000)
    projector.catch_up()
    with going_on(feeding, projector):
        for _ in range(5):
            assert [str(difference) for difference in projector.compare()] == []


def test_old_rows_serve_until_the_right_ones_are_there(
    engine: Engine, feeding: Feeding, projector: Projector, monkeypatch: pytest.MonkeyPatch
) -> None:
    feeding.take(500)
    projector.catch_up()
    poke(engine, "update read.balances set balance_minor = 5")
    wrong = content(engine, balances)
    seen = []
    note_version = rebuilding.note_version

    def look_then_note(connection: Any, projection: Any, *, mended: bool) -> None:
        seen.append(content(engine, balances))
        note_version(connection, projection, mended=mended)

    monkeypatch.setattr(rebuilding, "note_version", look_then_note)
    projector.rebuild("balances")
    assert seen == [wrong]
    assert content(engine, balances) != wrong


def test_a_killed_rebuild_leaves_nothing(
    engine: Engine, database_url: str, feeding: Feeding, projector: Projector
) -> None:
    feeding.take(500)
    projector.catch_up()
    poke(engine, "update read.rounds set phase = 'lost'")
    before = content(engine, rounds)
    program = """
        import os, signal, sys
        from backoffice.bootstrap import CODEC
        from backoffice.db import make_engine
        from backoffice.projections import rebuilding
        from backoffice.projections.projector import Projector
        rebuilding.note_version = lambda *_, **__: os.kill(os.getpid(), signal.SIGKILL)
        Projector(make_engine(sys.argv[1]), CODEC).rebuild("rounds")
    """
    killed = subprocess.run(
        [sys.executable, "-c", "\n".join(line.strip() for line in program.splitlines()), database_url],
        check=False,
        cwd=Path(__file__).parents[3],
        env=os.environ,
    )
    assert killed.returncode == -signal.SIGKILL
    assert content(engine, rounds) == before
    projector.rebuild("rounds")
    assert list(projector.compare("rounds")) == []
    assert leftovers(engine) == 0


def test_a_rebuild_leaves_no_table_and_no_session_that_sees_one(
    engine: Engine, feeding: Feeding, projector: Projector
) -> None:
    feeding.take(100)
    projector.rebuild()
    list(projector.compare())
    assert leftovers(engine) == 0


def test_a_rebuild_appends_nothing(engine: Engine, feeding: Feeding, projector: Projector) -> None:
    feeding.take_all()
    before = PostgresLog(engine).head()
    projector.rebuild()
    assert PostgresLog(engine).head() == before


def leftovers(engine: Engine) -> int:
    """Tables of no schema of ours; the server may need a moment to clear up behind a session that was killed."""
    query = (
        select(func.count())
        .select_from(text("pg_class"))
        .where(text("relpersistence = 't' and relkind = 'r'"))
    )
    with engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
        for _ in range(100):
            count = connection.execute(query).scalar_one()
            if count == 0:
                break
            connection.execute(text("select pg_sleep(0.05)"))
        return count
