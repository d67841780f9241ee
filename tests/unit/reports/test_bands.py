"""Bands hold nineteen of twenty honest years, whole numbers all the way."""

from fractions import Fraction
from math import sqrt
from random import Random

import pytest

from backoffice.kernel.hands import Category
from backoffice.reports.bands import Band, Observed, band_of_observations, band_of_theory, is_rough
from backoffice.rules.book import HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.returns import Pay, Staked, Theory, bonus_theory

DIE = Theory(5, {Category.ONE_PAIR: 1, Category.HIGH_CARD: 5}, {Category.ONE_PAIR: Pay(times=5)})
"""Five for one on one of six."""


def observed(hands: list[tuple[list[int], bool]]) -> Observed:
    """Hands with the stakes on each, and whether it won."""
    stakes = [sum(bets) for bets, _ in hands]
    paid = [5 * stake * won for stake, (_, won) in zip(stakes, hands, strict=True)]
    bets = [len(bets) for bets, _ in hands]
    staked = Staked(
        sum(stakes),
        sum(bets),
        sum(stake**2 for stake in stakes),
        sum(stake * number for stake, number in zip(stakes, bets, strict=True)),
        sum(number**2 for number in bets),
    )
    return Observed(
        len(hands),
        staked,
        sum(paid),
        sum(payout**2 for payout in paid),
        sum(payout * stake for payout, stake in zip(paid, stakes, strict=True)),
    )


def year(seed: int, hands: int = 400, players: int = 20) -> Observed:
    chance = Random(seed)  # noqa: S311
    return observed(
        [([chance.randint(1, 50) for _ in range(players)], chance.randrange(6) == 0) for _ in range(hands)]
    )


def within(found: Observed, band: Band | None, actual: Fraction) -> bool:
    assert band is not None
    return band.holds(actual)


def test_about_one_honest_year_of_twenty_is_outside_whichever_band_is_taken():
    years = [year(seed) for seed in range(300)]
    returned = [Fraction(one.paid, one.staked.stake) for one in years]
    by_theory = sum(
        not within(one, band_of_theory(DIE, one), actual) for one, actual in zip(years, returned, strict=True)
    )
    of_truth = sum(not within(one, band_of_observations(one), Fraction(5, 6)) for one in years)
    assert 6 <= by_theory <= 26
    assert 6 <= of_truth <= 30


def test_taken_bet_by_bet_the_band_would_be_too_narrow():
    """What counting players instead of hands would do: the same hand, as often as it was played."""
    one = year(1)
    by_hand = band_of_theory(DIE, one)
    bet_by_bet = DIE.variance(one.staked._replace(stake_squares=one.staked.stake_squares // 20))
    assert by_hand.variance * one.staked.stake**2 > 19 * bet_by_bet


def test_edges_are_the_root_to_the_hundredth_of_a_percent_and_never_below_nothing():
    one = year(2)
    band = band_of_theory(DIE, one)
    low, high = band.edges
    reach = 1.96 * sqrt(float(DIE.variance(one.staked))) / one.staked.stake
    assert float(high - band.middle) == pytest.approx(reach, abs=0.00006)
    assert (high - band.middle) * 10_000 == round((high - band.middle) * 10_000)
    assert low > 0
    assert band_of_theory(DIE, year(3, hands=1)).edges[0] == 0


def test_what_lies_on_the_edge_is_within():
    band = Band(Fraction(1), Fraction(1, 10_000))
    assert band.holds(Fraction(10196, 10_000))
    assert not band.holds(Fraction(101961, 100_000))
    assert band.holds(Fraction(9804, 10_000))


def test_one_observation_has_no_spread_of_its_own():
    assert band_of_observations(year(1, hands=1)) is None
    assert band_of_observations(year(1, hands=2)) is not None


def test_a_band_is_rough_until_the_rarest_prize_was_due_five_times():
    assert is_rough(DIE, 29)
    assert not is_rough(DIE, 30)
    live = SHELF["caribbean-live/1"]
    assert isinstance(live, HouseBook)
    bonus = bonus_theory(live)
    assert bonus is not None
    assert is_rough(bonus, 541_000)
    assert not is_rough(bonus, 542_000)
