"""What staff does on the command line, from a wrong hand to a debt that is written off."""

import csv
import json
from io import StringIO
from typing import Any

import pytest
from command_line import Done, backoffice
from front_door import a_handler, action, deposit, founding, opened, take, tallinn, whole_round, withdraw
from sqlalchemy import Engine

MIA, OTTO = ("--as", "mia"), ("--as", "otto:compliance@tallinn")


def said(engine: Engine, *arguments: str) -> str:
    """What a command that is accepted says."""
    done = backoffice(engine, *arguments)
    assert (done.code, done.err) == (0, ""), done
    return done.out


def refused(engine: Engine, *arguments: str) -> str:
    """Why a command is refused."""
    done = backoffice(engine, *arguments)
    assert (done.code, done.out) == (1, ""), done
    return done.err.removeprefix("refused: ").strip()


def exported(engine: Engine, name: str) -> list[dict[str, str]]:
    return list(csv.DictReader(StringIO(said(engine, "export", name))))


def listed(engine: Engine, *options: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in said(engine, "cases", "list", "--json", *options).splitlines()]


@pytest.fixture
def floor(engine: Engine) -> Engine:
    """Ann has won a round at a 24h table with three of a kind and taken most of her money home."""
    at = {"round": "r-1"}
    play = [
        opened("r-1"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="20.00"),
        action("mark", **at, seat="1"),
        action("close", **at),
        action("deal", **at, hands={"1": ["9c", "9d", "9h", "8s", "Tc"]}, up="Kd"),
        action("call", **at, seat="1"),
        action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **at, payouts={"1": {"call": "170.00"}}),
    ]
    take(a_handler(engine), founding(), deposit("ann", "100.00"), *play, withdraw("ann", "200.00"))
    return engine


def test_a_settled_round_is_reversed_by_two_people_and_what_is_spent_is_a_debt(floor: Engine) -> None:
    assert said(floor, "cancel", "r-1", "--reason", "a card was misread", *MIA).startswith(
        "case reversal/r-1: mia asks to take round r-1 back: a card was misread\n"
        "case reversal/r-1: mia proposes it (a card was misread), until "
    )
    assert refused(floor, "cancel", "r-1", "--reason", "again", *OTTO) == (
        "mia has asked for this reversal already: approve or refuse it"
    )
    assert refused(floor, "cases", "approve", "reversal/r-1", *MIA) == (
        "mia made this proposal: another person must decide about it"
    )
    assert refused(floor, "cases", "approve", "reversal/r-1", "--as", "otto:cashier") == (
        "otto acts as cashier: that role does not decide about money"
    )
    told = said(floor, "cases", "approve", "reversal/r-1", "--proposal", "1", *OTTO)
    assert told.splitlines()[:3] == [
        "case reversal/r-1: otto, compliance, approves",
        "case reversal/r-1: round r-1 is taken back",
        "taken back after settling, 3 bets; ann of tallinn owes 100.00 EUR",
    ]
    assert refused(floor, "cases", "approve", "reversal/r-1", *OTTO) == "the case is closed"
    assert [row["result"] for row in exported(floor, "round-lines")] == ["refund"] * 3
    assert exported(floor, "balances") == [{**tallinn("ann"), "balance": "0.00"}]
    assert said(floor, "debts", "list") == f"{'tallinn':<16} {'ann':<24} {'100.00':>16} EUR\n"
    shown = said(floor, "round", "show", "r-1")
    assert "Result 1, until another took its place:" in shown
    assert "receivable:tallinn:ann" in shown
    assert said(floor, "round", "audit", "--all") == "2 decisions made again, 0 differ\n"
    assert said(floor, "projections", "compare") == "no difference\n"


