"""Tail chances against closed forms and printed tables; corrections for many comparisons against worked examples."""

from fractions import Fraction
from math import erfc, exp, factorial, sqrt

import pytest

from backoffice.reports.chance import chi_square_tail, gamma_tails, holm, poisson_tail


@pytest.mark.parametrize(
    ("statistic", "freedom", "chance"),
    [
        (3.841459, 1, 0.05),
        (6.634897, 1, 0.01),
        (18.307038, 10, 0.05),
        (68.669294, 51, 0.05),
        (77.385962, 51, 0.01),
    ],
)
def test_chi_square_is_that_of_the_printed_tables(statistic, freedom, chance):
    assert chi_square_tail(statistic, freedom) == pytest.approx(chance, rel=1e-6)


@pytest.mark.parametrize("statistic", [0.001, 0.5, 2.0, 9.0, 60.0, 700.0])
def test_chi_square_of_one_and_two_degrees_has_its_closed_form(statistic):
    assert chi_square_tail(statistic, 1) == pytest.approx(erfc(sqrt(statistic / 2)), rel=1e-12)
    assert chi_square_tail(statistic, 2) == pytest.approx(exp(-statistic / 2), rel=1e-12)


@pytest.mark.parametrize(
    ("count", "expected"), [(1, 0.0003), (2, 0.01), (5, 5.0), (12, 3.5), (3, 40.0), (200, 150.0)]
)
def test_the_poisson_tail_is_the_sum_of_its_terms(count, expected):
    terms = (Fraction(expected) ** k / factorial(k) for k in range(count, count + 300))
    assert poisson_tail(count, expected) == pytest.approx(exp(-expected) * float(sum(terms)), rel=1e-9)


def test_nothing_or_more_is_certain():
    assert poisson_tail(0, 0.0) == poisson_tail(0, 7.5) == 1.0
    assert poisson_tail(1, 0.0) == 0.0
    assert chi_square_tail(0.0, 51) == 1.0


@pytest.mark.parametrize("shape", [0.5, 1, 25.5, 500, 20_000])
@pytest.mark.parametrize("times", [0.2, 0.9, 1.0, 1.1, 3.0])
def test_both_tails_are_chances_and_add_up_to_one(shape, times):
    lower, upper = gamma_tails(shape, shape * times)
    assert 0 <= lower <= 1
    assert 0 <= upper <= 1
    assert lower + upper == pytest.approx(1)


def test_holm_weighs_the_smallest_most_and_never_falls():
    adjusted = holm({"a": 0.01, "b": 0.04, "c": 0.03, "d": 0.005})
    assert adjusted == pytest.approx({"d": 0.02, "a": 0.03, "c": 0.06, "b": 0.06})


def test_holm_of_one_test_changes_nothing_and_no_chance_grows_over_one():
    assert holm({"a": 0.03}) == {"a": 0.03}
    assert holm({"a": 0.9, "b": 0.8}) == {"b": 1.0, "a": 1.0}
    assert holm({}) == {}
