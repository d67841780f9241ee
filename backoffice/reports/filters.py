"""Values that a report's filters are given, read; what cannot be read is said in a sentence."""

from datetime import datetime

from pydantic import TypeAdapter, ValidationError

from backoffice.domain.event import Instant
from backoffice.kernel.currencies import BadAmount, parse_minor
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import Reading

_MOMENT: TypeAdapter[datetime] = TypeAdapter(Instant)


class BadFilter(UnknownReport):
    """A filter was given a value that it cannot take."""


def amount_asked(reading: Reading, name: str, default: str, currency: str) -> int:
    """An amount, in minor units of `currency`. Raises BadFilter."""
    try:
        return parse_minor(reading.asked.only.get(name, default), currency)
    except BadAmount as bad:
        raise BadFilter(f"{name}: {bad}", name) from bad


def count_asked(reading: Reading, name: str, default: int) -> int:
    """A whole number of at least one. Raises BadFilter."""
    text = reading.asked.only.get(name, str(default))
    if not (text.isascii() and text.isdigit() and 0 < int(text) < 10**9):
        raise BadFilter(f"{name}: {text} is no whole number of at least one", name)
    return int(text)


def moment_asked(reading: Reading, name: str) -> datetime | None:
    """A moment with its offset, as RFC 3339 writes it; None where none is asked for. Raises BadFilter."""
    text = reading.asked.only.get(name)
    if text is None:
        return None
    try:
        return _MOMENT.validate_python(text)
    except ValidationError as invalid:
        raise BadFilter(f"{name}: {text} is no moment as 2026-03-01T20:00:00+02:00 is one", name) from invalid
