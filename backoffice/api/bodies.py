"""What a body holds. It is read behind the question who is asking: nobody unknown has the house read anything."""

import re
from json import JSONDecoder
from typing import TypeVar

from fastapi import Request
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ValidationError

from backoffice.api.problems import Finding, Kind, Problem
from backoffice.app.feed import TwinField, refuse_twins

Model = TypeVar("Model", bound=BaseModel)
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


async def body_as(request: Request, model: type[Model]) -> Model:
    """The body as what it must be. Raises a Problem, or RequestValidationError with every field that is wrong."""
    check_json(request)
    body = await request.body()
    try:
        asked = model.model_validate_json(body)
        refuse_twins(body)
    except ValidationError as invalid:
        found = invalid.errors(include_url=False, include_context=False, include_input=False)
        raise RequestValidationError([{**one, "loc": ("body", *one["loc"])} for one in found]) from invalid
    except TwinField as twin:
        told = Finding(field=str(twin), reason="stands there twice")
        raise Problem(Kind.INVALID, f"{twin}: stands there twice", errors=[told]) from twin
    return asked


def check_json(request: Request) -> None:
    """Raises a Problem for a body that does not say that it is JSON."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise Problem(Kind.NOT_JSON, "what is asked is sent as application/json")
