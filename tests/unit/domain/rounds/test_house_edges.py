"""What a transcript cannot say: actions of an odd shape, and tables of an odd make."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.domain.cases.events import CompensationOpened
from backoffice.domain.event import Refused
from backoffice.kernel.money import Money

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))
HAND = ["Ah", "Kh", "9c", "5s", "3h"]


def house_with(table: int, **changes: Any) -> PureHouse:
    file = copy.deepcopy(NETWORK)
    file["table"][table].update(changes)
    house = PureHouse()
    house.apply_network(file)
    return house


def seated(house: PureHouse, table: str, casino: str, currency: str, ante: str) -> PureHouse:
    who = {"casino": casino, "player": "ann", "currency": currency}
    house.do("deposit", **who, amount="1000")
    house.do("open", round="r", table=table, number="1")
    house.do("ante", round="r", seat="1", **who, amount=ante)
    return house


@pytest.mark.parametrize(
    "deal",
    [
        {"up": "9d"},
        {"hands": {"1": HAND}},
        {"hands": {"1": HAND}, "up": {"1": "9d"}},
        {"hands": {"1": HAND}, "up": "9d", "street": 1},
        {"hands": {"1": HAND}, "up": "9d", "down": {"1": "9s"}},
        {"hands": {"1": HAND}, "up": "9d", "down": {}},
        {"street": 1, "down": {"1": "9s"}, "up": {"1": "9d"}},
    ],
)
def test_a_deal_is_hands_and_the_dealers_open_card(deal):
    house = seated(house_with(1), "low-24h", "tallinn", "EUR", "5.00")
    house.do("close", round="r")
    with pytest.raises(Refused, match="a deal of this game is `hands` and the dealer's open card `up`"):
        house.do("deal", round="r", **deal)
    house.do("deal", round="r", hands={"1": HAND}, up="9d")


def test_the_fixed_bonus_is_played_in_its_own_currency_only():
    limits = {"ante": {"SEK": ["50.00", "5000.00"]}}
    house = seated(
        house_with(3, casinos=["stockholm"], limits=limits, max_payout={}),
        "dublin-1",
        "stockholm",
        "SEK",
        "50.00",
    )
    with pytest.raises(Refused, match=r"seat 1: the Bonus is played in EUR, exactly 1\.00 EUR"):
        house.do("bonus", round="r", seat="1", amount="1.00")


def test_a_cap_in_one_currency_caps_no_other():
    limits = {"ante": {"EUR": ["5.00", "500.00"], "SEK": ["50.00", "5000.00"]}}
    house = house_with(3, casinos=["tallinn", "stockholm"], limits=limits, max_payout={"EUR": "10.00"})
    seated(house, "dublin-1", "stockholm", "SEK", "50.00")
    house.do("close", round="r")
    house.do("deal", round="r", hands={"1": ["9h", "9d", "9c", "5s", "5h"]}, up="Ac")
    house.do("call", round="r", seat="1")
    house.do("reveal", round="r", dealer=["Ac", "Kc", "8d", "6s", "4c"])
    (settled,) = house.do("settle", round="r")
    assert [(line.bet, line.payout, line.cut) for line in settled.lines] == [
        ("ante", 100_00, 0),
        ("call", 800_00, 0),
    ]


def test_a_table_that_deals_twenty_seats_is_asked_for_no_more_than_its_book_has():
    with pytest.raises(Refused, match="caribbean-swiss/1 has 7 seats at most"):
        house_with(4, seats=20)


def test_the_dealer_and_the_shift_are_kept_with_the_round():
    house = house_with(0)
    (opened,) = house.do("open", round="r", table="live-1", number="20:00:00-1", dealer="d-12", shift="late")
    assert (opened.dealer, opened.shift, opened.number) == ("d-12", "late", "20:00:00-1")


def test_a_compensation_case_names_the_hand_and_shows_its_cards():
    house = seated(house_with(1), "low-24h", "tallinn", "EUR", "5.00")
    house.do("mark", round="r", seat="1")
    house.do("close", round="r")
    cards = ["7s", "7h", "7d", "3c", "2s"]
    house.do("deal", round="r", hands={"1": cards}, up="Jc")
    house.do("cancel", round="r", reason="a card was seen")
    (case,) = [event for event in house.events if isinstance(event, CompensationOpened)]
    assert (case.hand, case.cards, case.suggested) == ("three of a kind", tuple(cards), Money(2_00, "EUR"))
    assert (case.round, case.seat, case.casino, case.player) == ("r", "1", "tallinn", "ann")
