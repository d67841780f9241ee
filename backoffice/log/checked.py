"""The edge of the log: bytes that must never get in are refused here, before anything is written."""

import re

from pydantic_core import from_json

from backoffice.log.envelope import NewEvent
from backoffice.log.errors import Malformed

LONGEST_NAME = 200
LONGEST_DATA = 1 << 20
LARGEST_NUMBER = (1 << 63) - 1

# Digits become 0 and E becomes e: one plain search then finds every candidate for a fraction or an exponent.
_DIGITS_ALIKE = bytes.maketrans(b"123456789E", b"000000000e")
# A whole string, passed over; or else a number outside strings that has a fraction or an exponent.
_STRING_OR_FLOAT = re.compile(rb'"(?:[^"\\]|\\.)*"|([0-9]+[.eE])')
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def checked(event: NewEvent) -> NewEvent:
    """Give the event back if every part of it may be stored; raise Malformed, naming the field, if not."""
    _check_text("stream", event.stream)
    _check_text("type", event.type)
    _check_text("actor", event.actor)
    if event.correlation is not None:
        _check_text("correlation", event.correlation)
    if not 0 < event.version <= LARGEST_NUMBER:
        raise Malformed("version", f"{event.version} is not a version")
    if not 0 < event.schema <= LARGEST_NUMBER:
        raise Malformed("schema", f"{event.schema} is not a schema number")
    if event.happened_at.utcoffset() is None:
        raise Malformed("happened_at", "a time without a time zone")
    _check_data(event.data)
    return event


def _check_text(field: str, value: str) -> None:
    if not 0 < len(value) <= LONGEST_NAME:
        raise Malformed(field, f"{len(value)} characters; 1 to {LONGEST_NAME} are allowed")
    if "\0" in value:
        raise Malformed(field, "a NUL character")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError as error:
            raise Malformed(field, "a lone surrogate") from error


def _check_data(data: bytes) -> None:
    if len(data) > LONGEST_DATA:
        raise Malformed("data", f"{len(data)} bytes; {LONGEST_DATA} are allowed")
    try:
        from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise Malformed("data", f"not JSON: {error}") from error
    alike = data.translate(_DIGITS_ALIKE)
    if (b"0." in alike or b"0e" in alike) and _has_float(data):
        raise Malformed("data", "a number with a fraction or an exponent")
    if b"\\" in data and _ESCAPED_NUL.search(data):
        raise Malformed("data", "a NUL character")


def _has_float(data: bytes) -> bool:
    return any(match[1] for match in _STRING_OR_FLOAT.finditer(data))
