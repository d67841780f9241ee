"""How many digits a currency has, by ISO 4217, and amounts as people write them."""

import re
from functools import cache, lru_cache

from iso4217 import Currency

AMOUNT_PATTERN = r"^[0-9]{1,24}(\.[0-9]{1,6})?$"
_AMOUNT = re.compile(AMOUNT_PATTERN)
MAX_MINOR = 10**15
"""The most that one amount may be that somebody gives: a sum brought, a seed, a ceiling."""
MAX_STAKE_MINOR = 10**12
"""The most that a table may take on one bet. Any odds, and 2500 chips, leave room for thousands of such payouts."""
MAX_COUNTED = 2**63 - 1
"""The most that this house can count: what the database's whole numbers hold."""


class BadAmount(ValueError):
    """An amount or a currency that money cannot be made of; the message says why, in a sentence."""


@cache
def exponent(currency: str) -> int:
    """Digits after the point of `currency` (EUR 2, JPY 0, KWD 3). Raises BadAmount for an unknown or unitless code."""
    try:
        digits = Currency(currency).exponent
    except ValueError as unknown:
        raise BadAmount(f"{currency} is no ISO 4217 currency") from unknown
    if digits is None:
        raise BadAmount(f"{currency} has no minor unit in ISO 4217")
    return int(digits)


@cache
def units(currency: str) -> int:
    """Minor units in one major unit of `currency`: 100 for EUR, 1 for JPY."""
    return int(10 ** exponent(currency))


@lru_cache(maxsize=4096)  # chips are round: few amounts are new
def parse_minor(text: str, currency: str) -> int:
    """`"10.00"`, `"EUR"` -> 1000 minor units. Raises BadAmount for a sign, an exponent, or more digits than ISO 4217 gives."""
    digits = exponent(currency)
    if not _AMOUNT.match(text) or text.endswith("\n"):
        raise BadAmount(f"{text} is no amount: digits, and a point with digits if there are any")
    whole, _, fraction = text.partition(".")
    if len(fraction) > digits:
        raise BadAmount(f"{text} has more digits than {currency} has ({digits})")
    minor = int(whole + fraction.ljust(digits, "0"))
    if minor > MAX_MINOR:
        most = format_minor(MAX_MINOR, currency)
        raise BadAmount(f"{text} {currency} is more than one amount may be, {most}")
    return minor


def format_minor(minor: int, currency: str) -> str:
    """1000, `"EUR"` -> `"10.00"`; -5 -> `"-0.05"`; 160, `"JPY"` -> `"160"`."""
    digits = exponent(currency)
    if not digits:
        return str(minor)
    whole, fraction = divmod(abs(minor), units(currency))
    return f"{'-' if minor < 0 else ''}{whole}.{fraction:0{digits}d}"
