"""What bets returned is counted by distinct hands, and stands beside what a whole deck says they should return."""

import json
from collections import defaultdict
from math import sqrt
from typing import Any
from uuid import uuid4

import pytest
from command_line import backoffice
from front_door import (
    EVENING,
    NETWORK,
    a_handler,
    action,
    deposit,
    founding,
    opened,
    rows,
    take,
    tallinn,
    whole_round,
)
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.bootstrap import House
from backoffice.domain.network.commands import ApplyNetwork

Told = dict[tuple[str, str, str], dict[str, Any]]


def returns(engine: Engine, *arguments: str) -> Told:
    done = backoffice(engine, "report", "returns", "--format", "json", *arguments)
    assert done.code == 0, done.err
    return {(row["book"], row["bet"], row["currency"]): row for row in json.loads(done.out)["rows"]}


def test_the_live_sheets_own_figures_stand_beside_what_was_paid(sample_house: House) -> None:
    told = returns(sample_house.engine)
    for currency in ("EUR", "SEK", "JPY"):
        assert told["caribbean-live/1", "bonus", currency]["theoretical_percent"] == "91.44"
        assert told["caribbean-live/1", "jackpot", currency]["theoretical_percent"] == "81.84"
    assert told["stud-dublinbet/1", "bonus", "EUR"]["theoretical_percent"] == "80.42"
    assert told["caribbean-swiss/1", "jackpot", "CHF"]["theoretical_percent"] == "92.59"
    assert told["caribbean-24h/2", "jackpot", "EUR"]["theoretical_percent"] == "89.37"


def test_a_bet_that_needs_a_decision_has_a_band_around_what_it_returned_and_no_theory(
    sample_house: House,
) -> None:
    ante = returns(sample_house.engine)["caribbean-24h/2", "ante", "EUR"]
    assert (ante["theoretical_percent"], ante["band_around"], ante["within"]) == (None, "actual", None)
    assert float(ante["low_percent"]) < float(ante["actual_percent"]) < float(ante["high_percent"])


def test_every_sum_and_every_band_is_that_of_the_rounds_lines(sample_house: House) -> None:
    """Worked out again line by line, with floats and from the bets themselves."""
    lines = rows(
        sample_house.engine,
        """select r.ruleset, l.bet, l.currency, l.round, l.seat, l.stake_minor, l.payout_minor
           from read.round_lines l join read.rounds r using (round)
           where l.replaced_at is null and l.result <> 'refund'""",
    )
    told = returns(sample_house.engine)
    kinds: dict[tuple[str, str, str], dict[Any, list[tuple[int, int]]]] = defaultdict(
        lambda: defaultdict(list)
    )
    for book, bet, currency, round_id, seat, stake, payout in lines:
        own = book != "caribbean-live/1" and bet in {"jackpot", "bonus"}
        kinds[book, bet, currency][round_id, seat if own else ""].append((stake, payout))
    assert set(told) == set(kinds)
    for kind, hands in kinds.items():
        row = told[kind]
        stakes = {hand: sum(stake for stake, _ in bets) for hand, bets in hands.items()}
        paid = {hand: sum(payout for _, payout in bets) for hand, bets in hands.items()}
        assert minor(row["stake"]) == sum(stakes.values())
        assert minor(row["payout"]) == sum(paid.values())
        assert row["observations"] == len(hands)
        assert row["bets"] == sum(map(len, hands.values()))
        if row["band_around"] == "actual":
            actual = sum(paid.values()) / sum(stakes.values())
            strayed = sum((paid[hand] - actual * stakes[hand]) ** 2 for hand in hands)
            reach = 1.96 * sqrt(strayed * len(hands) / (len(hands) - 1)) / sum(stakes.values())
            assert float(row["high_percent"]) == pytest.approx(100 * (actual + reach), abs=0.02)


def minor(amount: str) -> int:
    return int(amount.replace(".", ""))


