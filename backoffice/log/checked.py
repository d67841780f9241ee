"""The edge of the log: bytes that must never get in are refused here, before anything is written."""

import json
import re
from functools import lru_cache

from pydantic_core import from_json

from backoffice.log.envelope import Encoded, NewEvent
from backoffice.log.errors import Malformed

LONGEST_NAME = 1000
# A stream's name is a key of an index, and PostgreSQL takes no key of more than 2704 bytes there.
LONGEST_NAME_BYTES = 2000
LONGEST_DATA = 1 << 26
LARGEST_NUMBER = (1 << 63) - 1

# With every digit a 0, E an e, and whatever may stand before a number a colon, one search with a fixed first
# byte finds every number with a fraction or an exponent: many times quicker than parsing. It may also find a
# thing inside a string; only then the text is parsed to tell.
_ALIKE = bytes.maketrans(b"123456789E[, \n\r\t", b"000000000e::::::")
_MAYBE_FLOAT = re.compile(rb":-?0+[.e]")
_ESCAPED_NUL = re.compile(rb"(?<!\\)(?:\\\\)*\\u0000")


def checked(event: NewEvent) -> NewEvent:
    """Give the event back if every part of it may be stored; raise Malformed, naming the field, if not."""
    _check_known("stream", event.stream)
    _check_known("type", event.type)
    _check_known("actor", event.actor)
    if event.correlation is not None:
        _check_text("correlation", event.correlation)
    if not 0 < event.version <= LARGEST_NUMBER:
        raise Malformed("version", f"{event.version} is not a version")
    if not 0 < event.schema <= LARGEST_NUMBER:
        raise Malformed("schema", f"{event.schema} is not a schema number")
    if event.happened_at.utcoffset() is None:
        raise Malformed("happened_at", "a time without a time zone")
    if not 1 < event.happened_at.year < 9999:
        # A zone could carry it out of the years that both Python and PostgreSQL can tell.
        raise Malformed("happened_at", f"the year {event.happened_at.year}")
    _check_data(event.data)
    return event


def _check_text(field: str, value: str) -> None:
    if not 0 < len(value) <= LONGEST_NAME:
        raise Malformed(field, f"{len(value)} characters; 1 to {LONGEST_NAME} are allowed")
    if "\0" in value:
        raise Malformed(field, "a NUL character")
    if not value.isascii():
        try:
            size = len(value.encode())
        except UnicodeEncodeError as error:
            raise Malformed(field, "a lone surrogate") from error
        if size > LONGEST_NAME_BYTES:
            raise Malformed(field, f"{size} bytes; {LONGEST_NAME_BYTES} are allowed")


_check_known = lru_cache(maxsize=8192)(_check_text)
"""For types, actors and streams, which come again and again."""


def _check_data(data: bytes) -> None:
    if len(data) > LONGEST_DATA:
        raise Malformed("data", f"{len(data)} bytes; {LONGEST_DATA} are allowed")
    if not isinstance(data, Encoded):
        _check_json(data)
    if b"\\" in data and _ESCAPED_NUL.search(data):
        raise Malformed("data", "a NUL character")


def _check_json(data: bytes) -> None:
    """What the codec did not make may be anything."""
    if not data.startswith(b"{"):
        raise Malformed("data", "not a JSON object")
    try:
        from_json(data, allow_inf_nan=False)
    except ValueError as error:
        raise Malformed("data", f"not JSON: {error}") from error
    if _MAYBE_FLOAT.search(data.translate(_ALIKE)):
        json.loads(data, parse_float=_refuse_float)


def _refuse_float(number: str) -> None:
    raise Malformed("data", f"a number with a fraction or an exponent: {number:.40}")
