"""Accepted requests are remembered by their sender's own ids, for ever; refused ones are not."""

import pytest
from front_door import a_handler, action, balance, deposit, events, founding, opened, rows, take, withdraw
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import Engine

from backoffice.app import keys
from backoffice.app.handle import Handler
from backoffice.app.keys import recall_keys, remember_keys
from backoffice.app.requests import Accepted, Declined, Repeated, Request


@pytest.fixture
def handler(engine: Engine) -> Handler:
    made = a_handler(engine)
    take(made, founding())
    return made


def test_the_same_request_again_is_answered_with_the_same_positions(engine: Engine, handler: Handler) -> None:
    request = deposit("ann", "10.00")
    (first,) = take(handler, request)
    take(handler, deposit("bob"))
    assert handler.commit([request]) == [Repeated(first.first_position, first.last_position)]
    assert balance(engine, "ann") == 1000


def test_a_process_that_starts_later_remembers_what_was_answered_before(
    engine: Engine, handler: Handler
) -> None:
    request = deposit("ann", "10.00")
    (first,) = take(handler, request)
    assert a_handler(engine).commit([request]) == [Repeated(first.first_position, first.last_position)]


def test_the_same_request_twice_in_one_commit_counts_once(engine: Engine, handler: Handler) -> None:
    request = deposit("ann", "10.00")
    first, second = handler.commit([request, request])
    assert isinstance(first, Accepted)
    assert second == Repeated(first.first_position, first.last_position)
    assert balance(engine, "ann") == 1000


def test_one_spelling_is_as_good_as_another(engine: Engine, handler: Handler) -> None:
    take(handler, deposit("ann", "10.00", id="x", at="2026-03-01T20:00:00Z"))
    again = deposit("ann", "10.00", id="x", at="2026-03-01T21:00:00+01:00")
    assert isinstance(handler.commit([again])[0], Repeated)


def test_two_senders_may_use_the_same_id(engine: Engine, handler: Handler) -> None:
    take(
        handler,
        deposit("ann", "1.00", id="x", sender="floor"),
        deposit("ann", "2.00", id="x", sender="tower"),
    )
    assert balance(engine, "ann") == 300


def test_the_names_of_two_senders_do_not_run_together(engine: Engine, handler: Handler) -> None:
    """`a` with its `b/c` and `a/b` with its `c` are not one request to whoever reads the log."""
    take(handler, deposit("ann", "1.00", id="b/c", sender="a"), deposit("ann", "1.00", id="c", sender="a/b"))
    take(handler, deposit("ann", "1.00", id="c", sender="a%2Fb"))
    assert len({one.correlation for one in events(engine, "wallet/tallinn")}) == 3


def test_an_id_used_again_for_something_else_is_refused_and_a_fact(engine: Engine, handler: Handler) -> None:
    take(handler, deposit("ann", "10.00", id="x"))
    answer = handler.commit([deposit("ann", "99.00", id="x")])
    assert answer == [Declined("id x was accepted before with another content", "conflict")]
    assert balance(engine, "ann") == 1000
    (fact,) = events(engine, "sender/floor")
    assert (fact.type, fact.actor) == ("sender.key_conflicted", "floor")


def test_a_conflict_is_a_fact_once_for_each_content(engine: Engine, handler: Handler) -> None:
    take(handler, deposit("ann", "10.00", id="x", at="2026-03-01T20:00:00Z"))
    other, third = (deposit("ann", amount, id="x") for amount in ("99.00", "98.00"))
    handler.commit([other, other, third])
    handler.commit([other])
    a_handler(engine).commit([third, other])
    assert len(events(engine, "sender/floor")) == 2
    assert rows(engine, "select count(*) from intake.refusals where rule = 'conflict'") == [(6,)]


def test_a_conflict_inside_one_commit_is_found(engine: Engine, handler: Handler) -> None:
    first, second = handler.commit([deposit("ann", "10.00", id="x"), deposit("ann", "99.00", id="x")])
    assert isinstance(first, Accepted)
    assert isinstance(second, Declined)
    assert second.rule == "conflict"
    assert balance(engine, "ann") == 1000


