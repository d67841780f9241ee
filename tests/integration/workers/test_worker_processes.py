"""Real workers on real brokers: whatever dies, is lost, doubled or late, every cancelled round is refunded once."""

import random
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from evening_floor import Broker, Floor, silence
from sqlalchemy import text

from backoffice.app import runs
from ops.disturbances.books import complaints
from ops.disturbances.crew import BEAT, ROOT, TAIL, Crew, worker
from ops.disturbances.points import FOLLOWING, REACTING
from ops.disturbances.servers import Redis, wait_until
from workers.queues import waiting
from workers.standing import standing


def status(crew: Crew) -> subprocess.CompletedProcess[str]:
    """`backoffice workers status`."""
    return command(crew, "workers", "status")


def command(crew: Crew, *words: str) -> subprocess.CompletedProcess[str]:
    """A command of the command line, where the crew works."""
    program = "from backoffice.cli.main import main; main()"
    told = [sys.executable, "-c", program, *words]
    return subprocess.run(told, cwd=ROOT, env=crew.environment, capture_output=True, text=True, check=False)


def catch_up(floor: Floor) -> None:
    floor.house.projector().catch_up()
    assert list(complaints(floor.engine)) == []


def complaint(floor: Floor, broker: Broker) -> str:
    return "; ".join(standing(floor.house, waiting(broker.app)).complaints())


def test_a_worker_a_tail_and_beat_carry_out_what_is_asked(floor: Floor, crew: Crew, broker: Broker) -> None:
    """The way it is run: news wake the tail, the tail hands out, a worker refunds; and the status says so."""
    crew.start("worker", worker("worker"))
    crew.start("beat", BEAT)
    crew.start("tail", TAIL)
    rounds = floor.open_rounds()[:3]
    floor.cancel(*rounds)
    floor.wait_for_refunds(*rounds)
    wait_until(lambda: complaint(floor, broker) == "", "all is well")
    assert list(complaints(floor.engine)) == []
    told = status(crew)
    assert told.returncode == 0, told.stdout
    assert "cases                            0" in told.stdout
    assert f":{crew.pid('tail')}, seen " in told.stdout
    crew.kill("tail")
    silence(floor.engine)
    floor.cancel(floor.open_rounds()[0])
    assert "who leads projection/rounds, has not been seen for" in complaint(floor, broker)
    assert status(crew).returncode == 1
    wait_until(lambda: not lagging(floor), "swept up")


def lagging(floor: Floor) -> bool:
    return any(lag.events for lag in floor.house.projector().lags())


def test_a_refund_survives_its_worker_wherever_that_dies(floor: Floor, crew: Crew) -> None:
    """At every step of the commit, before it and behind it, between the append and the acknowledgement."""
    crew.start("worker", worker("worker"))
    crew.start("beat", BEAT)
    crew.start("tail", TAIL)
    rounds = floor.open_rounds()
    assert len(rounds) >= len(REACTING)
    for point, name in zip(REACTING, rounds, strict=False):
        crew.die_at(point)
        floor.cancel(name)
        wait_until(lambda point=point: not crew.to_die(point), f"somebody dies at {point}")  # type: ignore[misc]
        floor.wait_for_refunds(name)
    catch_up(floor)


def test_a_whole_worker_is_killed_between_append_and_acknowledgement(
    floor: Floor, crew: Crew, broker: Broker
) -> None:
    crew.start("worker", worker("worker", pool="solo", processes=1))
    first, second = floor.open_rounds()[:2]
    crew.die_at("committed")
    (position,) = floor.cancel(first)
    broker.send("carry_out_reactions", position=position)
    wait_until(lambda: not crew.alive("worker"), "it dies")
    assert floor.refunds(first) == [1]
    crew.tend()
    broker.send("carry_out_reactions", position=position)
    broker.send("carry_out_reactions", position=floor.cancel(second)[0])
    floor.wait_for_refunds(second)
    assert floor.refunds(first) == [1]
    catch_up(floor)


def test_twice_and_in_any_order(floor: Floor, crew: Crew, broker: Broker) -> None:
    """And one of the two workers has a clock that is an hour fast."""
    chance = random.Random(5)  # noqa: S311
    rounds = floor.open_rounds()[:8]
    told = floor.cancel(*rounds) * 3
    chance.shuffle(told)
    for position in told:
        broker.send("carry_out_reactions", position=position)
    crew.start("one", worker("one", pool="solo", processes=1))
    crew.start("other", worker("other", pool="solo", processes=1), CLOCK_SECONDS="3600")
    floor.wait_for_refunds(*rounds)
    wait_until(lambda: waiting(broker.app)["cases"] == 0, "all messages are taken")
    assert floor.refunds(*rounds) == [1] * 8
    catch_up(floor)


@pytest.mark.parametrize("broker_url", ["redis"], indirect=True)
def test_what_redis_forgets_is_made_good(floor: Floor, crew: Crew, broker: Broker, redis: Redis) -> None:
    """Flushed with tasks in it; stopped and started again while workers wait; nobody but the log remembers."""
    first, second, third, *_ = floor.open_rounds()
    broker.send("carry_out_reactions", position=floor.cancel(first)[0])
    assert waiting(broker.app)["cases"] == 1
    redis.flush()
    crew.start("worker", worker("worker", pool="solo", processes=1))
    crew.start("beat", BEAT)
    floor.wait_for_refunds(first)
    redis.stop()
    floor.cancel(second)
    redis.start()
    floor.wait_for_refunds(second)
    with redis.frozen():
        floor.cancel(third)
    floor.wait_for_refunds(third)


