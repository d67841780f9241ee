"""A round is told whole: who, what, when, the cards, each pay line with its rule, the money, the hashes."""

import csv
import json
from collections import Counter
from decimal import Decimal
from io import StringIO
from typing import Any

import pytest
from command_line import backoffice
from feeding import Feeding
from front_door import a_handler, action, deposit, events, founding, opened, staff, take, tallinn, whole_round
from sqlalchemy import Engine

from backoffice.bootstrap import CODEC
from backoffice.domain.cases.commands import Approve, RequestCorrection, RequestReversal
from backoffice.log.postgres import PostgresLog
from backoffice.reports.round_sentences import when
from backoffice.reports.round_story import UnknownRound, as_text, round_story


def story(engine: Engine, round_id: str) -> dict[str, Any]:
    return round_story(PostgresLog(engine), CODEC, round_id)


def test_every_round_of_the_sample_is_told_and_its_lines_are_those_of_the_export(engine: Engine) -> None:
    Feeding(engine).take_all()
    exported = list(csv.DictReader(StringIO(backoffice(engine, "export", "round-lines").out)))
    rounds = {one.stream.removeprefix("round/") for one in events(engine) if one.type == "round.opened"}
    assert len(rounds) == 250
    told: list[dict[str, str]] = []
    for name in sorted(rounds):
        whole = story(engine, name)
        assert list(as_text(whole))
        _balances_to_zero(whole)
        told += [_as_exported(name, line) for line in whole["lines"]]
    by_all = sorted(exported, key=lambda row: tuple(row.values()))
    assert sorted(told, key=lambda row: tuple(row.values())) == by_all


def _as_exported(name: str, line: dict[str, Any]) -> dict[str, str]:
    columns = ("seat", "casino", "player", "currency", "bet", "stake", "result", "odds", "payout")
    cells = {column: "" if line[column] is None else str(line[column]) for column in columns}
    return {"round": name, **cells}


def _balances_to_zero(whole: dict[str, Any]) -> None:
    """Every event in every currency, and what the round held at its end."""
    stakes: Counter[str] = Counter()
    for event in whole["events"]:
        sums: Counter[str] = Counter()
        for posting in event["postings"]:
            sums[posting["currency"]] += Decimal(posting["amount"])  # type: ignore[assignment]
            if posting["account"].startswith(f"stakes:{whole['round']}:"):
                stakes[posting["currency"]] += Decimal(posting["amount"])  # type: ignore[assignment]
        assert not any(sums.values()), event
    assert not any(stakes.values())


def test_a_round_is_told_in_the_order_of_the_log_with_its_hashes(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    whole = story(engine, "r-1")
    written = events(engine, "round/r-1")
    assert [one["position"] for one in whole["events"]] == [one.position for one in written]
    assert [one["hash"] for one in whole["events"]] == [one.hash.hex() for one in written]
    assert [one["actor"] for one in whole["events"]] == ["floor"] * 8
    assert (whole["table"], whole["ruleset"], whole["jackpot"], whole["phase"]) == (
        "high-24h",
        "caribbean-24h/1",
        "house-24h",
        "settled",
    )


def test_the_story_and_the_data_say_the_same(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    text = backoffice(engine, "round", "show", "r-1").out
    data = json.loads(backoffice(engine, "round", "show", "r-1", "--json").out)
    assert data == story(engine, "r-1")
    for event in data["events"]:
        for said in (event["what"], event["hash"], when(event["happened_at"]), str(event["position"])):
            assert said in text
    for line in data["lines"]:
        assert line["rule"] in text
    assert "10♣" in text


def test_what_a_settlement_did_elsewhere_is_part_of_the_story(engine: Engine) -> None:
    """Prizes of the jackpot and cases stand in their own streams, and were made true by the same request."""
    royal = {"1": ["As", "Ks", "Qs", "Js", "Ts"]}
    reveal, settle = whole_round("r-1", "ann")[-2:]
    payouts = {"1": {"call": "1.00"}}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        *whole_round("r-1", "ann")[:4],
        action("deal", round="r-1", hands=royal, up="Kd"),
        action("call", round="r-1", seat="1"),
        reveal,
        action("settle", round="r-1", id=settle.key, payouts=payouts),
        deposit("bob"),
    )
    types = [one["type"] for one in story(engine, "r-1")["events"]]
    assert types[-4:] == ["round.settled", "jackpot.hit", "jackpot.seeded", "case.dispute_opened"]


def test_a_conflict_right_behind_a_settlement_is_not_part_of_the_story(engine: Engine) -> None:
    handler = a_handler(engine)
    *play, settle = whole_round("r-1", "ann")
    take(handler, founding(), deposit("ann"), *play)
    handler.commit([settle, action("settle", round="r-1", id=settle.key, payouts={})])
    assert events(engine)[-1].type == "sender.key_conflicted"
    assert story(engine, "r-1")["events"][-1]["type"] == "round.settled"


def test_a_cancelled_round_is_told_to_its_compensation_case(engine: Engine) -> None:
    royal = {"1": ["As", "Ks", "Qs", "Js", "Ts"]}
    play = whole_round("r-1", "ann")[:4]
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        *play,
        action("deal", round="r-1", hands=royal, up="Kd"),
    )
    take(a_handler(engine), action("cancel", round="r-1", reason="misdeal"), deposit("bob"))
    whole = story(engine, "r-1")
    assert [one["type"] for one in whole["events"]][-3:] == [
        "round.cancellation_requested",
        "round.cancelled",
        "case.compensation_opened",
    ]
    assert {line["result"] for line in whole["lines"]} == {"refund"}
    _balances_to_zero(whole)


