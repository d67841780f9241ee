"""Values as schemas take them: sums with just so many digits, moments in UTC, names of just so many letters."""

import hashlib
import re
from datetime import UTC, datetime

from backoffice.kernel.currencies import exponent, format_minor
from backoffice.reports.regulators.refusals import Unwritable

_DIGEST = 16
_NO_XML = re.compile("[\ufffe\uffff]")


def exact(minor: int, currency: str, *, decimals: int, most: int) -> str:
    """A sum with all the digits of its currency, of which there may be `decimals`; `most` is in whole units.

    Raises Unwritable where a digit that is not zero would be lost, or the sum is above what the schema takes.
    """
    lost = max(0, exponent(currency) - decimals)
    kept, rest = divmod(abs(minor), 10**lost)
    if rest:
        raise Unwritable(
            f"{format_minor(minor, currency)} {currency} has more than the {decimals} decimals this file has room for"
        )
    if abs(minor) > most * 10 ** exponent(currency):
        raise Unwritable(f"{format_minor(minor, currency)} {currency} is more than this file has room for")
    sign = "-" if minor < 0 else ""
    digits = exponent(currency) - lost
    whole, fraction = divmod(kept, 10**digits)
    return f"{sign}{whole}.{fraction:0{digits}d}" if digits else f"{sign}{whole}"


def padded(text: str, decimals: int) -> str:
    """`"9.50"` with ten decimals: `"9.5000000000"`."""
    whole, _, fraction = text.partition(".")
    return f"{whole}.{fraction.ljust(decimals, '0')}"


def fitted(name: str, longest: int) -> str:
    """A name that may be longer than a file takes, or say what XML cannot: its beginning and a digest of all of it."""
    if len(name) <= longest and not _NO_XML.search(name):
        return name
    digest = hashlib.sha256(name.encode()).hexdigest()[: min(_DIGEST, longest // 2)]
    return f"{_NO_XML.sub('', name)[: longest - len(digest) - 1]}~{digest}"


def utc(moment: datetime) -> str:
    """`"2026-03-01T20:00:05Z"`; a fraction only where there is one."""
    text = moment.astimezone(UTC).replace(tzinfo=None).isoformat()
    return f"{text.rstrip('0') if '.' in text else text}Z"