def test_connections_to_postgres_die(floor: Floor, crew: Crew) -> None:
    crew.start("worker", worker("worker"))
    crew.start("beat", BEAT)
    crew.start("tail", TAIL)
    for name in floor.open_rounds()[:3]:
        floor.cancel(name)
        floor.wait_for_refunds(name)
        with floor.engine.connect() as connection:
            connection.execute(
                text(
                    "select pg_terminate_backend(pid) from pg_stat_activity"
                    " where datname = current_database() and pid <> pg_backend_pid()"
                )
            )
    wait_until(lambda: not lagging(floor), "projected")
    catch_up(floor)


def test_an_export_that_is_delivered_twice_is_written_once(
    floor: Floor, crew: Crew, broker: Broker, tmp_path: Path
) -> None:
    for _ in range(2):
        broker.send("write_export", queue="exports", export="balances", file="b.csv")
    broker.send("write_export", queue="exports", export="balances", file="../b.csv")
    crew.start("worker", worker("worker"))
    target = tmp_path / "exports" / "b.csv"
    wait_until(lambda: crew.said("worker", "is no file name"), "the third one is refused")
    wait_until(lambda: waiting(broker.app)["exports"] == 0, "all messages are taken")
    wait_until(lambda: [path.name for path in target.parent.iterdir()] == ["b.csv"], "one file")
    assert target.read_text().count("casino,player") == 1


def test_a_paused_leader_commits_nothing_when_it_wakes_up(floor: Floor, crew: Crew) -> None:
    """It sleeps between its rows and its commit; the other takes its session away, and then it wakes up."""
    crew.start("first", TAIL)
    wait_until(lambda: not lagging(floor), "the first one leads")
    crew.start("second", TAIL)
    crew.die_at("rows-written", signal.SIGSTOP)
    name, other = floor.open_rounds()[:2]
    floor.cancel(name)
    wait_until(lambda: not crew.to_die("rows-written"), "the leader sleeps")
    wait_until(lambda: not lagging(floor), "the second one leads")
    crew.send("first", signal.SIGCONT)
    floor.cancel(other)
    wait_until(lambda: crew.said("first", "the database is not there"), "the first one finds out")
    wait_until(lambda: not lagging(floor), "projected")
    assert list(complaints(floor.engine)) == []


def test_a_tail_dies_and_is_succeeded(floor: Floor, crew: Crew) -> None:
    """Between rows and checkpoint, between checkpoint and commit, behind it, and before it hands out what is due."""
    names = floor.open_rounds()
    for number, (point, name) in enumerate(zip(FOLLOWING, names, strict=False)):
        crew.die_at(point)
        if number == 0:
            crew.start("tail", TAIL)
        floor.cancel(name)
        wait_until(lambda: not crew.alive("tail"), f"it dies at {point}")
        crew.tend()
        wait_until(lambda: not lagging(floor), "projected")
    assert list(complaints(floor.engine)) == []


def test_what_kills_every_worker_is_left_alone_and_shown(
    floor: Floor, crew: Crew, broker: Broker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A message whose worker died comes again, and again; not for ever."""
    monkeypatch.setattr(runs, "MOST_DEATHS", 2)
    crew.environment["MOST_DEATHS"] = "2"
    name, other = floor.open_rounds()[:2]
    for point in DEADLY:
        crew.die_at(point)
    crew.start("worker", worker("worker", processes=1))
    broker.send("carry_out_reactions", position=floor.cancel(name)[0])
    broker.send("write_export", queue="exports", export="balances", file="b.csv")
    wait_until(lambda: left_alone(floor, crew), "nobody dies of them any more", seconds=60)
    for point in DEADLY:
        crew.spare(point)
    assert floor.refunds(name) == [0]
    (stuck,) = standing(floor.house, {}).stuck
    assert "workers died of it" in stuck.reason
    told = status(crew)
    assert told.returncode == 1
    assert "1 events are stuck" in told.stdout
    assert "2 died of write_export balances b.csv since " in told.stdout
    assert "2 workers died of write_export balances b.csv, which is left alone now" in complaint(
        floor, broker
    )
    broker.send("carry_out_reactions", position=floor.cancel(other)[0])
    floor.wait_for_refunds(other)
    floor.house.reactor().retry()
    assert floor.refunds(name) == [1]
    assert "2 deaths are forgotten" in command(crew, "workers", "retry").stdout
    broker.send("write_export", queue="exports", export="balances", file="b.csv")
    wait_until((crew.folder / "exports" / "b.csv").exists, "it is written")


DEADLY = ("head-locked", "exporting")


def left_alone(floor: Floor, crew: Crew) -> bool:
    """Whether both tasks are; until then, whoever is at one of them dies.

    The export is asked for by its name: a reaction that has just been set aside is among the deadly a moment longer.
    """
    for point in DEADLY:
        if not crew.to_die(point):
            crew.die_at(point)
    stands = standing(floor.house, {})
    exports = (deadly for deadly in stands.deadly if deadly.task.startswith("write_export "))
    return bool(stands.stuck) and any(export.left_alone for export in exports)


@pytest.mark.parametrize("pool", ["solo", "prefork"])
def test_a_worker_whose_clock_is_an_hour_off_does_its_work(
    floor: Floor, crew: Crew, broker: Broker, pool: str
) -> None:
    crew.start("late", worker("late", pool=pool, processes=1), CLOCK_SECONDS="3600")
    name = floor.open_rounds()[0]
    broker.send("carry_out_reactions", position=floor.cancel(name)[0])
    floor.wait_for_refunds(name)
    wait_until(lambda: crew.said("late", "succeeded in"), "it says so")
    catch_up(floor)