def test_the_right_hand_is_settled_anew(floor: Engine) -> None:
    said(floor, "cancel", "r-1", "--reason", "a card was misread", *MIA)
    said(floor, "cases", "approve", "reversal/r-1", *OTTO)
    wrong = backoffice(floor, "correct", "r-1", "--hand", "1=9c 9d", "--reason", "x", *MIA)
    assert (wrong.code, wrong.err) == (1, "refused: seat 1: was dealt 5 cards, not 2\n")
    asked = ("correct", "r-1", "--hand", "1=9c 9d 2h 8s Tc", "--dealer", "KdKc3h5s7d", "--open", "Kc")
    said(floor, *asked, "--reason", "a two, not a nine", *MIA)
    told = said(floor, "cases", "approve", "correction/r-1", *OTTO)
    assert "to be settled anew with 1: 9♣ 9♦ 2♥ 8♠ 10♣" in told
    lines = {row["bet"]: (row["result"], row["payout"]) for row in exported(floor, "round-lines")}
    assert lines == {"ante": ("lose", "0.00"), "call": ("lose", "0.00"), "jackpot": ("lose", "0.00")}
    assert said(floor, "debts", "list").split() == ["tallinn", "ann", "160.50", "EUR"]
    assert said(floor, "round", "audit", "--all") == "3 decisions made again, 0 differ\n"
    assert said(floor, "projections", "compare") == "no difference\n"


def test_a_debt_is_repaid_and_what_is_left_written_off(floor: Engine) -> None:
    said(floor, "cancel", "r-1", "--reason", "a card was misread", *MIA)
    said(floor, "cases", "approve", "reversal/r-1", *OTTO)
    ann = ("tallinn", "ann", "EUR")
    take(a_handler(floor), deposit("ann", "30.00"))
    assert refused(floor, "debts", "repay", *ann, "30.00", "--as", "cai:auditor") == (
        "cai takes no money at tallinn"
    )
    assert said(floor, "debts", "repay", *ann, "30.00", "--as", "cai:cashier@tallinn") == (
        "ann of tallinn pays 30.00 EUR of a debt back\n"
    )
    assert refused(floor, "debts", "write-off", *ann, "70.01", "--reason", "gone", *MIA) == (
        "ann owes 70.00 EUR, not 70.01 EUR"
    )
    said(floor, "debts", "write-off", *ann, "70.00", "--reason", "gone", *MIA)
    (case,) = [one["case"] for one in listed(floor) if one["kind"] == "write-off"]
    assert said(floor, "cases", "approve", case, *OTTO).splitlines()[1] == (
        f"case {case}: 70.00 EUR owed by ann is written off"
    )
    assert said(floor, "debts", "list") == ""
    assert json.loads(said(floor, "cases", "show", case, "--json"))["standing"] == "closed"


def test_an_open_round_is_cancelled_at_once_and_its_hand_compensated(engine: Engine) -> None:
    *play, _ = whole_round("r-1", "ann")[:5]
    full_house = {"1": ["2c", "2d", "2h", "8s", "8c"]}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        *play,
        action("deal", round="r-1", hands=full_house, up="Kd"),
    )
    told = said(engine, "cancel", "r-1", "--reason", "misdeal", *MIA)
    assert told.splitlines() == [
        "cancellation requested: misdeal; 1 mark out of the jackpot",
        "cancelled, 2 bets refunded",
        "case compensation/r-1/1: full house at seat 1, 25.00 EUR suggested as compensation",
    ]
    assert refused(engine, "cancel", "r-1", "--reason", "misdeal", *MIA) == "the round is cancelled already"
    case = "compensation/r-1/1"
    assert refused(engine, "cases", "approve", case, *OTTO) == "there is no proposal to decide about"
    said(engine, "cases", "propose", case, "20.00", "--reason", "part of it", *MIA)
    (row,) = listed(engine, "--casino", "tallinn")
    told_of = ("case", "standing", "hand", "suggested", "proposal", "proposed", "proposed_by", "expired")
    assert [row[name] for name in told_of] == [
        case,
        "proposed",
        "full house",
        "25.00",
        1,
        "20.00",
        "mia",
        False,
    ]
    assert "proposal 1: 20.00 EUR by mia, until" in said(engine, "cases", "list", "--round", "r-1")
    assert said(engine, "cases", "refuse", case, "--reason", "all of it", *OTTO).endswith(
        "otto refuses: all of it\n"
    )
    assert "proposal 1 refused by otto: all of it" in said(engine, "cases", "list")
    said(engine, "cases", "propose", case, "25.00", "--reason", "all of it", *MIA)
    assert refused(engine, "cases", "approve", case, "--proposal", "1", *OTTO) == (
        "proposal 1 was changed: proposal 2 stands now"
    )
    said(engine, "cases", "approve", case, *OTTO)
    assert listed(engine) == []
    (row,) = listed(engine, "--all", "--kind", "compensation")
    assert (row["outcome"], row["moved"], row["decided_by"]) == ("paid", "25.00", "otto")
    shown = said(engine, "cases", "show", case)
    assert "compensation:tallinn" in shown
    assert "mia proposes 20.00 EUR (part of it)" in shown


