"""Asking once: the `Idempotency-Key` of the IETF's draft, and `If-Match`, for what people ask.

The key is remembered with what was asked in the commit itself, for ever, as every sender's ids are: asked again, it is
answered again.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Annotated

from fastapi import Depends, Header

from backoffice.api.problems import Finding, Kind, Problem

_WRITTEN = re.compile(r'"(?P<quoted>[ !#-\[\]-~]{1,64})"|(?P<bare>[!#-~]{1,64})')
"""A string of RFC 9651 without escapes, or the same without its quotes, as many clients send it."""
_TAG = re.compile(r'(W/)?"[!#-~\x80-\xff]*"')
"""An entity tag of RFC 9110."""
_VERSION = re.compile(r'"(?P<version>[0-9]{1,18})"')


async def _named(
    idempotency_key: Annotated[
        str | None,
        Header(
            description="Your own id of this request, 1 to 64 characters; the same again for the same request.",
            examples=['"8e03978e-40d5-43dd-bc93-6894a57f9324"'],
            max_length=70,
        ),
    ] = None,
) -> str:
    if idempotency_key is None:
        raise Problem(Kind.KEY_MISSING, "send a header Idempotency-Key with an id of your own")
    written = _WRITTEN.fullmatch(idempotency_key)
    if written is None:
        reason = "is 1 to 64 printable characters, in quotes"
        raise Problem(
            Kind.INVALID,
            f"Idempotency-Key {reason}",
            errors=[Finding(field="Idempotency-Key", reason=reason)],
        )
    return written["quoted"] or written["bare"]


async def _seen(
    if_match: Annotated[
        str | None,
        Header(description="The ETag at which it was looked at: only if it is as it was.", examples=['"3"']),
    ] = None,
) -> int | None:
    if if_match is None or if_match.strip() == "*":
        return None
    tag = if_match.strip()
    if not _TAG.fullmatch(tag):
        reason = "is one ETag, in quotes"
        raise Problem(Kind.INVALID, f"If-Match {reason}", errors=[Finding(field="If-Match", reason=reason)])
    version = _VERSION.fullmatch(tag)
    if version is None:
        raise Problem(Kind.CHANGED, "it never had this ETag")
    return int(version["version"])


Named = Annotated[str, Depends(_named)]
"""The sender's own id of a request."""
Seen = Annotated[int | None, Depends(_seen)]
"""The version at which what is asked about was looked at."""


@contextmanager
def alone(in_flight: set[tuple[str, str]], key: tuple[str, str]) -> Iterator[None]:
    """Be the only one under a key. Raises a Problem where somebody is at it."""
    if key in in_flight:
        raise Problem(
            Kind.KEY_IN_FLIGHT,
            "the first request with this key is not answered yet",
            headers={"Retry-After": "1"},
        )
    in_flight.add(key)
    try:
        yield
    finally:
        in_flight.discard(key)