def test_the_first_content_is_repeated_also_after_a_conflict(handler: Handler) -> None:
    request = deposit("ann", "10.00", id="x")
    (first,) = take(handler, request)
    handler.commit([deposit("ann", "99.00", id="x")])
    assert handler.commit([request]) == [Repeated(first.first_position, first.last_position)]


def test_a_refused_request_may_be_sent_again_once_its_cause_is_gone(engine: Engine, handler: Handler) -> None:
    request = withdraw("ann", "5.00")
    for _ in range(2):
        (refused,) = handler.commit([request])
        assert refused == Declined(
            "ann: a withdrawal of 5.00 EUR is not covered by the balance of 0.00 EUR", "cover"
        )
    take(handler, deposit("ann", "10.00"))
    take(handler, request)
    assert isinstance(handler.commit([request])[0], Repeated)
    assert balance(engine, "ann") == 500


def test_a_refused_id_may_be_used_for_something_else(engine: Engine, handler: Handler) -> None:
    handler.commit([withdraw("ann", "5.00", id="x")])
    take(handler, deposit("ann", "10.00", id="x"))
    assert not events(engine, "sender/floor")


def test_a_refusal_leaves_no_fact_and_is_kept_as_it_came(engine: Engine, handler: Handler) -> None:
    request = withdraw("ann", "5.00")
    before = len(events(engine))
    handler.commit([request])
    assert len(events(engine)) == before
    ((sender, key, rule, reason, asked),) = rows(
        engine, "select sender, key, rule, reason, action from intake.refusals"
    )
    assert (sender, key, rule) == ("floor", request.key, "cover")
    assert reason.startswith("ann: a withdrawal of 5.00 EUR")
    assert asked == request.raw


def test_a_refusal_names_its_round(engine: Engine, handler: Handler) -> None:
    handler.commit([action("close", round="nowhere")])
    assert rows(engine, "select round, reason from intake.refusals") == [
        ("nowhere", "round nowhere has not been opened")
    ]


def test_what_changed_nothing_is_remembered_too(engine: Engine, handler: Handler) -> None:
    """Sent again after others changed the network, it must not change it back."""
    request = founding()
    (answer,) = take(handler, request)
    assert answer.last_position == answer.first_position - 1 == len(events(engine))
    take(handler, opened("r-1"))
    assert handler.commit([request]) == [Repeated(answer.first_position, answer.last_position)]


def test_positions_are_those_of_the_log(engine: Engine, handler: Handler) -> None:
    requests = [deposit("ann", "1.00"), withdraw("ann", "9.00"), opened("r-1"), deposit("ann", "2.00")]
    outcomes = handler.commit(requests)
    by_request = {
        one.correlation: (outcome.first_position, outcome.last_position)
        for one, outcome in zip(requests, outcomes, strict=True)
        if isinstance(outcome, Accepted)
    }
    written = events(engine)[-3:]
    assert by_request == {one.correlation: (one.position, one.position) for one in written}


def test_a_request_is_remembered_with_all_of_the_facts_that_followed(engine: Engine) -> None:
    request: Request = founding()
    (answer,) = take(a_handler(engine), request)
    assert (answer.first_position, answer.last_position) == (1, len(events(engine)))


SENDERS, KEYS = ("a", "b", "é"), ("k-1", "k-2", "k-10", "z", "é", "\uffff", "\U0001f0a1")
"""Their order is the same in Python and in the database, beyond ASCII too."""


@pytest.mark.parametrize("few", [0, 100])
@given(data=st.data())
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_what_was_accepted_is_recalled_wherever_it_lies_among_what_is_asked(
    engine: Engine, monkeypatch: pytest.MonkeyPatch, few: int, data: st.DataObject
) -> None:
    monkeypatch.setattr(keys, "FEW", few)
    pairs = st.sets(st.tuples(st.sampled_from(SENDERS), st.sampled_from(KEYS)))
    accepted, asked = data.draw(pairs, "accepted"), data.draw(pairs, "asked")
    with engine.connect() as connection:
        remember_keys(connection, [(*key, b"\0" * 32, 1, 1, None) for key in accepted])
        assert recall_keys(connection, asked).keys() == accepted & asked
        connection.rollback()
