"""A network file as facts: only what changed, and what holds for good."""

import copy
import tomllib
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.domain.event import Refused
from backoffice.kernel.calendar import calendar

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))


@pytest.fixture
def file() -> dict[str, Any]:
    return copy.deepcopy(NETWORK)


@pytest.fixture
def house() -> PureHouse:
    house = PureHouse()
    house.apply_network(NETWORK)
    return house


def kinds(events: list[Any]) -> list[str]:
    return [event.type_name for event in events]


def test_the_first_file_founds_the_network_and_seeds_its_jackpots(file):
    found = kinds(PureHouse().apply_network(file))
    assert found.count("network.founded") == 1
    assert found.count("network.casino_defined") == 4
    assert found.count("network.rate_set") == 4
    assert found.count("network.table_defined") == 5
    assert found.count("jackpot.defined") == found.count("jackpot.seeded") == 3


def test_the_same_file_again_changes_nothing(house, file):
    assert house.apply_network(file) == []


def test_only_what_changed_becomes_a_fact(house, file):
    file["rates"]["SEK"] = "11.5000"
    file["casino"][1]["currencies"] = ["SEK", "JPY", "EUR"]
    file["table"][0]["limits"]["ante"]["EUR"] = ["2.00", "500.00"]
    file["jackpot"][2]["split"] = "by_stake"
    events = house.apply_network(file)
    assert kinds(events) == [
        "network.casino_defined",
        "network.rate_set",
        "network.table_defined",
        "jackpot.terms_changed",
    ]
    assert house.apply_network(file) == []


def test_the_base_currency_holds_for_good(house, file):
    file["network"]["base_currency"] = "SEK"
    del file["rates"]["SEK"]
    for jackpot in file["jackpot"]:
        jackpot["currency"] = "SEK"
    with pytest.raises(Refused, match="the base currency of network golden is EUR for good"):
        house.apply_network(file)


def test_another_networks_file_is_refused(house, file):
    file["network"]["id"] = "silver"
    with pytest.raises(Refused, match="this log is of network golden, not of silver"):
        house.apply_network(file)


def test_a_contradiction_refuses_the_whole_file(house, file):
    file["rates"]["SEK"] = "12"
    file["jackpot"][0]["ceiling"] = "1.00"
    before = list(house.events)
    with pytest.raises(Refused, match=r"jackpot\.0\.ceiling: the ceiling 1\.00 is below the seed 50000\.00"):
        house.apply_network(file)
    assert house.events == before


def test_jackpot_terms_put_back_before_the_next_pool_are_a_change_again(house, file):
    file["jackpot"][0]["seed"] = "1.00"
    house.apply_network(file)
    assert kinds(house.apply_network(NETWORK)) == ["jackpot.terms_changed"]
    assert house.past.jackpots["royal"].next_terms == house.past.jackpots["royal"].terms


def test_a_rate_of_the_feed_stands_when_the_same_file_comes_again(house, file):
    house.do("rate", quote="SEK", rate="12.0000")
    assert house.apply_network(file) == []
    assert house.past.rate_at(house.now)("SEK") == "12.0000"


def test_a_files_new_rate_holds_from_the_start_and_hides_all_before_it(house, file):
    house.do("rate", quote="SEK", rate="12.0000")
    file["rates"]["SEK"] = "13.0000"
    house.apply_network(file)
    assert house.past.rate_at(house.now)("SEK") == "13.0000"
    assert house.past.rate_at(datetime(2, 1, 1, tzinfo=UTC))("SEK") == "13.0000"


@pytest.mark.parametrize(
    ("quote", "rate", "reason"),
    [
        ("EUR", "1.0", "EUR is the base currency: it has no rate to itself"),
        ("SEK", "0", "a rate is greater than zero"),
        ("XYZ", "1.0", "XYZ is no ISO 4217 currency"),
        ("XAU", "1.0", "XAU has no minor unit in ISO 4217"),
    ],
)
def test_a_rate_that_cannot_be_is_refused(house, quote, rate, reason):
    with pytest.raises(Refused, match=reason):
        house.do("rate", quote=quote, rate=rate)


