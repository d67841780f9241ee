"""What bets return by theory is what the sheets and the example network publish, and what counting outcomes gives."""

import re
import tomllib
from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from backoffice.kernel.currencies import parse_minor
from backoffice.kernel.hands import Category
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.returns import Pay, Staked, Theory, bonus_theory, fixed_prizes_theory
from tests.shared_folder import shared

_SHEET = "002_15014163b8e97d97.txt"


def house_book(name: str) -> HouseBook:
    book = SHELF[name]
    assert isinstance(book, HouseBook)
    return book


def theory(found: Theory | None) -> Theory:
    assert found is not None
    return found


def percent(part: Fraction) -> str:
    """To two digits, as the sheets give it."""
    hundredths = round(part * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02d}"


def published(bet: str) -> str:
    """What the live sheet says of a bet's return."""
    found = re.search(rf"for {re.escape(bet)}-indsatsen er ([0-9.]+)%", shared("seeds", _SHEET).read_text())
    assert found is not None
    return found[1]


def test_the_5_plus_1_bonus_returns_what_its_sheet_says():
    returned = percent(theory(bonus_theory(house_book("caribbean-live/1"))).share(1))
    assert returned == "91.44" == published("5+1 BONUS")


def test_the_live_jackpot_returns_what_its_sheet_says_with_half_of_each_chip_for_the_pool():
    fixed = theory(fixed_prizes_theory(house_book("caribbean-live/1"), "SEK")).share(10_00)
    assert percent(fixed) == "31.84"
    assert percent(fixed + Fraction(1, 2)) == "81.84" == published("JACKPOT")


@pytest.mark.parametrize(
    ("name", "jackpot", "currency", "fixed", "whole"),
    [
        ("caribbean-live/1", "royal", "EUR", "31.84", "81.84"),
        ("caribbean-live/1", "royal", "JPY", "31.84", "81.84"),
        ("caribbean-24h/1", "house-24h", "EUR", "39.37", "89.37"),
        ("caribbean-24h/2", "house-24h", "EUR", "39.37", "89.37"),
        ("caribbean-swiss/1", "ticino", "CHF", "72.59", "92.59"),
    ],
)
def test_the_jackpots_of_the_example_network_return_what_its_file_says(name, jackpot, currency, fixed, whole):
    network = tomllib.loads(shared("feeds", "network.toml").read_text())
    chips = next(section["chip"] for section in network["jackpot"] if section["id"] == jackpot)
    chip, pool = (parse_minor(chips[currency][part], currency) for part in ("stake", "pool"))
    returned = theory(fixed_prizes_theory(house_book(name), currency)).share(chip)
    assert (percent(returned), percent(returned + Fraction(pool, chip))) == (fixed, whole)


def test_the_fixed_bonus_returns_80_42_percent_and_each_win_one_stake_more_where_it_goes_back():
    book = house_book("stud-dublinbet/1")
    assert isinstance(book.bonus, FixedBonus)
    kept = theory(bonus_theory(book)).share(book.bonus.stake)
    returned = replace(book, bonus=replace(book.bonus, returns_stake=True))
    assert percent(kept) == "80.42"
    assert theory(bonus_theory(returned)).share(1_00) - kept == Fraction(
        4 + 36 + 624 + 3744 + 5108, 2_598_960
    )


def test_a_book_without_the_bet_has_no_theory_of_it():
    assert bonus_theory(house_book("caribbean-swiss/1")) is None
    assert fixed_prizes_theory(house_book("stud-dublinbet/1"), "EUR") is None


def test_mean_and_variance_are_those_of_all_outcomes_with_bets_on_one_hand_falling_together():
    coin = Theory(
        5,
        {Category.ONE_PAIR: 1, Category.FLUSH: 2, Category.HIGH_CARD: 3},
        {Category.ONE_PAIR: Pay(times=4), Category.FLUSH: Pay(times=1, amount=10)},
    )
    hands = [[100, 30], [50], [7, 7, 7]]  # three hands with two, one and three bets on them
    outcomes = [Pay(4, 0), Pay(1, 10), Pay(1, 10), Pay(), Pay(), Pay()]
    paid = [
        sum(
            pay.times * stake + pay.amount
            for pay, stakes in zip(fall, hands, strict=True)
            for stake in stakes
        )
        for fall in product(outcomes, repeat=3)
    ]
    staked = Staked(
        stake=sum(map(sum, hands)),
        bets=sum(map(len, hands)),
        stake_squares=sum(sum(stakes) ** 2 for stakes in hands),
        stake_bets=sum(sum(stakes) * len(stakes) for stakes in hands),
        bets_squares=sum(len(stakes) ** 2 for stakes in hands),
    )
    mean = Fraction(sum(paid), len(paid))
    assert coin.expected(staked) == mean
    assert coin.variance(staked) == Fraction(sum(sum_paid**2 for sum_paid in paid), len(paid)) - mean**2


def test_five_hundred_bets_on_one_hand_spread_as_one_bet_of_their_sum():
    bonus = theory(bonus_theory(house_book("caribbean-live/1")))
    shared_hand = Staked(500_00, 500, 500_00**2, 500_00 * 500, 500**2)
    own_hands = Staked(500_00, 500, 500 * 1_00**2, 500 * 1_00, 500)
    assert bonus.expected(shared_hand) == bonus.expected(own_hands)
    assert bonus.variance(shared_hand) == 500 * bonus.variance(own_hands)
