"""Amounts in a SAF-T file: whole, or not at all."""

import pytest

from backoffice.reports.books.saft_amounts import Untellable, amount


@pytest.mark.parametrize(
    ("minor", "currency", "text"),
    [
        (500, "EUR", "5.00"),
        (0, "EUR", "0.00"),
        (160, "JPY", "160"),
        (5000, "KWD", "5.00"),
        (1230, "KWD", "1.23"),
        (0, "KWD", "0.00"),
        (10**18 - 1, "EUR", "9999999999999999.99"),
        (10**18, "KWD", "1000000000000000.00"),
        (12300, "CLF", "1.23"),
    ],
)
def test_an_amount_has_the_digits_that_there_are_room_for(minor: int, currency: str, text: str) -> None:
    assert amount(minor, currency, "here") == text


@pytest.mark.parametrize(
    ("minor", "currency", "reason"),
    [
        (1234, "KWD", "position 7: 1.234 KWD has more digits than the two of SAF-T; it is not cut"),
        (1, "KWD", "position 7: 0.001 KWD has more digits"),
        (10**18, "EUR", "position 7: 10000000000000000.00 EUR has more digits than the 18 of SAF-T"),
        (2**63 - 1, "JPY", "9223372036854775807 JPY has more digits than the 18 of SAF-T"),
    ],
)
def test_an_amount_without_room_is_refused_and_never_cut(minor: int, currency: str, reason: str) -> None:
    with pytest.raises(Untellable, match=reason):
        amount(minor, currency, "position 7")