def test_chips_of_a_pot_game_are_told_as_money(engine: Engine) -> None:
    seat = {"round": "s-1", "seat": "1"}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        opened("s-1", table="stud-10-20"),
        action("sit", **seat, **tallinn("ann"), stack="100.00"),
        action("post", **seat),
    )
    assert story(engine, "s-1")["events"][-1]["what"] == "seat 1 posts an ante of 1.00 EUR"


def test_a_round_that_goes_on_is_told_as_far_as_it_is(engine: Engine) -> None:
    take(a_handler(engine), founding(), opened("r-1"), action("suspend", round="r-1", reason="spilt drink"))
    head = next(as_text(story(engine, "r-1")))
    assert (
        head
        == "Round r-1, number r-1, table high-24h, caribbean-24h/1, jackpot house-24h: betting, suspended"
    )


def test_a_round_that_never_was_is_unknown(engine: Engine) -> None:
    take(a_handler(engine), founding())
    with pytest.raises(UnknownRound, match="round r-1 was never opened"):
        story(engine, "r-1")


def test_a_round_that_was_taken_back_and_corrected_is_told_with_all_its_results_and_who_wanted_it(
    engine: Engine,
) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"), *whole_round("r-1", "ann"))
    take(handler, staff(RequestReversal, "mia", round="r-1", reason="a card was misread"))
    take(handler, staff(Approve, "otto:compliance", case="reversal/r-1", proposal=1))
    whole = story(engine, "r-1")
    assert whole["phase"] == "reversed"
    assert [(line["result_number"], line["result"], line["holds"]) for line in whole["lines"]] == [
        (1, "lose", False),
        (1, "lose", False),
        (1, "lose", False),
        (2, "refund", True),
        (2, "refund", True),
        (2, "refund", True),
    ]
    hands = {"1": ["2c", "2d", "2h", "2s", "Tc"]}
    take(handler, staff(RequestCorrection, "mia", round="r-1", reason="four twos", hands=hands))
    take(handler, staff(Approve, "otto:compliance", case="correction/r-1", proposal=1))
    whole = story(engine, "r-1")
    assert whole["phase"] == "settled"
    assert {line["result_number"]: line["holds"] for line in whole["lines"]} == {1: False, 2: False, 3: True}
    _balances_to_zero(whole)
    told = [one["what"] for one in whole["events"] if one["case"] or one["type"] in UNDOING]
    assert told == [
        "case reversal/r-1: mia asks to take round r-1 back: a card was misread",
        told[1],
        "case reversal/r-1: otto, compliance, approves",
        "case reversal/r-1: round r-1 is taken back",
        "taken back after settling, 3 bets",
        "case correction/r-1: mia asks to settle round r-1 anew: four twos",
        told[6],
        "case correction/r-1: otto, compliance, approves",
        "case correction/r-1: round r-1 is settled anew",
        "to be settled anew with 1: 2♣ 2♦ 2♥ 2♠ 10♣; the dealer holds K♦ K♣ 3♥ 5♠ 7♦, K♦ open; 3 stakes taken again",
    ]
    assert told[6].startswith(
        "case correction/r-1: mia proposes it with 1: 2♣ 2♦ 2♥ 2♠ 10♣ (four twos), until "
    )
    text = list(as_text(whole))
    assert text.count("Result 1, until another took its place:") == 1
    assert text.count("Result 3, which holds:") == 1


UNDOING = {"round.reversed", "round.corrected"}