def test_a_claim_is_opened_by_hand(floor: Engine) -> None:
    opened_by_hand = said(
        floor, "cases", "open", "tallinn", "ann", "EUR", "--grounds", "goodwill", "--reason", "late", *MIA
    )
    assert opened_by_hand.endswith("opened by mia for ann: late\n")
    nobody = ("cases", "open", "tallinn", "bob", "EUR", "--grounds", "goodwill", "--reason", "late")
    assert refused(floor, *nobody, "--round", "r-1", *MIA) == (
        "bob of tallinn did not play in round r-1 in EUR"
    )
    assert [one["kind"] for one in listed(floor)] == ["dispute", "claim"]
    assert listed(floor, "--casino", "lugano") == []


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("cancel", "r-1", "--as", "mia"), "Missing option '--reason'"),
        (("cancel", "r-1", "--reason", "x" * 201, "--as", "mia"), "reason: String should have at most 200"),
        (("cancel", "r-1", "--reason", "x", "--as", "mia:king"), "there is no role king"),
        (("cancel", "r-1", "--reason", "x", "--as", ":auditor"), "is nobody"),
        (("correct", "r-1", "--hand", "9c", "--reason", "x", "--as", "mia"), "SEAT=CARDS"),
        (("correct", "r-1", "--hand", "1=9x", "--reason", "x", "--as", "mia"), "hands.1.0"),
        (("cases", "approve", "r-1", "--proposal", "0", "--as", "mia"), "--proposal"),
    ],
)
def test_what_cannot_be_meant_is_said_to_be_so(engine: Engine, arguments: tuple[str, ...], why: str) -> None:
    done = backoffice(engine, *arguments)
    assert (done.code, done.out) == (2, "")
    assert why in " ".join(done.err.replace("│", " ").split())


def test_what_is_not_there_is_refused_or_unknown(engine: Engine) -> None:
    take(a_handler(engine), founding())
    assert refused(engine, "cancel", "r-9", "--reason", "x", *MIA) == "round r-9 has not been opened"
    assert refused(engine, "cases", "approve", "r-9", *MIA) == "there is no case r-9"
    done = backoffice(engine, "cases", "show", "r-9")
    assert done == Done(2, "", "backoffice: there is no case r-9\n")
    assert said(engine, "cases", "list") == ""


def test_whoever_is_logged_in_acts_unless_another_is_named(
    floor: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LOGNAME", "bea")
    told = said(floor, "cancel", "r-1", "--reason", "a card was misread")
    assert told.startswith("case reversal/r-1: bea asks to take round r-1 back")
    assert refused(floor, "cases", "approve", "reversal/r-1") == (
        "bea made this proposal: another person must decide about it"
    )
    said(floor, "cases", "approve", "reversal/r-1", *OTTO)


def test_the_help_says_that_as_is_for_development(engine: Engine) -> None:
    told = " ".join(backoffice(engine, "cases", "approve", "--help").out.replace("│", " ").split())
    assert "For development only" in told
