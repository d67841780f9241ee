"""Rates and conversion, against exact fractions."""

from decimal import ROUND_HALF_EVEN, Decimal, localcontext
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.kernel.currencies import units
from backoffice.kernel.exchange import BadRate, base_value, from_base, parse_rate, to_base

CURRENCIES = st.sampled_from(["EUR", "SEK", "JPY", "KWD"])
RATES = st.decimals(Decimal("0.000001"), Decimal(100_000), places=6).map(lambda rate: f"{rate:f}")
MINOR = st.integers(-(10**15), 10**15)


def half_even(exact: Fraction) -> int:
    """Rounding by the book, without `round`."""
    floor = exact.numerator // exact.denominator
    rest = exact - floor
    if rest == Fraction(1, 2):
        return floor + floor % 2
    return floor + (rest > Fraction(1, 2))


@given(MINOR, CURRENCIES, RATES, CURRENCIES)
def test_a_value_in_base_is_rounded_once_half_to_even(minor, currency, rate, base):
    exact = Fraction(minor, units(currency)) / Fraction(rate) * units(base)
    assert base_value(minor, currency, parse_rate(rate), base) == exact
    assert to_base(minor, currency, parse_rate(rate), base) == half_even(exact)


@given(MINOR, CURRENCIES, RATES, CURRENCIES)
def test_a_value_of_base_is_rounded_once_half_to_even(minor, base, rate, currency):
    exact = Fraction(minor, units(base)) * Fraction(rate) * units(currency)
    assert from_base(minor, base, parse_rate(rate), currency) == half_even(exact)


@given(st.integers(0, 10**12), RATES)
def test_decimal_arithmetic_agrees(minor, rate):
    with localcontext(prec=60):
        value = (Decimal(minor) / 100 * Decimal(rate)).quantize(Decimal("0.01"), ROUND_HALF_EVEN)
    assert from_base(minor, "EUR", parse_rate(rate), "SEK") == int(value * 100)


@pytest.mark.parametrize(
    ("minor", "rate", "cents"),
    [(1, "2", 0), (3, "2", 2), (5, "2", 2), (7, "2", 4), (-1, "2", 0), (-3, "2", -2)],
)
def test_a_half_goes_to_the_even_neighbour(minor, rate, cents):
    assert to_base(minor, "SEK", parse_rate(rate), "EUR") == cents


def test_currencies_of_other_digits_are_not_off_by_a_hundred():
    assert to_base(160, "JPY", parse_rate("160"), "EUR") == 100
    assert from_base(100, "EUR", parse_rate("160"), "JPY") == 160
    assert to_base(334, "KWD", parse_rate("0.334"), "EUR") == 100
    assert from_base(100, "EUR", parse_rate("0.334"), "KWD") == 334


def test_a_rate_is_read_exactly():
    assert parse_rate("11.4210") == Fraction(114210, 10000)
    assert parse_rate("163.05") == Fraction(16305, 100)


@pytest.mark.parametrize(
    "text", ["0", "0.0", "-1", "+1", "1e3", "1.", ".5", "", "NaN", "1\n", " 1", "1/3", "1_0"]
)
def test_a_rate_is_a_positive_decimal_string(text):
    with pytest.raises(BadRate):
        parse_rate(text)


@pytest.mark.parametrize("text", ["0.000000001", "1000000000", "1000000000.000000000000"])
def test_a_rate_may_be_as_small_and_as_large_as_two_currencies_ever_were_apart(text):
    assert parse_rate(text) == Fraction(text)


@pytest.mark.parametrize("text", ["0.000000000999", "1000000000.000000000001", "999999999999"])
def test_a_rate_that_no_two_currencies_have_is_refused(text):
    with pytest.raises(BadRate, match=r"it lies between 0\.000000001 and 1000000000"):
        parse_rate(text)