def test_on_a_shared_hand_500_players_are_one_observation(engine: Engine) -> None:
    crowd = [f"p-{number}" for number in range(500)]
    at = {"round": "r-1"}
    requests = [founding(), *(deposit(player, "10.00") for player in crowd), opened("r-1", "live-1")]
    for player in crowd:
        requests.append(action("ante", **at, seat=player, **tallinn(player), amount="1.00"))
        requests.append(action("bonus", **at, seat=player, amount="1.00"))
    requests += [
        action("close", **at),
        action("deal", **at, hands={"shared": ["2c", "2d", "6h", "8s", "Tc"]}, up="2h"),
        *(action("timeout", **at, seat=player) for player in crowd),
        action("reveal", **at, dealer=["2h", "Kc", "3h", "5s", "7d"]),
        action("settle", **at),
    ]
    take(a_handler(engine), *requests)
    bonus = returns(engine)["caribbean-live/1", "bonus", "EUR"]
    assert (bonus["bets"], bonus["hands"], bonus["observations"]) == (500, 1, 1)
    assert (bonus["stake"], bonus["payout"], bonus["actual_percent"]) == ("500.00", "4000.00", "800.00")
    one = deviation_of_one_bonus()
    assert float(bonus["high_percent"]) == pytest.approx(91.44 + 196 * one, abs=0.5)
    assert bonus["within"] == "yes", "one lucky hand is nothing strange, however many shared it"


def deviation_of_one_bonus() -> float:
    """Of one unit on 5+1, from the known numbers of best hands among 20,358,520 sets of six."""
    paid = {1001: 188, 201: 1_656, 101: 14_664, 21: 165_984, 16: 205_792, 11: 361_620, 8: 732_160}
    mean = sum(times * ways for times, ways in paid.items()) / 20_358_520
    return sqrt(sum(times**2 * ways for times, ways in paid.items()) / 20_358_520 - mean**2)


def test_a_book_that_returns_more_than_100_percent_says_so(sample_house: House) -> None:
    told = returns(sample_house.engine)
    note = "this book as printed returns more than 100%"
    assert told["caribbean-24h/1", "ante", "EUR"]["note"] == note
    assert note not in (told["caribbean-24h/2", "ante", "EUR"]["note"] or "")


def test_a_pool_prize_moves_no_return_and_a_contribution_counts_as_returned(sample_house: House) -> None:
    jackpot = returns(sample_house.engine)["caribbean-live/1", "jackpot", "EUR"]
    stake, payout, pool, contributed = (
        minor(jackpot[name]) for name in ("stake", "payout", "pool_prizes", "contributed")
    )
    assert pool > 0
    assert float(jackpot["actual_percent"]) == pytest.approx(
        100 * (payout - pool + contributed) / stake, abs=0.01
    )


def test_returns_can_be_had_by_table_dealer_shift_day_and_casino(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))
    for number, (dealer, shift) in enumerate([("d1", "early"), ("d2", "early"), ("d2", "late")]):
        play = whole_round(f"r-{number}", "ann")
        play[0] = opened(f"r-{number}", dealer=dealer, shift=shift)
        take(handler, *play)
    key = ("caribbean-24h/1", "ante", "EUR")
    assert returns(engine)[key]["bets"] == 3
    assert returns(engine, "--only", "dealer=d2")[key]["bets"] == 2
    assert returns(engine, "--only", "dealer=d2", "--only", "shift=late")[key]["bets"] == 1
    assert returns(engine, "--only", "table=high-24h", "--only", "bet=ante").keys() == {key}
    assert returns(engine, "--only", "table=low-24h") == {}
    assert returns(engine, "--casino", "tallinn", "--day", "2026-03-01")[key]["bets"] == 3
    assert returns(engine, "--casino", "tallinn", "--day", "2026-03-02") == {}
    assert returns(engine, "--casino", "stockholm") == {}
    assert returns(engine, "--only", "book=caribbean-24h/2") == {}


def test_returns_of_a_book_can_be_told_apart_by_table_dealer_or_shift(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))
    for number, (dealer, shift) in enumerate([("d1", "early"), ("d2", "early"), ("d2", "late")]):
        play = whole_round(f"r-{number}", "ann")
        play[0] = opened(f"r-{number}", dealer=dealer, shift=shift)
        take(handler, *play)

    def bets_by(part: str) -> dict[str, int]:
        arguments = ("--only", f"by={part}", "--only", "bet=ante", "--format", "json")
        done = backoffice(engine, "report", "returns", *arguments)
        return {row["part"]: row["bets"] for row in json.loads(done.out)["rows"]}

    assert bets_by("dealer") == {"d1": 1, "d2": 2}
    assert bets_by("shift") == {"early": 2, "late": 1}
    assert bets_by("table") == {"high-24h": 3}
    assert backoffice(engine, "report", "returns", "--only", "by=moon").code == 2