def test_before_there_is_a_network_nothing_can_be_set_or_opened():
    house = PureHouse()
    with pytest.raises(Refused, match="there is no network yet"):
        house.do("rate", quote="SEK", rate="1.0")
    with pytest.raises(Refused, match="there is no casino tallinn"):
        house.do("deposit", casino="tallinn", player="ann", amount="1.00", currency="EUR")
    with pytest.raises(Refused, match="there is no table live-1"):
        house.do("open", round="r", table="live-1", number="1")


def test_a_round_opened_before_a_change_takes_no_mark_that_could_win_nothing(house, file):
    """The Swiss table took euros until a moment ago; now its jackpot has a euro chip, for another game."""
    swiss, low = file["table"][4], file["table"][1]
    file["casino"][0]["currencies"] = ["EUR"]
    swiss.update(
        casinos=["lugano", "tallinn"], limits={"ante": {"CHF": ["5.00", "10.00"], "EUR": ["5.00", "10.00"]}}
    )
    house.apply_network(file)
    house.do("open", round="old", table="floor-7", number="1")
    house.do("deposit", casino="tallinn", player="ann", amount="100.00", currency="EUR")
    house.do("ante", round="old", seat="1", casino="tallinn", player="ann", amount="5.00", currency="EUR")
    swiss["limits"] = {"ante": {"CHF": ["5.00", "10.00"]}}
    low["jackpot"] = "ticino"
    file["jackpot"][2]["chip"]["EUR"] = {"stake": "1.00", "pool": "0.50"}
    file["jackpot"][2]["seed"] = "1.00"
    house.apply_network(file)
    hit_ticino(house)
    with pytest.raises(Refused, match="seat 1: caribbean-swiss/1 has no prizes in EUR"):
        house.do("mark", round="old", seat="1")


def hit_ticino(house: PureHouse) -> None:
    """The pool is won, and the next one begins with the new parameters."""
    seat = {"seat": "1", "casino": "lugano", "player": "eva", "currency": "CHF"}
    house.do("deposit", **{name: seat[name] for name in ("casino", "player", "currency")}, amount="100.00")
    house.do("open", round="hit", table="floor-7", number="2")
    house.do("ante", round="hit", **seat, amount="5.00")
    house.do("mark", round="hit", seat="1")
    house.do("close", round="hit")
    house.do("deal", round="hit", hands={"1": ["As", "Ks", "Qs", "Js", "Ts"]}, up="Ah")
    house.do("call", round="hit", seat="1")
    house.do("reveal", round="hit", dealer=["Ah", "Kc", "Td", "6s", "4c"])
    house.do("settle", round="hit")
    assert house.past.jackpots["ticino"].cycle == 2


def test_a_clock_set_anew_moves_no_gaming_day_that_has_begun(house, file):
    (tallinn,) = (casino for casino in file["casino"] if casino["id"] == "tallinn")
    before = house.past.network.calendars["tallinn"]
    today = before.day_of(house.now)
    tallinn["timezone"], tallinn["gaming_day_starts"] = "Europe/Malta", "05:00"
    (changed,) = house.apply_network(file)
    after = house.past.network.calendars["tallinn"]
    assert changed.since == house.now
    assert after.bounds(today) == before.bounds(today)
    in_two_days = today + timedelta(days=2)
    assert after.begin(in_two_days) == calendar("Europe/Malta", "05:00").begin(in_two_days)
    assert house.apply_network(file) == []


def test_other_particulars_of_a_casino_leave_its_calendar_alone(house, file):
    before = dict(house.past.network.calendars)
    file["casino"][1]["currencies"] = ["SEK", "JPY", "EUR"]
    house.apply_network(file)
    assert house.past.network.calendars == before
