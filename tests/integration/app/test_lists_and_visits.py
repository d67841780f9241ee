"""What a door adds to a request: lists that are done whole or not at all, whose casinos it may touch, from where it came."""

import json

import pytest
from front_door import (
    a_handler,
    action,
    balance,
    deposit,
    differences,
    events,
    founding,
    opened,
    rows,
    said,
    staff,
    take,
    tallinn,
    whole_round,
    withdraw,
)
from sqlalchemy import Engine
from sqlalchemy.exc import DBAPIError

from backoffice.app.going_back import go_back, snapshot
from backoffice.app.group_commit import Full, GroupCommit
from backoffice.app.handle import WITHHELD, Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Accepted, Declined, Outcome, Repeated, Request, Visit
from backoffice.bootstrap import CODEC
from backoffice.domain.cases.commands import CancelRound
from backoffice.log.postgres import PostgresLog


def all_or_none(handler: Handler, *requests: Request) -> list[Outcome]:
    return handler.commit(requests, whole=[slice(0, len(requests))])


def rules(outcomes: list[Outcome]) -> list[str]:
    return [outcome.rule if isinstance(outcome, Declined) else "" for outcome in outcomes]


def test_a_list_is_done_whole_or_not_at_all(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann", "100.00"))
    before = said(engine)
    refused = all_or_none(handler, withdraw("ann", "60.00"), deposit("bea", "5.00"), withdraw("ann", "60.00"))
    assert rules(refused) == ["all or nothing", "all or nothing", "cover"]
    assert said(engine) == before
    assert balance(engine, "ann") == 10_000
    kept = rows(engine, "select rule from intake.refusals order by refusal")
    assert sorted(kept) == [("all or nothing",), ("all or nothing",), ("cover",)]
    take(handler, withdraw("ann", "100.00"))  # what the list would have taken is still there
    assert not differences(engine)


def test_neighbours_of_a_list_that_is_not_done_do_not_notice(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann", "100.00"))
    first, last = withdraw("ann", "30.00"), withdraw("ann", "70.00")
    outcomes = handler.commit(
        [first, withdraw("ann", "50.00"), withdraw("ann", "50.00"), last], whole=[slice(1, 3)]
    )
    assert rules(outcomes) == ["", "all or nothing", "cover", ""]
    assert balance(engine, "ann") == 0
    assert not differences(engine)


def test_a_whole_round_is_taken_back_in_memory_too(engine: Engine) -> None:
    """Stakes, a jackpot's chip, a phase: the same handler then plays the same round as if it had never been tried."""
    handler, other = a_handler(engine), a_handler(engine)
    take(handler, founding(), deposit("ann"))
    played = whole_round("r-1", "ann")
    assert rules(all_or_none(handler, *played, withdraw("bea", "1.00")))[-1] == "cover"
    assert len(events(engine, "round/r-1")) == 0
    again = all_or_none(handler, *played)
    assert all(isinstance(outcome, Accepted) for outcome in again)
    assert not differences(engine)
    assert all(isinstance(outcome, Repeated) for outcome in other.commit(played))


def test_a_list_that_was_done_is_answered_again_as_a_whole(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding())
    asked = [deposit("ann", "1.00"), deposit("bea", "2.00")]
    first = all_or_none(handler, *asked)
    again = all_or_none(a_handler(engine), *asked)
    assert [(one.first_position, one.version) for one in first if isinstance(one, Accepted)] == [
        (one.first_position, one.version) for one in again if isinstance(one, Repeated)
    ]


def test_the_same_action_twice_in_a_list_that_is_not_done_was_never_accepted(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding())
    twice = deposit("ann", "1.00")
    outcomes = all_or_none(handler, twice, twice, withdraw("bea", "1.00"))
    assert outcomes[:2] == [WITHHELD, WITHHELD]
    assert isinstance(handler.commit([twice])[0], Accepted)


def test_an_id_used_for_two_things_is_a_fact_also_in_a_list_that_is_not_done(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann", "1.00", id="d-1"))
    outcomes = all_or_none(handler, deposit("bea", "1.00"), deposit("ann", "2.00", id="d-1"))
    assert rules(outcomes) == ["all or nothing", "conflict"]
    assert [one.type for one in events(engine, "sender/floor")] == ["sender.key_conflicted"]


def test_the_answer_says_at_which_version_the_stream_is_left(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))
    played = whole_round("r-1", "ann")
    outcomes = take(handler, *played[:3]) + take(handler, *played[3:])
    versions = {one.position: (one.stream, one.version) for one in events(engine)}
    for outcome in outcomes:
        assert versions[outcome.first_position] == ("round/r-1", outcome.version)
    again = handler.commit(played)
    assert [one.version for one in again if isinstance(one, Repeated)] == [one.version for one in outcomes]


def test_whoever_acts_for_a_casino_acts_for_no_other(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"), opened("r-1", table="live-1"))
    theirs = Visit("10.0.0.1 by key t", ("tallinn",))
    asked = {
        "their own player's money": deposit("ann", "1.00"),
        "their own player's stake at a table of several": action(
            "ante", round="r-1", seat="a", **tallinn("ann"), amount="5.00"
        ),
        "another casino's money": deposit("bo", "1.00", casino="stockholm", currency="SEK"),
        "another casino's stake": action(
            "ante", round="r-1", seat="b", casino="stockholm", player="bo", currency="SEK", amount="50.00"
        ),
        "a table of several": opened("r-2", table="live-1"),
        "all players of a table of several": action("close", round="r-1"),
        "everybody's rates": action("rate", quote="SEK", rate="11.00"),
    }
    outcomes = handler.commit([request._replace(visit=theirs) for request in asked.values()])
    assert dict(zip(asked, rules(outcomes), strict=True)) == {
        "their own player's money": "",
        "their own player's stake at a table of several": "",
        "another casino's money": "casino",
        "another casino's stake": "casino",
        "a table of several": "casino",
        "all players of a table of several": "casino",
        "everybody's rates": "casino",
    }


def test_what_was_looked_at_must_still_be_so(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"), opened("r-1"))
    seat = action("ante", round="r-1", seat="1", **tallinn("ann"), amount="20.00")
    at_one = Visit("here", unchanged=("round/r-1", 1))
    outcomes = handler.commit(
        [seat._replace(visit=at_one), action("mark", round="r-1", seat="1")._replace(visit=at_one)]
    )
    assert rules(outcomes) == ["", "changed"]


def test_a_write_leaves_who_from_where_what_before_after_and_why(engine: Engine) -> None:
    handler = a_handler(engine)
    here = Visit("10.0.0.1 by token")
    take(handler, founding(), deposit("ann", "100.00"), opened("r-1"))
    take(handler, action("ante", round="r-1", seat="1", **tallinn("ann"), amount="20.00"))
    take(handler, action("rate", quote="SEK", rate="11.00"))
    asked = [
        withdraw("ann", "30.00"),
        action("rate", quote="SEK", rate="11.50"),
        staff(CancelRound, "kim", round="r-1", reason="cards on the floor"),
    ]
    take(handler, *(request._replace(visit=here) for request in asked))
    told = rows(
        engine,
        "select who, whence, what, about, why, before::text, after::text from intake.significant_events order by number",
    )
    assert [one[:5] for one in told] == [
        ("floor", "10.0.0.1 by token", "withdraw", "casino tallinn, player ann, currency EUR", None),
        ("floor", "10.0.0.1 by token", "set rate", "quote SEK", None),
        ("kim", "10.0.0.1 by token", "cancel round", "round r-1", "cards on the floor"),
    ]
    changes = [(json.loads(before), json.loads(after)) for *_, before, after in told]
    assert changes[0] == (
        {"balance of ann of tallinn in EUR": "80.00 EUR"},
        {"balance of ann of tallinn in EUR": "50.00 EUR"},
    )
    assert changes[1] == ({"rate SEK": "11.00"}, {"rate SEK": "11.50"})
    # The refund follows in the same commit.
    assert changes[2][0] == {"round r-1": "betting", "balance of ann of tallinn in EUR": "50.00 EUR"}
    assert changes[2][1] == {"round r-1": "cancelled", "balance of ann of tallinn in EUR": "70.00 EUR"}


def test_of_a_tables_action_the_whence_is_kept_with_its_key(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), opened("r-1", id="a-1")._replace(visit=Visit("10.0.0.2 by key floor-1")))
    kept = rows(engine, "select whence from intake.accepted_keys where key = 'a-1'")
    assert kept == [("10.0.0.2 by key floor-1",)]
    assert not rows(engine, "select from intake.significant_events")


@pytest.mark.parametrize("change", ["update {} set who = 'nobody'", "delete from {}", "truncate {}"])
def test_evidence_can_only_be_added_to(engine: Engine, change: str) -> None:
    with engine.connect() as connection, pytest.raises(DBAPIError, match="append-only"):
        connection.exec_driver_sql(change.format("intake.significant_events"))


def test_a_desk_with_no_room_left_takes_nothing_more_in(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding())
    with GroupCommit(handler, room=3) as group, PostgresLog(engine).writing():
        waiting = group.submit([deposit("ann", "1.00"), deposit("ann", "1.00")])
        with pytest.raises(Full):
            group.submit([deposit("bea", "1.00"), deposit("bea", "1.00")])
        last = group.submit([deposit("ann", "1.00")])
        assert group.waiting == 3
    assert len(waiting.result()) + len(last.result()) == 3
    assert group.waiting == 0
    assert (balance(engine, "ann"), balance(engine, "bea")) == (300, 0)


def test_a_snapshot_of_the_past_holds_every_part_of_it() -> None:
    """Whatever is folded into later does not show in the snapshot, however deep it lies."""
    past = Recall(CODEC)
    past.debts["tallinn", "ann"] = {"EUR": 5}
    past.hits["r-1"] = []
    before = snapshot(past)
    past.debts["tallinn", "ann"]["EUR"] = 0
    past.hits["r-1"].append(None)  # type: ignore[arg-type]
    past.metered.append(None)  # type: ignore[arg-type]
    go_back(past, before)
    assert past.debts == {("tallinn", "ann"): {"EUR": 5}}
    assert past.hits == {"r-1": []}
    assert past.metered == []