def test_one_observation_has_no_band_of_its_own(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    ante = returns(engine)["caribbean-24h/1", "ante", "EUR"]
    assert (ante["actual_percent"], ante["low_percent"], ante["band_around"]) == ("0.00", None, None)


def test_a_cancelled_rounds_refunds_are_no_returns(engine: Engine) -> None:
    play = whole_round("r-1", "ann")[:3]
    take(a_handler(engine), founding(), deposit("ann"), *play)
    take(a_handler(engine), action("cancel", round="r-1", reason="misdeal"))
    assert returns(engine) == {}


def test_a_theory_is_told_hand_by_hand_and_its_parts_add_up(sample_house: House) -> None:
    done = backoffice(sample_house.engine, "report", "theoretical-returns", "--format", "json")
    told = json.loads(done.out)["rows"]
    whole = {
        (row["book"], row["bet"], row["currency"]): row["return_percent"]
        for row in told
        if row["hand"] == "all hands"
    }
    assert whole["caribbean-live/1", "bonus", None] == "91.4386"
    assert whole["caribbean-live/1", "jackpot", "SEK"] == "81.8449"
    assert {kind[0] for kind in whole} == {
        "caribbean-24h/1",
        "caribbean-24h/2",
        "caribbean-live/1",
        "caribbean-swiss/1",
        "stud-dublinbet/1",
    }
    for kind, sum_ in whole.items():
        parts = [row for row in told if (row["book"], row["bet"], row["currency"]) == kind]
        added = sum(float(row["return_percent"]) for row in parts if row["hand"] != "all hands")
        assert added == pytest.approx(float(sum_), abs=0.0005)
    royal = next(row for row in told if row["bet"] == "bonus" and row["hand"] == "royal flush")
    assert (royal["ways"], royal["of"], royal["pays"]) == (188, 20_358_520, "1001 times the stake")
    lugano = backoffice(
        sample_house.engine, "report", "theoretical-returns", "--casino", "lugano", "--format", "json"
    )
    assert {row["book"] for row in json.loads(lugano.out)["rows"]} == {"caribbean-swiss/1"}


def bonus_round(round_id: str) -> list[Request]:
    """A Bonus on a flush."""
    at = {"round": round_id}
    return [
        opened(round_id, "dublin-1"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="5.00"),
        action("bonus", **at, seat="1", amount="1.00"),
        action("close", **at),
        action("deal", **at, hands={"1": ["2c", "4c", "6c", "8c", "Tc"]}, up="Kd"),
        action("call", **at, seat="1"),
        action("reveal", **at, dealer=["Kd", "Kh", "3h", "5s", "7d"]),
        action("settle", **at),
    ]


def applied(**changed: Any) -> Request:
    """The example network with a section of it changed."""
    ((section, by_id),) = changed.items()
    sections = [each.model_copy(update=by_id.get(each.id, {})) for each in getattr(NETWORK, section)]
    file = NETWORK.model_copy(update={section: sections})
    command = ApplyNetwork(id=f"changed-{uuid4()}", at=EVENING, file=file)
    return Request(command, "command line", actor="operator")


def test_a_bonus_paid_with_its_stake_has_a_theory_of_its_own_from_when_its_table_pays_so(
    engine: Engine,
) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *bonus_round("r-1"))
    take(a_handler(engine), applied(table={"dublin-1": {"bonus_returns_stake": True}}), *bonus_round("r-2"))
    take(a_handler(engine), *bonus_round("r-3"), applied(table={}), *bonus_round("r-4"))
    done = backoffice(engine, "report", "returns", "--only", "bet=bonus", "--format", "json")
    told = [(row["bets"], row["payout"], row["theoretical_percent"]) for row in json.loads(done.out)["rows"]]
    assert told == [(2, "300.00", "80.42"), (2, "302.00", "80.79")]


def test_where_the_pool_pays_fixed_prizes_a_jackpot_returns_what_goes_into_it(engine: Engine) -> None:
    by_pool = applied(jackpot={"house-24h": {"fixed_prizes": "pool"}})
    play = whole_round("r-1", "ann")
    play[4] = action("deal", round="r-1", hands={"1": ["2c", "2d", "2h", "8s", "Tc"]}, up="Kd")
    take(a_handler(engine), by_pool, deposit("ann"), *play)
    jackpot = returns(engine)["caribbean-24h/1", "jackpot", "EUR"]
    assert (jackpot["payout"], jackpot["pool_prizes"], jackpot["contributed"]) == ("2.00", "2.00", "0.25")
    assert (jackpot["actual_percent"], jackpot["theoretical_percent"], jackpot["within"]) == (
        "50.00",
        "50.00",
        "yes",
    )
