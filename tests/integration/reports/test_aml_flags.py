"""Players whose stakes or wins reach the threshold on a gaming day of their casino, at the rates of the time."""

import json
from collections import Counter, defaultdict
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any
from zoneinfo import ZoneInfo

from command_line import backoffice
from filing import license_all
from front_door import (
    EVENING,
    NETWORK,
    a_handler,
    action,
    deposit,
    founding,
    opened,
    rows,
    staff,
    take,
    tallinn,
)
from sqlalchemy import Engine

from backoffice.app.requests import Request
from backoffice.bootstrap import House
from backoffice.domain.cases.commands import Approve, Propose
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile


def flagged(engine: Engine, *arguments: str) -> list[dict[str, Any]]:
    done = backoffice(engine, "report", "aml-flags", "--format", "json", *arguments)
    assert done.code == 0, done.err
    return list(json.loads(done.out)["rows"])


def played(
    round_id: str, player: dict[str, str], ante: str, table: str = "dublin-1", **at: str
) -> list[Request]:
    """A hand that folds: the ante is what was staked. `at`: when it ended."""
    of = {"round": round_id}
    return [
        opened(round_id, table),
        action("ante", **of, seat="1", **player, amount=ante),
        action("close", **of),
        action("deal", **of, hands={"1": ["2c", "4d", "6h", "8s", "Tc"]}, up="Kd"),
        action("fold", **of, seat="1"),
        action("reveal", **of, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        action("settle", **of, **at),
    ]


def test_four_times_500_in_a_session_raise_one_flag(engine: Engine) -> None:
    ann, bob = tallinn("ann"), tallinn("bob")
    requests = [founding(), deposit("ann"), deposit("bob")]
    for number in range(4):
        requests += played(f"a-{number}", ann, "500.00")
        requests += played(f"b-{number}", bob, "499.00")
    take(a_handler(engine), *requests)
    (flag,) = flagged(engine)
    assert (flag["casino"], flag["player"], flag["day"], flag["side"], flag["why"]) == (
        "tallinn",
        "ann",
        "2026-03-01",
        "stakes",
        "linked in a session",
    )
    assert (flag["total"], flag["in_session"], flag["limit"], flag["currency"], flag["count"]) == (
        "2000.00",
        "2000.00",
        "2000.00",
        "EUR",
        4,
    )
    assert flag["reached_in_round"] == "a-3"
    assert len(flagged(engine, "--only", "limit=1996")) == 2
    assert flagged(engine, "--only", "limit=2000.01") == []


def test_other_currencies_are_converted_at_the_rate_in_force_when_the_round_ended(engine: Engine) -> None:
    """939 Swiss francs of the first evening are over a thousand euro, at the rate of the next one they are not."""
    lugano = {"casino": "lugano", "player": "cia", "currency": "CHF"}
    requests = [founding(), action("deposit", **lugano, amount="100000.00")]
    requests += played("r-1", lugano, "200.00", "floor-7")
    requests.append(action("rate", quote="CHF", rate="1.5000", at="2026-03-02T12:00:00Z"))
    requests += played("r-2", lugano, "200.00", "floor-7", at="2026-03-02T20:00:00Z")
    requests.append(action("rate", quote="CHF", rate="2.0000", at="2026-03-02T13:00:00Z"))
    take(a_handler(engine), *requests)
    told = [(row["day"], row["total"]) for row in flagged(engine, "--only", "limit=1")]
    assert told == [("2026-03-01", "213.06"), ("2026-03-02", "133.33")], (
        "a rate told later changes nothing before it"
    )


def test_how_long_a_player_may_pause_is_asked_or_the_casinos_own(engine: Engine) -> None:
    ann = tallinn("ann")
    requests = [founding(), deposit("ann")]
    requests += played("r-1", ann, "500.00", at="2026-03-02T20:00:00Z")
    requests += played("r-2", ann, "500.00", at="2026-03-02T20:40:00Z")
    take(a_handler(engine), *requests)
    limit = ("--only", "limit=1000")
    assert [row["why"] for row in flagged(engine, *limit)] == ["linked on the day"]
    assert [row["why"] for row in flagged(engine, *limit, "--only", "gap=40")] == ["linked in a session"]
    license_all(engine, {"sessions": {"gap_minutes": 45}})
    assert [row["why"] for row in flagged(engine, *limit)] == ["linked in a session"]
    assert [row["why"] for row in flagged(engine, *limit, "--only", "gap=39")] == ["linked on the day"]


def test_a_day_is_the_casinos_gaming_day(engine: Engine) -> None:
    """05:59 and 06:00 in Tallinn, in winter two hours before UTC."""
    ann = tallinn("ann")
    requests = [founding(), deposit("ann")]
    requests += played("r-1", ann, "500.00", at="2026-03-02T03:59:00Z")
    requests += played("r-2", ann, "500.00", at="2026-03-02T04:00:00Z")
    take(a_handler(engine), *requests)
    told = flagged(engine, "--only", "limit=500")
    assert [(row["day"], row["total"]) for row in told] == [
        ("2026-03-01", "500.00"),
        ("2026-03-02", "500.00"),
    ]
    (one,) = flagged(engine, "--only", "limit=500", "--casino", "tallinn", "--day", "2026-03-02")
    assert one["reached_in_round"] == "r-2"
    (over_the_end,) = flagged(engine, "--only", "limit=1000", "--casino", "tallinn", "--day", "2026-03-02")
    assert (over_the_end["why"], over_the_end["total"]) == ("linked in a session", "500.00")


def test_each_payee_of_a_shared_hit_is_flagged(sample_house: House) -> None:
    payees = rows(
        sample_house.engine,
        "select distinct casino, player from read.jackpot_shares where jackpot = 'royal' and percent = 100",
    )
    assert len(payees) > 2
    shares = {(row["casino"], row["player"]) for row in flagged(sample_house.engine) if "share" in row["why"]}
    assert set(payees) <= shares


def test_money_paid_by_hand_is_a_win(engine: Engine) -> None:
    royal = {"1": ["As", "Ks", "Qs", "Js", "Ts"]}
    at = {"round": "r-1"}
    take(
        a_handler(engine),
        founding(),
        deposit("ann"),
        opened("r-1"),
        action("ante", **at, seat="1", **tallinn("ann"), amount="20.00"),
        action("mark", **at, seat="1"),
        action("close", **at),
        action("deal", **at, hands=royal, up="Kd"),
        action("cancel", **at, reason="misdeal"),
    )
    case = "compensation/r-1/1"
    asked = staff(Propose, "mia", case=case, amount="5000.00", reason="a royal flush")
    take(a_handler(engine), asked, staff(Approve, "otto:compliance", case=case, proposal=1))
    (flag,) = flagged(engine)
    assert (flag["side"], flag["why"], flag["total"]) == ("wins", "single", "5000.00")


def test_the_samples_flags_are_those_worked_out_line_by_line(sample_house: House) -> None:
    """Without sessions and shares: days and their sums, by another hand."""
    lines = rows(
        sample_house.engine,
        """select l.casino, l.player, l.currency, l.stake_minor, r.ended_at, l.position
           from read.round_lines l join read.rounds r using (round)
           where l.replaced_at is null and l.result <> 'refund'""",
    )
    rates = rows(
        sample_house.engine,
        """select data->>'quote', (data->>'rate')::numeric, data->>'since', position from log.events
           where type = 'network.rate_set' order by position""",
    )
    zones = {
        "tallinn": ("Europe/Tallinn", 6),
        "stockholm": ("Europe/Stockholm", 6),
        "lugano": ("Europe/Zurich", 4),
    }
    totals: dict[tuple[str, str, str], Fraction] = defaultdict(Fraction)
    for casino, player, currency, minor, at, position in lines:
        zone, start = zones[casino]
        day = (at.astimezone(ZoneInfo(zone)).replace(tzinfo=None) - timedelta(hours=start)).date().isoformat()
        totals[casino, player, day] += worth(currency, minor, at, position, rates)
    due = {key: round(total) for key, total in totals.items() if total >= 500_00}
    told = {
        (row["casino"], row["player"], row["day"]): int(row["total"].replace(".", ""))
        for row in flagged(sample_house.engine, "--only", "limit=500")
        if row["side"] == "stakes"
    }
    assert told == due
    assert len(due) > 5


def worth(currency: str, minor: int, at: datetime, position: int, rates: list[tuple[Any, ...]]) -> Fraction:
    if currency == "EUR":
        return Fraction(minor)
    cents = minor * (100 if currency == "JPY" else 1)
    in_force = [
        rate
        for quote, rate, since, told_at in rates
        if quote == currency and told_at < position and (since is None or datetime.fromisoformat(since) <= at)
    ]
    return Fraction(cents) / Fraction(in_force[-1])


def test_a_player_has_one_row_for_a_day_and_a_side(sample_house: House) -> None:
    told = flagged(sample_house.engine, "--only", "limit=100")
    times = Counter((row["casino"], row["player"], row["day"], row["side"]) for row in told)
    assert set(times.values()) == {1}


def test_the_threshold_of_a_network_that_counts_in_another_currency_is_the_worth_of_2000_euro(
    engine: Engine,
) -> None:
    network = NETWORK.network.model_copy(update={"base_currency": "SEK"})
    casinos = [casino for casino in NETWORK.casino if casino.id == "tallinn"]
    tables = [table for table in NETWORK.table if table.id == "dublin-1"]
    file = NetworkFile(network=network, rates={"EUR": "0.0875"}, casino=casinos, table=tables)
    take(
        a_handler(engine),
        Request(ApplyNetwork(id="sek", at=EVENING, file=file), "command line", actor="operator"),
    )
    requests = [deposit("ann")]
    for number in range(4):
        requests += played(f"a-{number}", tallinn("ann"), "500.00")
    take(a_handler(engine), *requests)
    (flag,) = flagged(engine)
    assert (flag["currency"], flag["limit"], flag["total"]) == ("SEK", "22857.14", "22857.14")


def test_a_limit_that_is_no_amount_is_refused_in_a_sentence(engine: Engine) -> None:
    take(a_handler(engine), founding())
    done = backoffice(engine, "report", "aml-flags", "--only", "limit=lots")
    assert done.code == 2
    assert done.err.startswith("backoffice: limit: lots is no amount")
    gap = backoffice(engine, "report", "aml-flags", "--only", "gap=0")
    assert (gap.code, gap.err) == (2, "backoffice: gap: 0 is no whole number of at least one\n")
