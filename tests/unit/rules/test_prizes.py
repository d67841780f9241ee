"""What a marked hand may claim from the jackpot table."""

import pytest

from backoffice.kernel.hands import Category
from backoffice.rules.book import Amounts, Chips, HouseBook, Percent
from backoffice.rules.books import SHELF
from backoffice.rules.prizes import jackpot_claim, jackpot_hand
from backoffice.rules.settlement import Box, Decision

FLUSH = ("Ah", "Jh", "9h", "5h", "3h")
ROYAL = ("Ah", "Kh", "Qh", "Jh", "Th")
PAIR = ("9h", "9d", "2c", "5s", "Kh")
WITH_JACKPOT = ["caribbean-24h/1", "caribbean-24h/2", "caribbean-live/1", "caribbean-swiss/1"]


def house_book(name: str) -> HouseBook:
    book = SHELF[name]
    assert isinstance(book, HouseBook)
    return book


def claims(name: str, *, cards: tuple[str, ...] = FLUSH, plays: bool = True, **box: object) -> bool:
    played = Box(ante=100, cards=cards, decision=Decision.CALL)._replace(**box)
    return jackpot_claim(house_book(name), played, dealer_plays=plays) is not None


@pytest.mark.parametrize("name", WITH_JACKPOT)
def test_a_royal_flush_claims_all_of_the_jackpot(name):
    assert jackpot_hand(house_book(name), ROYAL) == (Category.ROYAL_FLUSH, Percent(100))


def test_a_flush_claims_chips_or_a_sum():
    assert jackpot_hand(house_book("caribbean-live/1"), FLUSH) == (Category.FLUSH, Chips(25))
    assert jackpot_hand(house_book("caribbean-24h/2"), FLUSH) == (Category.FLUSH, Amounts({"EUR": 15_00}))
    assert jackpot_hand(house_book("caribbean-swiss/1"), FLUSH) == (Category.FLUSH, Amounts({"CHF": 250_00}))


@pytest.mark.parametrize("name", WITH_JACKPOT)
def test_a_pair_claims_nothing(name):
    assert jackpot_hand(house_book(name), PAIR) is None
    assert not claims(name, cards=PAIR)


def test_a_book_without_a_jackpot_table_has_no_claims():
    assert jackpot_hand(house_book("stud-dublinbet/1"), ROYAL) is None
    assert not claims("stud-dublinbet/1", cards=ROYAL)


@pytest.mark.parametrize("name", ["caribbean-24h/1", "caribbean-24h/2", "caribbean-live/1"])
@pytest.mark.parametrize("decision", [Decision.CALL, Decision.FOLD])
@pytest.mark.parametrize("plays", [True, False])
def test_call_or_fold_and_the_dealer_make_no_difference(name, decision, plays):
    assert claims(name, decision=decision, plays=plays)


@pytest.mark.parametrize(
    ("plays", "decision", "blind", "announced", "wins"),
    [
        (True, Decision.CALL, False, False, True),
        (True, Decision.CALL, False, True, True),
        (False, Decision.CALL, False, False, False),
        (False, Decision.CALL, False, True, True),
        (True, Decision.FOLD, False, False, False),
        (True, Decision.FOLD, False, True, True),
        (False, Decision.FOLD, False, False, False),
        (False, Decision.FOLD, False, True, True),
        (True, Decision.CALL, True, False, True),
        (False, Decision.CALL, True, False, True),
    ],
)
def test_a_hand_that_nobody_turns_over_must_be_announced(plays, decision, blind, announced, wins):
    found = claims("caribbean-swiss/1", plays=plays, decision=decision, blind=blind, announced=announced)
    assert found is wins


@pytest.mark.parametrize("announced", [True, False])
def test_an_exchange_gives_the_jackpot_up(announced):
    assert not claims("caribbean-swiss/1", exchanged=True, announced=announced)


def test_a_void_hand_claims_nothing():
    assert not claims("caribbean-24h/2", decision=Decision.VOID)
