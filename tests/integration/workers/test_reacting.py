"""What facts cause, carried out apart from their commits: from the log alone, once, in order, whoever is told what."""

import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from typing import Any

import pytest
from evening_floor import Floor
from psycopg import OperationalError
from sqlalchemy import Engine, text

from backoffice.app import handle, reacting
from backoffice.app.reacting import ReactionStopped, Reactor, UnknownPosition
from backoffice.app.reactions import REACTING
from backoffice.app.requests import Accepted, Repeated
from backoffice.bootstrap import CODEC, house_on
from backoffice.domain.event import Refused
from backoffice.domain.rounds.commands import Refund
from backoffice.log.checkpoints import forget, load
from backoffice.log.errors import CheckpointAhead, UnknownSchema
from backoffice.projections.stuck import Stuck, stuck_events
from ops.disturbances.books import books, complaints
from workers.following import Leading
from workers.tail import NotHandedOut, Tail


def checkpoint(engine: Engine) -> int:
    with engine.connect() as connection:
        return load(connection, REACTING).position


def stuck(engine: Engine) -> list[Stuck]:
    with engine.connect() as connection:
        return stuck_events(connection, REACTING)


@contextmanager
def refusing(monkeypatch: pytest.MonkeyPatch, *rounds: str) -> Iterator[None]:
    """As if a bug kept these rounds from being refunded."""

    def decide(past: Any, command: Any) -> Any:
        if isinstance(command, Refund) and command.round in rounds:
            raise Refused("a bug")
        return real(past, command)

    real = handle.decide
    with monkeypatch.context() as patch:
        patch.setattr(handle, "decide", decide)
        yield


def test_what_is_due_is_told_by_the_log_alone(floor: Floor) -> None:
    first, second, *_ = floor.open_rounds()
    before = floor.house.log.head().position
    positions = floor.cancel(first, second)
    reactor = floor.house.reactor()
    assert reactor.survey().due == tuple(positions)
    assert checkpoint(floor.engine) == positions[0] - 1
    assert reactor.oldest_due().waiting == 2
    assert [type(outcome) for outcome in reactor.carry_out(positions[1])] == [Accepted]
    assert floor.house.reactor().survey().due == (positions[0],)
    assert checkpoint(floor.engine) == positions[0] - 1 >= before
    reactor.carry_out(positions[0])
    assert reactor.survey().due == ()
    assert checkpoint(floor.engine) == floor.house.log.head().position
    assert floor.refunds(first, second) == [1, 1]
    assert reactor.oldest_due().waiting == 0


def test_a_second_time_it_is_repeated(floor: Floor) -> None:
    (position,) = floor.cancel(floor.open_rounds()[0])
    (accepted,) = floor.house.reactor().carry_out(position)
    head = floor.house.log.head()
    (repeated,) = floor.house.reactor().carry_out(position)
    assert isinstance(accepted, Accepted)
    assert repeated == Repeated(accepted.first_position, accepted.last_position)
    assert floor.house.log.head() == head


def test_what_was_carried_out_with_the_fact_is_repeated_by_a_worker(quiet_floor: Floor) -> None:
    """In-process and by a worker it is the same request of the same content, so one may take over from the other."""
    name = quiet_floor.open_rounds()[0]
    (position,) = quiet_floor.cancel(name)
    assert quiet_floor.refunds(name) == [1]
    assert quiet_floor.house.reactor().survey().due == ()
    assert [type(outcome) for outcome in quiet_floor.house.reactor().carry_out(position)] == [Repeated]


def test_a_refund_keeps_its_cause_and_the_request_with_which_it_began(floor: Floor) -> None:
    name = floor.open_rounds()[0]
    (position,) = floor.cancel(name)
    floor.house.reactor().carry_out(position)
    asked, refunded, *_ = floor.house.log.read(after=position - 1)
    assert (refunded.type, refunded.stream) == ("round.cancelled", f"round/{name}")
    assert (refunded.cause, refunded.correlation) == (asked.event_id, asked.correlation)
    assert (refunded.actor, refunded.happened_at) == ("system", asked.happened_at)


def test_many_at_once_carry_it_out_once(floor: Floor) -> None:
    rounds = floor.open_rounds()[:6]
    positions = floor.cancel(*rounds)
    with ThreadPoolExecutor(6) as pool:
        told = [pool.submit(floor.house.reactor().carry_out, position) for position in positions * 3]
        kinds = [type(outcome) for one in told for outcome in one.result()]
    assert (kinds.count(Accepted), kinds.count(Repeated)) == (6, 12)
    assert floor.refunds(*rounds) == [1] * 6
    assert list(complaints(floor.engine)) == []


@pytest.mark.parametrize("seed", range(3))
def test_in_whatever_order_and_how_often_they_are_told_it_comes_to_the_same(
    floor: Floor, quiet_floor: Floor, seed: int
) -> None:
    chance = random.Random(seed)  # noqa: S311
    rounds = floor.open_rounds()[:8]
    told = floor.cancel(*rounds) * 2
    quiet_floor.cancel(*rounds)
    chance.shuffle(told)
    workers = [floor.house.reactor() for _ in range(3)]
    for position in told:
        chance.choice(workers).carry_out(position)
    for house in (floor.house, quiet_floor.house):
        house.projector().catch_up()
    assert books(floor.engine) == books(quiet_floor.engine)
    assert list(complaints(floor.engine)) == []


