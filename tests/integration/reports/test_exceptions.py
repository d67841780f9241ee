"""An evening on which everything goes otherwise, and what the exceptions reports say of it."""

import json
from typing import Any

import pytest
from command_line import backoffice
from front_door import a_handler, action, deposit, founding, opened, rows, staff, take, tallinn, whole_round
from sqlalchemy import Engine

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Declined, Request
from backoffice.bootstrap import CODEC, House
from backoffice.domain.cases.commands import Approve, OpenCase, Propose, RequestCorrection, RequestReversal
from backoffice.log.postgres import PostgresLog
from backoffice.reports.exceptions.catalogue import EXCEPTIONS

ROYAL = {"1": ["As", "Ks", "Qs", "Js", "Ts"]}


def report(engine: Engine, name: str, *arguments: str) -> list[dict[str, Any]]:
    done = backoffice(engine, "report", name, "--format", "json", *arguments)
    assert done.code == 0, done.err
    return list(json.loads(done.out)["rows"])


def some(row: dict[str, Any], *names: str) -> tuple[Any, ...]:
    return tuple(row[name] for name in names)


@pytest.fixture
def house(engine: Engine) -> Engine:
    take(a_handler(engine), founding(), deposit("ann"), deposit("bob"))
    return engine


def test_a_cancelled_round_is_told_with_who_cancelled_it_why_and_what_was_refunded(house: Engine) -> None:
    play = whole_round("r-1", "ann")[:5]
    take(a_handler(house), *play, action("cancel", round="r-1", reason="a card lay open"))
    (row,) = report(house, "cancelled-rounds")
    assert some(row, "round", "table_id", "phase", "cancelled_by", "reason", "casino", "currency") == (
        "r-1",
        "high-24h",
        "cancelled",
        "floor",
        "a card lay open",
        "tallinn",
        "EUR",
    )
    assert some(row, "bets", "refunded") == (2, "20.50")


def test_a_cancelled_round_on_which_nobody_staked_is_told_too(house: Engine) -> None:
    take(a_handler(house), opened("r-1"), action("cancel", round="r-1", reason="nobody plays"))
    (row,) = report(house, "cancelled-rounds")
    assert some(row, "reason", "casino", "bets", "refunded") == ("nobody plays", None, 0, None)


def test_a_reversal_tells_who_asked_who_agreed_and_what_went_back(house: Engine) -> None:
    hand = {"1": ["2c", "2d", "2h", "2s", "Tc"]}
    play = whole_round("r-1", "ann")
    play[4] = action("deal", round="r-1", hands=hand, up="Kd")
    take(a_handler(house), *play)
    take(a_handler(house), staff(RequestReversal, "mia", round="r-1", reason="a card was misread"))
    (asked,) = report(house, "reversals")
    assert some(asked, "standing", "opened_by", "stakes_back") == ("proposed", "mia", None)
    take(a_handler(house), staff(Approve, "otto:compliance", case="reversal/r-1", proposal=1))
    (row,) = report(house, "reversals")
    assert some(row, "round", "opened_by", "reason", "proposed_by", "decided_by", "outcome") == (
        "r-1",
        "mia",
        "a card was misread",
        "mia",
        "otto",
        "carried out",
    )
    lines = "select sum(stake_minor), sum(payout_minor) from read.round_lines where number = 1"
    ((stakes, payouts),) = rows(house, lines)
    assert some(row, "casino", "currency") == ("tallinn", "EUR")
    assert [int(row[name].replace(".", "")) for name in ("stakes_back", "payouts_taken")] == [stakes, payouts]
    corrected = {"hands": {"1": ["2c", "4d", "6h", "8s", "Tc"]}}
    take(a_handler(house), staff(RequestCorrection, "mia", round="r-1", reason="no pair", **corrected))
    take(a_handler(house), staff(Approve, "otto:compliance", case="correction/r-1", proposal=1))
    (correction,) = report(house, "corrections")
    assert some(correction, "round", "opened_by", "decided_by", "outcome") == (
        "r-1",
        "mia",
        "otto",
        "carried out",
    )
    assert report(house, "reversals") == [row]


