"""What a network file does to jackpots that run: a new ceiling, and a jackpot that is left out for a while."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from promises import check_promises
from pure_house import PureHouse

from backoffice.domain.event import Refused

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))
ANN = {"casino": "tallinn", "player": "ann", "currency": "EUR"}
SVEN = {"casino": "stockholm", "player": "sven", "currency": "SEK"}


@pytest.fixture
def file() -> dict[str, Any]:
    return copy.deepcopy(NETWORK)


@pytest.fixture
def house() -> PureHouse:
    house = PureHouse()
    house.apply_network(NETWORK)
    house.do("deposit", **ANN, amount="100.00")
    house.do("deposit", **SVEN, amount="100.00")
    house.do("open", round="r-1", table="live-1", number="1")
    for seat, player, amount in (("a", ANN, "5.00"), ("s", SVEN, "50.00")):
        house.do("ante", round="r-1", seat=seat, **player, amount=amount)
        house.do("mark", round="r-1", seat=seat)
    return house


def shown(house: PureHouse, jackpot: str = "royal") -> int:
    pool = house.past.pool_at(jackpot, house.now)
    return pool.value(pool.buckets)


def test_a_new_ceiling_is_not_below_what_the_pool_shows(house, file):
    assert shown(house) == 50_000_94
    royal = file["jackpot"][0]
    royal["ceiling"] = "50000.93"
    with pytest.raises(
        Refused, match=r"the ceiling of 50000\.93 EUR is below what jackpot royal holds, 50000\.94 EUR"
    ):
        house.apply_network(file)
    royal["ceiling"] = "50000.94"
    assert [event.type_name for event in house.apply_network(file)] == ["jackpot.terms_changed"]
    assert house.apply_network(file) == []


def test_a_new_ceiling_is_measured_at_the_rates_of_the_same_file(house, file):
    file["jackpot"][0]["ceiling"] = "50005.00"
    file["rates"]["SEK"] = "1.0000"
    with pytest.raises(Refused, match=r"holds, 50005\.50 EUR"):
        house.apply_network(file)
    file["rates"]["SEK"] = "2.0000"
    house.apply_network(file)


def test_a_jackpot_that_is_left_out_takes_no_marks_and_shows_the_same_when_it_comes_back(house, file):
    before = shown(house)
    without = copy.deepcopy(file)
    without["jackpot"] = [jackpot for jackpot in file["jackpot"] if jackpot["id"] != "royal"]
    for table in without["table"]:
        if table.get("jackpot") == "royal":
            del table["jackpot"]
    house.apply_network(without)
    house.do("open", round="r-2", table="live-1", number="2")
    house.do("ante", round="r-2", seat="a", **ANN, amount="5.00")
    with pytest.raises(Refused, match="this table plays for no jackpot"):
        house.do("mark", round="r-2", seat="a")
    assert shown(house) == before
    house.apply_network(file)
    assert shown(house) == before
    assert house.past.jackpots["royal"].cycle == 1
    house.do("open", round="r-3", table="live-1", number="3")
    house.do("ante", round="r-3", seat="a", **ANN, amount="5.00")
    house.do("mark", round="r-3", seat="a")
    assert shown(house) == before + 50
    check_promises(house)


def test_a_round_that_is_open_keeps_the_jackpot_it_was_opened_for(house, file):
    del file["table"][0]["jackpot"]
    house.apply_network(file)
    house.do("undo", round="r-1", seat="a")
    house.do("mark", round="r-1", seat="a")
    assert house.past.buckets["royal"]["tallinn", "EUR"] == 50
