"""What a body holds, byte for byte: one action, or a list of them."""

import re
from json import JSONDecoder

from backoffice.api.problems import Kind, Problem

_BLANK = re.compile(r"[ \t\r\n]*")
_DECODER = JSONDecoder()


def actions_of(body: bytes, most: int) -> list[bytes] | bytes:
    """The objects of a list as they were written, or the one object. Raises a Problem for what is no list of at most `most`.

    What is in them is for whoever reads an action to say: each is decoded strictly, by itself.
    """
    if not body.lstrip(b" \t\r\n").startswith(b"["):
        return body
    try:
        parts = _split(body.decode())
    except (ValueError, RecursionError) as unreadable:
        raise Problem(Kind.MALFORMED, "the body is no JSON") from unreadable
    if not 0 < len(parts) <= most:
        raise Problem(Kind.INVALID, f"a list has 1 to {most} actions")
    return [part.encode() for part in parts]


def _split(text: str) -> list[str]:
    """Raises ValueError for what is no JSON list, RecursionError for one that is too deep."""
    parts: list[str] = []
    at = _behind_blanks(text, text.index("[") + 1)
    while text[at : at + 1] != "]":
        _, end = _DECODER.raw_decode(text, at)
        parts.append(text[at:end])
        at = _behind_blanks(text, end)
        if text[at : at + 1] == ",":
            at = _behind_blanks(text, at + 1)
            if text[at : at + 1] == "]":
                raise ValueError("nothing follows the last comma")
        elif text[at : at + 1] != "]":
            raise ValueError("two parts without a comma")
    if text[at + 1 :].strip():
        raise ValueError("something follows the list")
    return parts


def _behind_blanks(text: str, at: int) -> int:
    found = _BLANK.match(text, at)
    assert found is not None  # nothing at all is blank enough
    return found.end()
