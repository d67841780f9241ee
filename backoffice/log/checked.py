"""The edge of the log: bytes that must never get in are refused here, before anything is written."""

import json
import re
from collections.abc import Sequence
from datetime import UTC, datetime

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


def check(events: Sequence[NewEvent]) -> None:
    """Raise Malformed, naming the field, unless every part of these events may be stored.

    By the field and not by the event, which takes a third of the time: of what comes again and again each value is looked
    at once.
    """
    if not events:
        return
    _, streams, versions, types, schemas, moments, actors, _, correlations, data = zip(*events, strict=True)
    _check_texts("stream", set(streams))
    _check_texts("type", set(types))
    _check_texts("actor", set(actors))
    _check_texts("correlation", set(correlations) - {None})
    _check_numbers("version", versions)
    _check_numbers("schema", schemas)
    _check_moments(moments)
    _check_lengths(data)
    for one in data:
        if b"\\" in one and _ESCAPED_NUL.search(one):
            raise Malformed("data", "a NUL character")
        if type(one) is not Encoded:
            _check_json(one)


def _check_texts(field: str, texts: set[str]) -> None:
    together = "".join(texts)
    if (
        not together.isascii()
        or "\0" in together
        or max(map(len, texts), default=1) > LONGEST_NAME
        or "" in texts
    ):
        for text in texts:
            _check_text(field, text)


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


def _check_numbers(field: str, numbers: Sequence[int]) -> None:
    for number in (min(numbers), max(numbers)):
        if not 0 < number <= LARGEST_NUMBER:
            raise Malformed(field, f"{number} is not a {field} number")


def _check_moments(moments: Sequence[datetime]) -> None:
    if {moment.tzinfo for moment in moments} == {UTC}:
        moments = min(moments), max(moments)
    for moment in moments:
        if moment.utcoffset() is None:
            raise Malformed("happened_at", "a time without a time zone")
        if not 1 < moment.year < 9999:
            # A zone could carry it out of the years that both Python and PostgreSQL can tell.
            raise Malformed("happened_at", f"the year {moment.year}")


def _check_lengths(data: Sequence[bytes]) -> None:
    longest = max(map(len, data))
    if longest > LONGEST_DATA:
        raise Malformed("data", f"{longest} bytes; {LONGEST_DATA} are allowed")


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