def test_one_that_cannot_be_carried_out_stops_no_other(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    poison, sound = floor.open_rounds()[:2]
    positions = floor.cancel(poison, sound)
    reactor = floor.house.reactor()
    with refusing(monkeypatch, poison):
        with pytest.raises(ReactionStopped, match="a reaction was refused: a bug"):
            reactor.carry_out(positions[0])
        reactor.carry_out_due()
        assert floor.refunds(poison, sound) == [0, 1]
        assert reactor.survey().due == ()
        assert checkpoint(floor.engine) == floor.house.log.head().position
        retried = reactor.retry()
        assert (retried.taken, retried.left) == (0, 1)
    (aside,) = stuck(floor.engine)
    assert (aside.position, aside.stream, aside.attempts) == (positions[0], f"round/{poison}", 2)
    assert "a bug" in aside.reason
    assert not refusals(floor.engine)
    retried = reactor.retry()
    assert (retried.taken, retried.left) == (1, 0)
    assert stuck(floor.engine) == []
    assert floor.refunds(poison, sound) == [1, 1]


def refusals(engine: Engine) -> list[Any]:
    with engine.connect() as connection:
        return list(connection.exec_driver_sql("select * from intake.refusals where sender = 'reactions'"))


def test_a_late_message_makes_good_what_was_set_aside(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    name = floor.open_rounds()[0]
    (position,) = floor.cancel(name)
    with refusing(monkeypatch, name):
        floor.house.reactor().carry_out_due()
    assert len(stuck(floor.engine)) == 1
    floor.house.reactor().carry_out(position)
    assert stuck(floor.engine) == []


def test_a_fact_that_cannot_be_read_stops_no_other(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    unread, read = floor.open_rounds()[:2]
    positions = floor.cancel(unread, read)

    def as_fact(codec: Any, recorded: Any) -> Any:
        if recorded.position == positions[0]:
            raise UnknownSchema("schema 9 is newer")
        return real(codec, recorded)

    real = reacting.as_fact
    with monkeypatch.context() as patch:
        patch.setattr(reacting, "as_fact", as_fact)
        for _ in range(3):
            floor.house.reactor().carry_out_due()
    (aside,) = stuck(floor.engine)
    assert (aside.position, aside.attempts) == (positions[0], 1)
    assert "schema 9" in aside.reason
    assert floor.refunds(unread, read) == [0, 1]
    floor.house.reactor().retry()
    assert floor.refunds(unread, read) == [1, 1]


def test_a_lost_connection_is_not_the_facts_fault(floor: Floor) -> None:
    (position,) = floor.cancel(floor.open_rounds()[0])

    class Unlucky:
        def commit(self, *_: object) -> None:
            raise OperationalError("gone")

    with pytest.raises(OperationalError):
        Reactor(floor.engine, CODEC, Unlucky()).carry_out(position)  # type: ignore[arg-type]
    assert stuck(floor.engine) == []
    assert floor.house.reactor().survey().due == (position,)


def test_a_position_of_another_log_is_told_loudly(floor: Floor) -> None:
    with pytest.raises(UnknownPosition, match="nothing at 1000000"):
        floor.house.reactor().carry_out(1_000_000)


def test_a_checkpoint_ahead_of_a_restored_log_stops_reactions_until_they_are_retried(floor: Floor) -> None:
    """They are not gone on from as if nothing had happened; that all are looked at again does no harm."""
    name = floor.open_rounds()[0]
    floor.cancel(name)
    with floor.engine.begin() as connection:
        connection.execute(
            text("update log.checkpoints set position = position + 1000 where name = 'reactions'")
        )
    reactor = floor.house.reactor()
    with pytest.raises(CheckpointAhead, match="restored"):
        reactor.carry_out_due()
    reactor.retry()
    assert reactor.carry_out_due() == 1
    assert floor.refunds(name) == [1]
    assert list(complaints(floor.engine)) == []


def test_a_tail_whose_reactions_cannot_go_on_projects_all_the_same(floor: Floor) -> None:
    with floor.engine.begin() as connection:
        connection.execute(
            text("update log.checkpoints set position = position + 1000 where name = 'reactions'")
        )
    tail = Tail(floor.house, floor.house.reactor(), None)
    with Leading(floor.house) as leading:
        while tail.turn(leading):
            pass
    assert not any(lag.events for lag in floor.house.projector().lags())


def test_a_tail_without_a_broker_carries_out_what_is_due(floor: Floor) -> None:
    rounds = floor.open_rounds()[:2]
    floor.cancel(*rounds)
    with Leading(floor.house) as leading:
        Tail(floor.house, floor.house.reactor(), None).turn(leading)
    assert floor.refunds(*rounds) == [1, 1]


def test_a_tail_hands_out_once_and_again_what_the_broker_did_not_take(floor: Floor) -> None:
    positions = floor.cancel(*floor.open_rounds()[:2])
    taken: list[int] = []
    away = True

    def hand_out(position: int) -> None:
        if away and taken:
            raise NotHandedOut("the broker is away")
        taken.append(position)

    tail = Tail(floor.house, floor.house.reactor(), hand_out)
    with Leading(floor.house) as leading:
        for _ in range(3):
            tail.turn(leading)
        assert taken == positions[:1]
        away = False
        for _ in range(3):
            tail.turn(leading)
    assert taken == positions


def test_a_long_log_is_looked_at_by_and_by(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reacting, "WINDOW", 100)
    (position,) = floor.cancel(floor.open_rounds()[0])
    with floor.engine.begin() as connection:
        forget(connection, REACTING)
    reactor = floor.house.reactor()
    looks = 0
    while (survey := reactor.survey()).more:
        looks += 1
    assert looks == (position - 1) // 100
    assert survey.due == (position,)


def test_with_a_broker_nothing_is_carried_out_with_the_fact(floor: Floor) -> None:
    name = floor.open_rounds()[0]
    floor.cancel(name)
    assert floor.refunds(name) == [0]
    assert house_on(floor.engine).reacts
    assert not floor.house.reacts
