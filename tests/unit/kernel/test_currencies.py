"""Digits by ISO 4217, and amounts as people write them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from iso4217 import Currency

from backoffice.kernel.currencies import MAX_MINOR, BadAmount, exponent, format_minor, parse_minor, units

WITH_UNITS = sorted(currency.code for currency in Currency if currency.exponent is not None)
WITHOUT_UNITS = sorted(currency.code for currency in Currency if currency.exponent is None)


@pytest.mark.parametrize(("currency", "digits"), [("EUR", 2), ("JPY", 0), ("KWD", 3), ("CLF", 4), ("SEK", 2)])
def test_a_currency_has_the_digits_of_iso_4217(currency, digits):
    assert exponent(currency) == digits
    assert units(currency) == 10**digits


def test_every_currency_of_iso_4217_is_known():
    assert {code: exponent(code) for code in WITH_UNITS} == {
        code: Currency(code).exponent for code in WITH_UNITS
    }


@pytest.mark.parametrize("code", ["XYZ", "", "eur", "EURO", "€", "Euro", "978", "E"])
def test_an_unknown_currency_is_refused(code):
    with pytest.raises(BadAmount, match="is no ISO 4217 currency"):
        exponent(code)


@pytest.mark.parametrize("code", WITHOUT_UNITS)
def test_a_currency_without_a_minor_unit_is_refused(code):
    with pytest.raises(BadAmount, match="has no minor unit"):
        parse_minor("1", code)


@pytest.mark.parametrize(
    ("text", "currency", "minor"),
    [
        ("10.00", "EUR", 1000),
        ("10", "EUR", 1000),
        ("10.5", "EUR", 1050),
        ("0.01", "EUR", 1),
        ("0", "EUR", 0),
        ("007.50", "EUR", 750),
        ("500", "JPY", 500),
        ("1.234", "KWD", 1234),
        ("1.2", "KWD", 1200),
        ("10000000000000.00", "EUR", MAX_MINOR),
    ],
)
def test_an_amount_is_read_to_its_minor_units(text, currency, minor):
    assert parse_minor(text, currency) == minor


SIGNED = ["-1.00", "+1.00", "-0"]
EXPONENTS = ["1e2", "1E2", "1.0e0"]
NO_NUMBERS = ["NaN", "Infinity", "", "0x10", "1/2", "\x00", "٣"]
MISWRITTEN = ["1,00", "1.", ".5", "1.0.0", "1_000", "1'000", " 1", "1 ", "1\n", "1.00\n", "1.0000000"]


@pytest.mark.parametrize("text", [*SIGNED, *EXPONENTS, *NO_NUMBERS, *MISWRITTEN])
def test_a_sign_an_exponent_or_anything_but_digits_and_a_point_is_refused(text):
    with pytest.raises(BadAmount, match="is no amount"):
        parse_minor(text, "EUR")


@pytest.mark.parametrize(
    ("text", "currency", "digits"),
    [("1.001", "EUR", 2), ("1.000", "EUR", 2), ("1.0", "JPY", 0), ("1.0001", "KWD", 3)],
)
def test_more_digits_than_the_currency_has_are_refused_even_zeros(text, currency, digits):
    with pytest.raises(BadAmount, match=rf"more digits than {currency} has \({digits}\)"):
        parse_minor(text, currency)


@pytest.mark.parametrize(
    ("text", "currency"), [("10000000000000.01", "EUR"), ("9" * 24, "JPY"), ("1000000000000.001", "KWD")]
)
def test_more_than_one_amount_may_be_is_refused(text, currency):
    with pytest.raises(
        BadAmount, match=f"is more than one amount may be, {format_minor(MAX_MINOR, currency)}"
    ):
        parse_minor(text, currency)


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (1000, "EUR", "10.00"),
        (5, "EUR", "0.05"),
        (-5, "EUR", "-0.05"),
        (0, "EUR", "0.00"),
        (-100, "EUR", "-1.00"),
        (160, "JPY", "160"),
        (-160, "JPY", "-160"),
        (0, "JPY", "0"),
        (1, "KWD", "0.001"),
        (-1234567, "KWD", "-1234.567"),
    ],
)
def test_an_amount_is_written_with_all_the_digits_of_its_currency(minor, currency, text):
    assert format_minor(minor, currency) == text


@given(st.integers(0, MAX_MINOR), st.sampled_from(WITH_UNITS))
def test_what_is_written_is_read_back(minor, currency):
    assert parse_minor(format_minor(minor, currency), currency) == minor


@given(st.text(max_size=12), st.sampled_from(["EUR", "JPY", "KWD"]))
def test_any_text_is_an_amount_or_refused(text, currency):
    try:
        minor = parse_minor(text, currency)
    except BadAmount:
        return
    assert 0 <= minor <= MAX_MINOR
