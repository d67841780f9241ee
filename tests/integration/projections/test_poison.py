"""An event that cannot be projected stops its own stream in that projection, is shown, and is made good in order."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from feeding import Feeding
from sqlalchemy import Engine, func, select, text

from backoffice.bootstrap import CODEC
from backoffice.domain.rounds.events import BettingClosed, DealerRevealed, RoundOpened
from backoffice.log.postgres import PostgresLog
from backoffice.projections import around_poison, replay
from backoffice.projections.changes import Change
from backoffice.projections.fact import Fact
from backoffice.projections.projector import Projector
from backoffice.projections.replay import ProjectionStopped
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.projections.stuck import Stuck, stuck_events

READER = ROUNDS.checkpoint


def poisoned(engine: Engine, kind: type, first: bool = True) -> tuple[Projector, list[str]]:
    """Rounds by a projection that cannot take one event of a kind (or any), and the rounds it fell over."""
    fallen: list[str] = []

    def changes(fact: Fact) -> Iterable[Change]:
        event = fact.event
        if isinstance(event, kind) and (not first or not fallen or event.round in fallen):  # type: ignore[attr-defined]
            fallen.append(event.round)  # type: ignore[attr-defined]
            raise ValueError("six cards")
        return ROUNDS.changes(fact)

    return Projector(engine, CODEC, [replace(ROUNDS, changes=changes), ROUND_LINES]), fallen


def stuck(engine: Engine) -> list[Stuck]:
    with engine.connect() as connection:
        return stuck_events(connection, READER)


def count(engine: Engine) -> int:
    with engine.connect() as connection:
        return connection.execute(select(func.count()).select_from(rounds)).scalar_one()


@pytest.mark.parametrize("batch", [7, 4000])
def test_it_stops_its_stream_and_nothing_else(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, batch: int
) -> None:
    feeding = Feeding(engine)
    feeding.take(800)
    monkeypatch.setattr(replay, "BATCH", batch)
    projector, fallen = poisoned(engine, DealerRevealed)
    projector.catch_up()
    first, *behind = stuck(engine)
    assert (first.behind, first.attempts, first.type) == (None, 1, "round.dealer_revealed")
    assert "six cards" in first.reason
    assert 0 <= first.age_seconds < 60
    assert {one.stream for one in (first, *behind)} == {f"round/{fallen[0]}"}
    assert [one.behind for one in behind] == [first.position] * len(behind)
    assert [one.attempts for one in behind] == [0] * len(behind)
    stream = PostgresLog(engine).read_stream(first.stream)
    assert [one.position for one in (first, *behind)] == [
        event.position for event in stream if event.position >= first.position
    ]
    (status,) = projector.status("rounds")
    assert (status.lag_events, status.stuck) == (0, 1 + len(behind))
    monkeypatch.undo()
    differing = {difference.key["round"] for difference in Projector(engine, CODEC).compare("rounds")}
    assert differing == {fallen[0]}


def test_after_the_fix_it_is_made_good_in_order(engine: Engine) -> None:
    feeding = Feeding(engine)
    feeding.take(800)
    projector, _ = poisoned(engine, BettingClosed, first=False)
    projector.catch_up()
    before = len(stuck(engine))
    assert before > 20
    (again, _) = projector.retry()
    assert (again.taken, again.left) == (0, before)
    assert {one.attempts for one in stuck(engine) if one.behind is None} == {2}
    feeding.take(400)
    projector.catch_up()
    fixed = Projector(engine, CODEC)
    parked = len(stuck(engine))
    assert parked > before
    (retried,) = fixed.retry("rounds")
    assert (retried.taken, retried.left) == (parked, 0)
    assert stuck(engine) == []
    assert list(fixed.compare()) == []
    feeding.take(200)
    fixed.catch_up()
    assert list(fixed.compare()) == []


def test_a_rebuild_after_the_fix_makes_it_good_as_well(engine: Engine) -> None:
    feeding = Feeding(engine)
    feeding.take(600)
    projector, _ = poisoned(engine, RoundOpened)
    projector.catch_up()
    before = count(engine)
    assert stuck(engine)
    fixed = Projector(engine, CODEC)
    assert fixed.rebuild("rounds")[0].healed.added
    assert count(engine) == before + 1
    assert stuck(engine) == []
    assert list(fixed.compare()) == []


def test_what_the_database_refuses_is_poison_too(engine: Engine) -> None:
    """A row that should not be there yet, and one that should be there still."""
    feeding, projector = Feeding(engine), Projector(engine, CODEC)
    feeding.take(200)
    projector.catch_up()
    with engine.begin() as connection:
        lost = connection.scalars(
            text("delete from read.rounds where ended_at is null returning round")
        ).all()
        connection.execute(text("create unique index one on read.rounds (number, table_id, opened_at)"))
    assert lost
    feeding.take(200)
    projector.catch_up("rounds")
    assert {one.stream for one in stuck(engine)} <= {f"round/{name}" for name in lost}
    assert "rows to amend are not there" in stuck(engine)[0].reason
    projector.rebuild("rounds")
    assert list(projector.compare("rounds")) == []


def test_a_connection_that_is_lost_is_no_poison(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    Feeding(engine).take(200)
    lose = True

    def rows(self: replay.Replay, events: object) -> replay.Rows:
        nonlocal lose
        if lose:
            lose = False
            raise ConnectionError("gone")
        return real(self, events)  # type: ignore[arg-type]

    real = replay.Replay.rows
    monkeypatch.setattr(replay.Replay, "rows", rows)
    projector = Projector(engine, CODEC)
    with pytest.raises(ConnectionError):
        projector.catch_up("rounds")
    assert (count(engine), stuck(engine)) == (0, [])
    projector.catch_up("rounds")
    assert count(engine) > 0


def test_a_projection_that_can_take_next_to_nothing_stops(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    Feeding(engine).take(600)
    monkeypatch.setattr(around_poison, "MOST", 10)
    projector, _ = poisoned(engine, RoundOpened, first=False)
    with pytest.raises(ProjectionStopped, match="more than 10 events"):
        projector.catch_up("rounds")
    assert (count(engine), stuck(engine)) == (0, [])