def test_a_compensation_tells_who_proposed_and_who_approved(house: Engine) -> None:
    play = whole_round("r-1", "ann")[:4]
    take(a_handler(house), *play, action("deal", round="r-1", hands=ROYAL, up="Kd"))
    take(a_handler(house), action("cancel", round="r-1", reason="misdeal"))
    case = "compensation/r-1/1"
    take(a_handler(house), staff(Propose, "mia", case=case, amount="5000.00", reason="a royal flush"))
    take(a_handler(house), staff(Approve, "otto:compliance", case=case, proposal=1))
    claim = {**tallinn("bob"), "grounds": "goodwill", "reason": "waited long"}
    take(a_handler(house), staff(OpenCase, "mia", **claim))
    paid, open_ = report(house, "compensations")
    assert some(paid, "player", "hand", "proposed", "proposed_by", "decided_by", "moved", "outcome") == (
        "ann",
        "royal flush",
        "5000.00",
        "mia",
        "otto",
        "5000.00",
        "paid",
    )
    assert some(open_, "kind", "player", "opened_by", "standing") == ("claim", "bob", "mia", "open")


def test_a_discrepancy_tells_what_was_claimed_and_what_was_due(house: Engine) -> None:
    *play, settle = whole_round("r-1", "ann")
    take(
        a_handler(house), *play, action("settle", round="r-1", id=settle.key, payouts={"1": {"call": "1.00"}})
    )
    (row,) = report(house, "discrepancies")
    assert some(row, "round", "seat", "player", "bet", "claimed", "due") == (
        "r-1",
        "1",
        "ann",
        "call",
        "1.00",
        "0.00",
    )


def test_a_void_hand_is_told_with_the_reason_and_what_was_forfeited(house: Engine) -> None:
    at = {"round": "r-1"}
    take(
        a_handler(house),
        opened("r-1", "dublin-1"),
        action("ante", **at, seat="3", **tallinn("ann"), amount="50.00"),
        action("close", **at),
        action("deal", **at, hands={"3": ["2c", "4d", "6h", "8s", "Tc"]}, up="Kd"),
        action("call", **at, seat="3"),
        action("void", **at, seat="3", reason="showed cards"),
    )
    (waiting,) = report(house, "voided-hands")
    assert some(waiting, "seat", "reason", "player", "forfeited") == ("3", "showed cards", None, None)
    take(
        a_handler(house),
        action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **at),
    )
    (row,) = report(house, "voided-hands")
    assert some(row, "player", "voided_by", "currency", "forfeited") == ("ann", "floor", "EUR", "150.00")
    take(a_handler(house), staff(RequestReversal, "mia", round="r-1", reason="nothing was shown"))
    take(a_handler(house), staff(Approve, "otto:compliance", case="reversal/r-1", proposal=1))
    (undone,) = report(house, "voided-hands")
    assert some(undone, "phase", "player", "forfeited") == ("reversed", "ann", None)


def test_refused_actions_are_told_by_casino_and_by_the_day_they_say(house: Engine) -> None:
    handler = a_handler(house)
    take(handler, opened("r-1"))
    lugano = {"casino": "lugano", "player": "cia", "currency": "CHF"}
    refused = handler.commit(
        [
            action("withdraw", **tallinn("nobody"), amount="5.00"),
            action("close", round="r-1", at="2026-03-05T20:00:00Z"),
            action("withdraw", **lugano, amount="5.00"),
            opened("r-2", "no-such-table"),
        ]
    )
    assert all(isinstance(one, Declined) for one in refused)
    told = report(house, "refused-actions")
    assert [some(row, "do", "casino", "round", "sender") for row in told] == [
        ("withdraw", "tallinn", None, "floor"),
        ("close", None, "r-1", "floor"),
        ("withdraw", "lugano", None, "floor"),
        ("open", None, "r-2", "floor"),
    ]
    assert all(row["reason"] and row["rule"] for row in told)
    assert [row["do"] for row in report(house, "refused-actions", "--casino", "lugano")] == [
        "withdraw",
        "open",
    ]
    on_the_day = ("--casino", "tallinn", "--day", "2026-03-05")
    assert [row["do"] for row in report(house, "refused-actions", *on_the_day)] == ["close"]


@pytest.mark.parametrize(
    "said", [b"\x00\xff", b"[1]", b"[" * 5000, b'{"at": "0001-01-01T00:00:00+14:00"}', b'{"do": "\\ud800"}']
)
def test_a_refusal_that_cannot_be_read_is_told_all_the_same(house: Engine, said: bytes) -> None:
    with house.begin() as connection:
        connection.exec_driver_sql(
            "insert into intake.refusals (sender, rule, reason, action) values ('floor', 'form', 'unreadable', %s)",
            (said,),
        )
    (row,) = report(house, "refused-actions")
    assert some(row, "reason", "happened_at") == ("unreadable", None)


