"""Deposits and withdrawals at the edges; what a cashier does every day is in the transcripts."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.domain.event import Refused
from backoffice.domain.wallet.decisions import MAX_HELD_MINOR
from backoffice.kernel.ids import Wallet

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))
ANN = {"casino": "tallinn", "player": "ann", "currency": "EUR"}


@pytest.fixture
def house() -> PureHouse:
    house = PureHouse()
    house.apply_network(NETWORK)
    return house


def test_a_wallet_takes_deposits_up_to_a_sum_that_leaves_room_for_winnings(house: Any):
    for _ in range(100):
        house.do("deposit", **ANN, amount="10000000000000.00")
    with pytest.raises(
        Refused, match=r"would have more than 1000000000000000\.00 EUR, the most a wallet takes"
    ):
        house.do("deposit", **ANN, amount="0.01")
    house.do("withdraw", **ANN, amount="0.01")
    house.do("deposit", **ANN, amount="0.01")
    assert house.past.balance(Wallet("tallinn", "ann", "EUR")) == MAX_HELD_MINOR


def test_a_wallet_that_never_moved_holds_nothing(house: Any):
    assert house.past.balance(Wallet("tallinn", "nobody", "EUR")) == 0
    with pytest.raises(Refused, match=r"not covered by the balance of 0\.00 EUR"):
        house.do("withdraw", **ANN, amount="0.01")


def test_the_same_player_of_two_casinos_has_two_wallets(house: Any):
    house.do("deposit", **ANN, amount="1.00")
    house.do("deposit", casino="stockholm", player="ann", currency="SEK", amount="2.00")
    assert house.past.balance(Wallet("tallinn", "ann", "EUR")) == 100
    assert house.past.balance(Wallet("stockholm", "ann", "SEK")) == 200
