"""A fact that cannot follow is a bug and crashes loudly; nothing is skipped, nothing is made up."""

import tomllib
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.domain.decide import decide
from backoffice.domain.event import Command, Event
from backoffice.domain.jackpots.events import JackpotSeeded
from backoffice.domain.jackpots.state import evolve_jackpot
from backoffice.domain.network.events import RateSet
from backoffice.domain.network.state import Network, Rates, evolve_network, evolve_rates
from backoffice.domain.past import Past
from backoffice.domain.rounds.decisions import evolve_round
from backoffice.domain.rounds.events import BettingClosed, PotSettled
from backoffice.domain.wallet.events import MoneyDeposited
from backoffice.kernel.money import Money

NETWORK = tomllib.loads((Path(__file__).parents[2] / "golden" / "network.toml").read_text(encoding="utf-8"))
DEPOSIT = MoneyDeposited(casino="tallinn", player="ann", amount=Money(1, "EUR"))


class Unheard(Event):
    """A fact of a kind that nobody folds."""

    type_name = "test.unheard"


@pytest.fixture
def house() -> Any:
    house = PureHouse()
    house.apply_network(NETWORK)
    house.do("open", round="r", table="low-24h", number="1")
    return house


def test_a_past_folds_no_fact_that_it_does_not_know():
    with pytest.raises(TypeError, match="nothing folds"):
        Past().apply(Unheard())


def test_nobody_decides_a_command_that_is_not_known(house):
    with pytest.raises(TypeError, match="nobody decides"):
        decide(house.past, Command(id="c-1", at=house.now))


def test_a_round_begins_with_its_opening():
    with pytest.raises(AssertionError):
        evolve_round(None, BettingClosed(round="r"))


def test_a_round_against_the_dealer_knows_no_fact_of_a_pot(house):
    with pytest.raises((KeyError, TypeError), match="PotSettled"):
        house.past.apply(PotSettled(round="r", lines=(), stacks=()))


def test_a_jackpot_begins_with_its_definition_and_knows_its_own_facts_only(house):
    with pytest.raises(AssertionError):
        evolve_jackpot(None, JackpotSeeded(jackpot="royal", cycle=1, seed=Money(1, "EUR")))
    with pytest.raises(TypeError, match="is no fact of a jackpot"):
        evolve_jackpot(house.past.jackpots["royal"], DEPOSIT)


def test_network_and_rates_know_their_own_facts_only():
    with pytest.raises(TypeError, match="is no fact of the network"):
        evolve_network(Network(), DEPOSIT)
    with pytest.raises(TypeError, match="is no rate"):
        evolve_rates(Rates(), DEPOSIT)
    assert list(evolve_rates(Rates(), RateSet(quote="SEK", rate="1")).values) == ["1"]


def test_a_box_without_a_decision_is_never_settled(house):
    who = {"casino": "tallinn", "player": "ann", "currency": "EUR"}
    house.do("deposit", **who, amount="10.00")
    house.do("ante", round="r", seat="1", **who, amount="5.00")
    with pytest.raises(ValueError, match="seat 1 of round r is not ready to be settled"):
        house.past.rounds["r"].box("1")
    house.do("close", round="r")
    house.do("deal", round="r", hands={"1": ["7s", "7h", "7d", "3c", "2s"]}, up="Jc")
    with pytest.raises(ValueError, match="seat 1 of round r is not ready to be settled"):
        house.past.rounds["r"].box("1")


def test_an_event_cannot_be_changed():
    with pytest.raises(FrozenInstanceError):
        DEPOSIT.player = "bob"
