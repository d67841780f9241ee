"""Amounts of one currency."""

import pytest

from backoffice.kernel.currencies import BadAmount
from backoffice.kernel.money import Money


def test_money_is_minor_units_and_a_currency():
    assert Money.parse("10.00", "EUR") == Money(1000, "EUR")
    assert Money.parse("500", "JPY") == Money(500, "JPY")


def test_money_is_written_with_its_digits():
    assert str(Money(1000, "EUR")) == "10.00 EUR"
    assert Money(-5, "KWD").text == "-0.005"


def test_money_of_one_currency_adds_up():
    assert Money(1, "EUR") + Money(2, "EUR") == Money(3, "EUR")
    assert -Money(1, "EUR") == Money(-1, "EUR")


def test_adding_two_currencies_crashes():
    with pytest.raises(TypeError, match="two currencies"):
        Money(1, "EUR") + Money(1, "SEK")


def test_bad_money_is_refused():
    with pytest.raises(BadAmount):
        Money.parse("1.001", "EUR")
