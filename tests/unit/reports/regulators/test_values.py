"""Values as schemas take them: nothing is cut, nothing is rounded."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from backoffice.reports.regulators.refusals import Unwritable
from backoffice.reports.regulators.values import exact, fitted, padded, utc


@pytest.mark.parametrize(
    ("minor", "currency", "decimals", "text"),
    [
        (950, "EUR", 2, "9.50"),
        (-5, "EUR", 2, "-0.05"),
        (160, "JPY", 2, "160"),
        (1234, "KWD", 10, "1.234"),
        (1230, "KWD", 2, "1.23"),
        (0, "KWD", 2, "0.00"),
    ],
)
def test_a_sum_has_its_currencys_digits(minor: int, currency: str, decimals: int, text: str) -> None:
    assert exact(minor, currency, decimals=decimals, most=9_999_999_999) == text


def test_a_digit_that_would_be_lost_is_refused() -> None:
    with pytest.raises(Unwritable, match=r"1\.234 KWD has more than the 2 decimals this file has room for"):
        exact(1234, "KWD", decimals=2, most=9_999_999_999)


@pytest.mark.parametrize("minor", [1_000_000_000_000, -1_000_000_000_000])
def test_a_sum_too_large_for_the_schema_is_refused(minor: int) -> None:
    assert exact(999_999_999_900, "EUR", decimals=2, most=9_999_999_999) == "9999999999.00"
    with pytest.raises(Unwritable, match=r"10000000000\.00 EUR is more than this file has room for"):
        exact(minor, "EUR", decimals=2, most=9_999_999_999)


def test_ten_decimals_are_written_out() -> None:
    assert [padded(text, 10) for text in ("9.50", "160", "-0.05")] == [
        "9.5000000000",
        "160.0000000000",
        "-0.0500000000",
    ]


def test_a_name_that_fits_stays_and_a_longer_one_is_told_apart_from_all_others() -> None:
    long, other = "p" * 60 + "1", "p" * 60 + "2"
    assert fitted("p" * 45, 45) == "p" * 45
    assert fitted(long, 45) == fitted(long, 45) != fitted(other, 45)
    assert [len(fitted(long, longest)) for longest in (45, 16)] == [45, 16]


def test_a_name_that_xml_cannot_say_is_told_by_its_digest() -> None:
    assert "\uffff" not in fitted("p\uffff", 45) != fitted("p\ufffe", 45)


def test_moments_are_of_utc_and_exact() -> None:
    moment = datetime(2026, 3, 1, 21, 0, 5, tzinfo=timezone(timedelta(hours=1)))
    assert utc(moment) == "2026-03-01T20:00:05Z"
    assert utc(moment.replace(microsecond=120_000)) == "2026-03-01T20:00:05.12Z"
    assert utc(datetime(2026, 3, 1, tzinfo=UTC)) == "2026-03-01T00:00:00Z"
