"""Dividing minor units so that nothing is lost and nobody is favoured but by the documented order."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.domain.jackpots.division import divide_by_weight, divide_equally

AMOUNTS = st.integers(0, 10**15)
WEIGHTS = st.lists(st.fractions(Fraction(1, 1000), 1000), min_size=1, max_size=12)


@pytest.mark.parametrize("winners", [1, 2, 3, 999])
@pytest.mark.parametrize("amount", [0, 1, 2, 100_00, 5_000_143])
def test_equal_parts_sum_to_the_amount_for_one_two_three_and_999_winners(winners, amount):
    parts = divide_equally(amount, winners)
    assert (sum(parts), len(parts)) == (amount, winners)
    assert sum(divide_by_weight(amount, [Fraction(1)] * winners)) == amount


def test_the_first_of_equal_winners_get_one_unit_more():
    assert divide_equally(100_00, 3) == [33_34, 33_33, 33_33]
    assert divide_equally(101, 3) == [34, 34, 33]


def test_fewer_units_than_winners_are_one_each_until_none_is_left():
    assert divide_equally(2, 5) == [1, 1, 0, 0, 0]
    assert divide_by_weight(2, [Fraction(1)] * 5) == [1, 1, 0, 0, 0]
    assert divide_equally(0, 3) == divide_by_weight(0, [Fraction(1)] * 3) == [0, 0, 0]


@given(AMOUNTS, st.integers(1, 1000))
def test_equal_parts_differ_by_one_unit_at_most_and_fall(amount, winners):
    parts = divide_equally(amount, winners)
    assert sum(parts) == amount
    assert parts == sorted(parts, reverse=True)
    assert parts[0] - parts[-1] <= 1


@given(AMOUNTS, WEIGHTS)
def test_weighted_parts_sum_to_the_amount_and_are_less_than_a_unit_from_exact(amount, weights):
    parts = divide_by_weight(amount, weights)
    assert sum(parts) == amount
    for part, weight in zip(parts, weights, strict=True):
        assert abs(part - amount * weight / sum(weights)) < 1


@given(AMOUNTS, WEIGHTS)
def test_the_missing_units_go_to_the_largest_remainders_ties_in_order(amount, weights):
    exact = [amount * weight / sum(weights) for weight in weights]
    remainders = [part - part.__floor__() for part in exact]
    more = [
        part - whole.__floor__() for part, whole in zip(divide_by_weight(amount, weights), exact, strict=True)
    ]
    assert set(more) <= {0, 1}
    order = sorted(range(len(weights)), key=lambda index: (-remainders[index], index))
    assert [more[index] for index in order] == sorted(more, reverse=True)


@given(AMOUNTS, st.integers(1, 100))
def test_equal_weights_are_an_equal_split(amount, winners):
    assert divide_by_weight(amount, [Fraction(3, 7)] * winners) == divide_equally(amount, winners)


@given(AMOUNTS, WEIGHTS, st.fractions(Fraction(1, 100), 100))
def test_only_the_proportion_of_the_weights_counts(amount, weights, factor):
    assert divide_by_weight(amount, weights) == divide_by_weight(
        amount, [weight * factor for weight in weights]
    )


@given(AMOUNTS, st.data())
def test_the_order_of_winners_matters_only_among_equal_remainders(amount, data):
    weights = data.draw(WEIGHTS)
    order = data.draw(st.permutations(range(len(weights))))
    parts = divide_by_weight(amount, weights)
    permuted = divide_by_weight(amount, [weights[index] for index in order])
    exact = [amount * weight / sum(weights) for weight in weights]
    for place, index in enumerate(order):
        if permuted[place] != parts[index]:
            remainder = exact[index] - exact[index].__floor__()
            assert [part - part.__floor__() for part in exact].count(remainder) > 1