def test_unfinished_rounds_are_aged_with_the_money_they_hold(house: Engine) -> None:
    long_ago = {"at": "2020-01-01T20:00:00Z"}
    take(a_handler(house), *whole_round("r-1", "ann")[:3], opened("r-2", "dublin-1", **long_ago))
    take(a_handler(house), action("suspend", round="r-1", reason="camera check"))
    take(a_handler(house), *whole_round("r-3", "bob"))
    old, young = report(house, "unfinished-rounds")
    assert some(old, "round", "overdue", "reason_code", "held", "casino") == (
        "r-2",
        "yes",
        "betting",
        None,
        None,
    )
    assert old["age_days"] > 90
    assert some(young, "round", "reason_code", "reason", "casino", "currency", "held") == (
        "r-1",
        "suspended",
        "camera check",
        "tallinn",
        "EUR",
        "20.50",
    )


def test_a_round_that_waits_for_its_refund_is_unfinished_and_holds_the_money(house: Engine) -> None:

    not_reacting = Handler(PostgresLog(house), CODEC, Recall(CODEC), reacts=False)
    take(not_reacting, *whole_round("r-1", "ann")[:3], action("cancel", round="r-1", reason="misdeal"))
    (row,) = report(house, "unfinished-rounds")
    assert some(row, "reason_code", "reason", "held") == ("cancelling", "misdeal", "20.50")
    (cancelled,) = report(house, "cancelled-rounds")
    assert some(cancelled, "phase", "refunded") == ("cancelling", None)


def test_rounds_opened_beside_an_unfinished_one_are_told_with_it(house: Engine) -> None:
    take(a_handler(house), *whole_round("r-1", "ann"))
    take(a_handler(house), opened("r-2"), opened("r-3"), opened("r-4", "low-24h"))
    take(a_handler(house), action("cancel", round="r-2", reason="opened twice"), opened("r-5"))
    told = report(house, "rounds-side-by-side")
    assert [some(row, "round", "table_id", "unfinished") for row in told] == [
        ("r-3", "high-24h", "r-2"),
        ("r-5", "high-24h", "r-3"),
    ]


def between_days(engine: Engine) -> list[Request]:
    """A round of a table of two casinos, when one's gaming day has begun and the other's, an hour west, has not."""
    take(a_handler(engine), deposit("eve", "10000", casino="stockholm", currency="SEK"))
    at = {"round": "r-9", "at": "2026-05-05T03:30:00Z"}
    eve = {"casino": "stockholm", "player": "eve", "currency": "SEK", "amount": "200.00"}
    return [
        action("open", **at, table="live-1", number="9"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="20.00"),
        action("ante", **at, seat="2", **eve),
    ]


BOTH_DAYS = {"2026-05-04": [("stockholm", "200.00")], "2026-05-05": [("tallinn", "20.00")]}


def test_of_a_round_each_casino_is_told_on_its_own_day(house: Engine) -> None:
    take(a_handler(house), *between_days(house))
    for day, held in BOTH_DAYS.items():
        told = report(house, "unfinished-rounds", "--day", day)
        assert [some(row, "casino", "held") for row in told] == held
        assert {row["casino"] for row in report(house, "exposure", "--day", day)} == {held[0][0]}
    stop = action("cancel", round="r-9", reason="a card lay open", at="2026-05-05T03:31:00Z")
    take(a_handler(house), stop)
    for day, refunded in BOTH_DAYS.items():
        told = report(house, "cancelled-rounds", "--day", day)
        assert [some(row, "casino", "refunded") for row in told] == refunded


@pytest.mark.parametrize("name", [each.name for each in EXCEPTIONS])
def test_other_casinos_and_other_days_have_none(house: Engine, name: str) -> None:
    play = whole_round("r-1", "ann")[:4]
    take(a_handler(house), *play, action("deal", round="r-1", hands=ROYAL, up="Kd"))
    take(a_handler(house), action("cancel", round="r-1", reason="misdeal"), opened("r-2"), opened("r-3"))
    assert report(house, name, "--casino", "stockholm") == []
    assert report(house, name, "--casino", "tallinn", "--day", "2020-01-01") == []


def test_everything_cancelled_or_void_in_the_sample_is_told(sample_house: House) -> None:
    engine = sample_house.engine
    told = report(engine, "cancelled-rounds")
    assert {row["round"] for row in told} == {
        name for (name,) in rows(engine, "select round from read.rounds where phase = 'cancelled'")
    }
    refunded = sum(int(row["refunded"].replace(".", "")) for row in told if row["currency"] == "EUR")
    ((due,),) = rows(
        engine, "select sum(stake_minor) from read.round_lines where result = 'refund' and currency = 'EUR'"
    )
    assert refunded == due
    void = rows(engine, "select count(*) from log.events where type = 'round.hand_voided'")
    assert [(len(report(engine, "voided-hands")),)] == void
