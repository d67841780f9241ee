"""Conversion at a rate, exactly: quote units for one base unit, rounded once, half to even."""

import re
from fractions import Fraction
from functools import lru_cache

from backoffice.kernel.currencies import units

RATE_PATTERN = r"^[0-9]{1,12}(\.[0-9]{1,12})?$"
_RATE = re.compile(RATE_PATTERN)
MIN_RATE, MAX_RATE = Fraction(1, 10**9), Fraction(10**9)
"""No two currencies of the world are further apart than that."""


class BadRate(ValueError):
    """A rate that is not a positive decimal number, or cannot be one of two currencies."""


@lru_cache(maxsize=4096)
def parse_rate(text: str) -> Fraction:
    """`"11.4210"` -> 114210/10000, exactly. Raises BadRate for anything but a positive decimal string of a possible rate."""
    if not _RATE.match(text) or text.endswith("\n"):
        raise BadRate(f"{text} is no rate: digits, and a point with digits if there are any")
    rate = Fraction(text)
    if not rate:
        raise BadRate("a rate is greater than zero")
    if not MIN_RATE <= rate <= MAX_RATE:
        raise BadRate(f"{text} is no rate of two currencies: it lies between 0.000000001 and 1000000000")
    return rate


def base_value(minor: int, currency: str, rate: Fraction, base: str) -> Fraction:
    """The exact value in minor units of `base` of `minor` units of `currency`, at `rate` units of currency for 1 of base."""
    return Fraction(minor * units(base), units(currency)) / rate


def to_base(minor: int, currency: str, rate: Fraction, base: str) -> int:
    """`base_value`, rounded half to even."""
    return round(base_value(minor, currency, rate, base))


def from_base(minor: int, base: str, rate: Fraction, currency: str) -> int:
    """`minor` units of `base` in minor units of `currency` at `rate`, rounded half to even."""
    return round(Fraction(minor * units(currency), units(base)) * rate)
