"""A settled pot taken back, and settled anew with the right cards: stacks, rake and the uncalled part to the last chip."""

import pytest
from promises import check_promises
from pure_house import PureHouse, accounts
from stud_table import read

from backoffice.domain.cases.commands import RequestCorrection
from backoffice.domain.cases.names import correction_id, dispute_id, reversal_id
from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import PotSettled, RoundCorrected, RoundReversed
from backoffice.domain.rounds.phase import Phase

NETWORK = {
    "network": {"id": "pots", "base_currency": "EUR"},
    "casino": [{"id": "tallinn", "currencies": ["EUR"], "timezone": "Europe/Tallinn"}],
    "table": [
        {
            "id": "stud",
            "ruleset": "five-card-stud/1",
            "casinos": ["tallinn"],
            "stud": {
                "currency": "EUR",
                "small": "10.00",
                "big": "20.00",
                "bring_in": "5.00",
                "rake_percent": "5",
            },
        }
    ],
}
SHOWDOWN = (
    "1 2 3 sit with 400.00",
    "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad",
    "1 brings in",
    "2 calls",
    "3 completes",
    "1 folds",
    "2 calls",
    "street 2: 2 Th, 3 Ac",
    "3 2 check",
    "street 3: 2 2c, 3 7d",
    "3 2 check",
    "street 4: 2 4s, 3 8c",
    "3 bets",
    "2 calls",
    "2 3 show",
)


def played(*sentences: str) -> PureHouse:
    """Players with 500.00 each, at a table in a dealer's words."""
    house = PureHouse()
    house.apply_network(NETWORK)
    for number in range(1, 4):
        house.do("deposit", casino="tallinn", player=f"p-{number}", amount="500.00", currency="EUR")
    house.do("open", round="r-1", table="stud", number="1")
    for sentence in sentences:
        for action in read(sentence):
            house.handle(action)
    return house


def held(house: PureHouse) -> dict[str, int]:
    """What everybody has, in whole euro and cents."""
    return {wallet.player: minor for wallet, minor in house.past.balances.items()}


def test_every_chip_goes_back_to_who_put_it_in_and_the_rake_too():
    house = played()
    before = accounts(house.events)
    house = played(*SHOWDOWN, "settle")
    # three times ten or five, and twice twenty: 65.00 less 3.25 to the aces
    assert held(house) == {"p-1": 495_00, "p-2": 470_00, "p-3": 531_75}
    house.reverse("r-1", "a card was marked")
    check_promises(house)
    assert held(house) == dict.fromkeys(("p-1", "p-2", "p-3"), 500_00)
    assert accounts(house.events) == before
    reversed_round = house.events_of("r-1")[-1]
    assert isinstance(reversed_round, RoundReversed)
    assert [(line.seat, line.payout) for line in reversed_round.refunds] == [
        ("1", 5_00),
        ("2", 30_00),
        ("3", 30_00),
    ]


def test_a_pot_is_settled_anew_with_the_cards_as_they_were():
    house = played(*SHOWDOWN, "settle")
    house.reverse("r-1", "a card was misread")
    right = {"2": ["Qs", "Td", "Th", "2c", "Ts"]}
    house.ask(RequestCorrection, "mia", round="r-1", reason="a four was a ten", hands=right)
    house.approve(correction_id("r-1"))
    check_promises(house)
    assert house.past.rounds["r-1"].phase is Phase.SETTLED
    assert held(house) == {"p-1": 495_00, "p-2": 531_75, "p-3": 470_00}
    corrected, settled = house.events_of("r-1")[-2:]
    assert isinstance(corrected, RoundCorrected)
    assert isinstance(settled, PotSettled)
    assert (settled.number, settled.stacks) == (3, ())
    # with the tens open it would have been the other's turn; the chips are the same
    twin = played(*SHOWDOWN[:-4], "street 4: 2 Ts, 3 8c", "2 bets", "3 calls", "3 2 show", "settle")
    assert accounts(house.events) == accounts(twin.events)
    house.reverse("r-1", "it was a jack")
    assert held(house) == dict.fromkeys(("p-1", "p-2", "p-3"), 500_00)


def test_a_hand_that_was_folded_stays_folded_whatever_it_was():
    house = played(*SHOWDOWN, "settle")
    house.reverse("r-1", "a card was misread")
    house.ask(RequestCorrection, "mia", round="r-1", reason="it was a king", hands={"1": ["Kh", "Kd"]})
    house.approve(correction_id("r-1"))
    assert held(house) == {"p-1": 495_00, "p-2": 470_00, "p-3": 531_75}


def test_who_has_spent_the_refund_owes_the_stake():
    house = played(*SHOWDOWN, "settle")
    house.do("withdraw", casino="tallinn", player="p-3", amount="531.75", currency="EUR")
    house.reverse("r-1", "a card was misread")
    assert house.past.debts["tallinn", "p-3"] == {"EUR": 31_75}
    with pytest.raises(Refused, match=r"p-3: owes 31.75 EUR"):
        house.do("withdraw", casino="tallinn", player="p-3", amount="1.00", currency="EUR")
    house.do("deposit", casino="tallinn", player="p-3", amount="400.00", currency="EUR")
    house.do("open", round="r-2", table="stud", number="2")
    sit = {"casino": "tallinn", "player": "p-3", "currency": "EUR", "stack": "100.00"}
    with pytest.raises(Refused, match=r"seat 1: the player owes 31.75 EUR"):
        house.do("sit", round="r-2", seat="1", **sit)
    check_promises(house)


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"hands": {"4": ["Kh", "Kd"]}}, "seat 4: was dealt no hand"),
        ({"hands": {"1": ["Kh", "Kd", "2s"]}}, "seat 1: was dealt 2 cards, not 3"),
        ({"hands": {"1": ["Kh", "Ad"]}}, "A♦ is on the table twice: a dealing error"),
        ({"dealer": ["2s", "3s", "4d", "5s", "6s"]}, "Five Card Stud has no dealer's hand"),
        ({"up": "2s"}, "Five Card Stud has no dealer's hand"),
    ],
)
def test_cards_that_cannot_be_are_refused(fields, why):
    house = played(*SHOWDOWN, "settle")
    house.reverse("r-1", "a card was misread")
    with pytest.raises(Refused) as refused:
        house.ask(RequestCorrection, "mia", round="r-1", reason="it was misread", **fields)
    assert refused.value.reason == why


def test_a_disputed_pot_goes_with_its_reversal():
    house = played(*SHOWDOWN)
    house.do("settle", round="r-1", payouts={"3": {"pot": "65.00"}})
    case = dispute_id("r-1", "3", "pot")
    assert case in house.past.cases
    house.reverse("r-1", "a card was marked")
    assert house.past.cases[case].closed
    assert house.past.cases[reversal_id("r-1")].closed
    check_promises(house)
