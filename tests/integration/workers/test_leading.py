"""One leads; who is dead, or seems so, is succeeded; who wakes up late commits nothing."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from evening_floor import Floor, silence
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from backoffice.bootstrap import CODEC
from backoffice.db import make_engine
from backoffice.log.postgres import PostgresLog
from backoffice.projections.leading import Deposed, Leader, leaders_of, resign, take_lead
from backoffice.projections.projector import Projector
from workers.exporting import export_once
from workers.following import Leading, follow

READER = "projection/rounds"


def leader(engine: Engine) -> Leader:
    (known,) = leaders_of(engine)
    return known


def test_one_leads_until_it_resigns(engine: Engine) -> None:
    with engine.connect() as first, engine.connect() as second:
        lead = take_lead(first, READER, "ann")
        assert lead is not None
        assert take_lead(second, READER, "ben") is None
        assert take_lead(second, "projection/cases", "ben") is not None
        assert [(one.leader, one.epoch, one.alive) for one in leaders_of(engine)] == [
            ("ben", 1, True),
            ("ann", 1, True),
        ]
        resign(first, lead)
        again = take_lead(second, READER, "ben")
        assert again is not None
        assert again.epoch == 2


def test_it_is_seen_by_what_it_does(engine: Engine) -> None:
    with engine.connect() as session:
        lead = take_lead(session, READER, "ann")
        assert lead is not None
        silence(engine)
        assert not leader(engine).alive
        with session.begin():
            lead.confirm(session)
        assert leader(engine).alive


def test_a_leader_that_is_seen_is_left_alone_and_one_that_is_not_loses_its_session(engine: Engine) -> None:
    with engine.connect() as first, engine.connect() as second:
        lead = take_lead(first, READER, "ann")
        assert lead is not None
        assert take_lead(second, READER, "ben") is None
        silence(engine)
        assert take_lead(second, READER, "ben") is not None
        assert leader(engine).leader == "ben"
        with pytest.raises(DBAPIError), first.begin():
            lead.confirm(first)


def test_whoever_lost_the_lead_commits_nothing(floor: Floor) -> None:
    """Even over a session that lives on: the epoch is looked at in the transaction of the rows."""
    projector = Projector(floor.engine, CODEC)
    with floor.engine.connect() as session:
        lead = take_lead(session, READER, "ann")
        assert lead is not None
        assert projector.catch_up_leading(session, "rounds", lead) > 0
        floor.cancel(floor.open_rounds()[0])
        with floor.engine.begin() as other:
            other.execute(text("update read.leaders set epoch = epoch + 1"))
        with pytest.raises(Deposed, match="somebody else leads"):
            projector.catch_up_leading(session, "rounds", lead)
    assert [lag.events for lag in projector.lags() if lag.reader == READER] == [1]


def test_following_is_left_to_who_leads(floor: Floor) -> None:
    head = floor.house.log.head().position
    with Leading(floor.house) as leading:
        assert leading.project("rounds") > 0
        assert follow(floor.house, "rounds") == 0
        assert follow(floor.house, "cases") == head
    floor.cancel(floor.open_rounds()[0])
    assert follow(floor.house, "rounds") == 1
    assert follow(floor.house, "rounds") == 0


def test_all_is_led_over_one_session(floor: Floor, database_url: str) -> None:
    """Twenty projections and a pool of two wait for each other for ever."""
    small = make_engine(database_url, pool_size=1, max_overflow=0, pool_timeout=1)
    floor.house = type(floor.house)(small, PostgresLog(small), CODEC, reacts=False)
    with Leading(floor.house) as leading:
        for name in floor.house.projector().lagging_names:
            while leading.project(name):
                pass
    assert not any(lag.events for lag in Projector(floor.engine, CODEC).lags())
    small.dispose()


def test_an_export_is_written_once(floor: Floor, tmp_path: Path) -> None:
    target = tmp_path / "exports" / "balances.csv"
    assert export_once(floor.house, "balances", target)
    before = target.read_bytes()
    assert before.startswith(b"casino,player,currency,balance\n")
    floor.house.reactor().carry_out(floor.cancel(floor.open_rounds()[0])[0])
    assert not export_once(floor.house, "balances", target)
    assert target.read_bytes() == before
    assert list(target.parent.iterdir()) == [target]


def test_an_export_that_fails_leaves_no_file(floor: Floor, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="no export profits"):
        export_once(floor.house, "profits", tmp_path / "profits.csv")
    assert list(tmp_path.iterdir()) == []


def test_a_forked_process_has_a_house_of_its_own(database_url: str) -> None:
    program = """
        import os
        from sqlalchemy import text
        from workers.houses import close_house, workplace
        backend = lambda: workplace().house.engine.connect().scalar(text("select pg_backend_pid()"))
        mine = backend()
        if os.fork() == 0:
            print("child", backend() != mine, flush=True)
            close_house()
            os._exit(0)
        os.wait()
        print("parent", workplace().house.log.head().position)
        close_house()
    """
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", "\n".join(line[8:] for line in program.splitlines())],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "BACKOFFICE_DATABASE_URL": database_url},
        capture_output=True,
        text=True,
        check=True,
    )
    assert run.stdout.split("\n")[:2] == ["child True", "parent 0"]
