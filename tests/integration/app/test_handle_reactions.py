"""What a fact causes comes in by the same door: in log order, by the system, traceable to where it began."""

import json

import pytest
from front_door import (
    a_handler,
    action,
    balance,
    deposit,
    events,
    founding,
    opened,
    rows,
    take,
    tallinn,
    whole_round,
)
from sqlalchemy import Engine

from backoffice.app import handle
from backoffice.app.handle import Handler
from backoffice.app.requests import Repeated
from backoffice.domain.event import Refused
from backoffice.log.envelope import Recorded

CANCEL_AFTER_THE_DEAL = 5


@pytest.fixture
def handler(engine: Engine) -> Handler:
    made = a_handler(engine)
    take(made, founding(), deposit("ann"))
    return made


def cancelled(engine: Engine, round_id: str = "r-1") -> list[Recorded]:
    """The two facts of a cancellation."""
    return events(engine, f"round/{round_id}")[-2:]


def test_a_cancellation_is_carried_out_in_the_commit_that_asked_for_it(
    engine: Engine, handler: Handler
) -> None:
    take(handler, *whole_round("r-1", "ann")[:CANCEL_AFTER_THE_DEAL])
    assert balance(engine, "ann") == 100_000_000 - 2050
    (answer,) = take(handler, action("cancel", round="r-1", reason="misdeal"))
    requested, refunded = cancelled(engine)
    assert (requested.type, refunded.type) == ("round.cancellation_requested", "round.cancelled")
    assert balance(engine, "ann") == 100_000_000
    assert answer.first_position == answer.last_position == requested.position == refunded.position - 1


def test_the_refund_is_the_systems_because_of_the_request_and_of_the_same_story(
    engine: Engine, handler: Handler
) -> None:
    take(handler, *whole_round("r-1", "ann")[:CANCEL_AFTER_THE_DEAL])
    cancel = action("cancel", round="r-1", reason="misdeal")
    take(handler, cancel)
    requested, refunded = cancelled(engine)
    assert (requested.actor, requested.cause) == ("floor", None)
    assert (refunded.actor, refunded.cause) == ("system", requested.event_id)
    assert requested.correlation == refunded.correlation == f"floor/{cancel.key}"
    assert refunded.happened_at == requested.happened_at == cancel.command.at


def test_what_many_requests_cause_stands_in_the_order_of_the_requests(
    engine: Engine, handler: Handler
) -> None:
    rounds = [f"r-{number}" for number in range(4)]
    take(handler, *(opened(name) for name in rounds))
    take(handler, *(action("cancel", round=name, reason="x") for name in reversed(rounds)))
    written = [(one.stream, one.type.rpartition(".")[2]) for one in events(engine)[-8:]]
    assert written == [
        (f"round/{name}", what)
        for name in reversed(rounds)
        for what in ("cancellation_requested", "cancelled")
    ]


def test_a_reaction_is_remembered_like_any_request(engine: Engine, handler: Handler) -> None:
    take(handler, opened("r-1"), action("cancel", round="r-1", reason="x"))
    requested, refunded = cancelled(engine)
    assert rows(
        engine,
        "select key, first_position, last_position from intake.accepted_keys where sender = 'reactions'",
    ) == [(f"refund:{requested.event_id}", refunded.position, refunded.position)]


def test_a_cancellation_sent_twice_refunds_once(engine: Engine, handler: Handler) -> None:
    take(handler, *whole_round("r-1", "ann")[:CANCEL_AFTER_THE_DEAL])
    cancel = action("cancel", round="r-1", reason="x")
    take(handler, cancel)
    assert isinstance(handler.commit([cancel])[0], Repeated)
    assert isinstance(a_handler(engine).commit([cancel])[0], Repeated)
    assert balance(engine, "ann") == 100_000_000


def test_a_reaction_that_is_refused_is_a_bug_and_leaves_nothing(
    engine: Engine, handler: Handler, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As a refusal it would have been the answer to a request whose facts are in the log all the same."""
    take(handler, opened("r-1"))
    real = handle.decide

    def refusing(past: object, command: object) -> object:
        if type(command).__name__ == "Refund":
            raise Refused("no")
        return real(past, command)  # type: ignore[arg-type]

    monkeypatch.setattr(handle, "decide", refusing)
    before = len(events(engine))
    cancel = action("cancel", round="r-1", reason="x")
    with pytest.raises(RuntimeError, match="a reaction was refused: no"):
        handler.commit([cancel])
    assert len(events(engine)) == before
    monkeypatch.undo()
    take(handler, cancel)
    assert len(events(engine)) == before + 2


def test_whatever_is_decided_for_a_player_is_by_the_system(engine: Engine, handler: Handler) -> None:
    """A time-out is sent by the table; that the hand was called or folded for it was nobody's wish there."""
    take(
        handler,
        opened("r-1", table="live-1"),
        action("ante", round="r-1", seat="a", **tallinn("ann"), amount="20.00"),
        action("close", round="r-1"),
        action("deal", round="r-1", hands={"shared": ["2c", "4d", "6h", "8s", "Tc"]}, up="Kd"),
        action("timeout", round="r-1", seat="a"),
    )
    *others, decided = events(engine, "round/r-1")
    assert decided.actor == "system"
    assert json.loads(decided.data)["automatic"]
    assert {one.actor for one in others} == {"floor"}


def test_a_compensation_case_is_opened_with_the_refund(engine: Engine, handler: Handler) -> None:
    requests = whole_round("r-1", "ann")[:4]
    royal = ["As", "Ks", "Qs", "Js", "Ts"]
    take(handler, *requests, action("deal", round="r-1", hands={"1": royal}, up="Kd"))
    cancel = action("cancel", round="r-1", reason="misdeal")
    take(handler, cancel)
    case = events(engine)[-1]
    assert case.type == "case.compensation_opened"
    assert case.correlation == f"floor/{cancel.key}"
    assert case.cause == cancelled(engine)[0].event_id
