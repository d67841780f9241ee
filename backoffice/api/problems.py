"""A no over HTTP: problem documents (RFC 9457) of a closed set of kinds, whose types never change."""

from collections.abc import Mapping
from enum import Enum
from typing import Any, NamedTuple

from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

MEDIA_TYPE = "application/problem+json"
TYPES = "/problems/"
"""Where a problem's type is told about; a type is this and its name."""


class _Known(NamedTuple):
    name: str
    status: int
    title: str


class Kind(Enum):
    """Every kind of problem: its name, which clients may rely on, its status and its title."""

    MALFORMED = _Known("malformed", 400, "The request cannot be read")
    KEY_MISSING = _Known("idempotency-key-missing", 400, "This request needs an Idempotency-Key")
    UNAUTHENTICATED = _Known("unauthenticated", 401, "Nobody knows who is asking")
    FORBIDDEN = _Known("forbidden", 403, "Whoever is asking may not do this")
    NOT_FOUND = _Known("not-found", 404, "There is no such thing")
    METHOD_NOT_ALLOWED = _Known("method-not-allowed", 405, "This cannot be done with that")
    REFUSED = _Known("refused", 409, "The house refuses this")
    KEY_IN_FLIGHT = _Known("idempotency-key-in-flight", 409, "This very request is being worked on")
    SLOW = _Known("slow", 408, "The request did not come in time")
    CHANGED = _Known("changed", 412, "It is not as it was when it was looked at")
    TOO_LARGE = _Known("too-large", 413, "The request is larger than is taken")
    NOT_JSON = _Known("not-json", 415, "The request must be JSON")
    INVALID = _Known("invalid", 422, "The request does not say what it must")
    KEY_REUSED = _Known("idempotency-key-reused", 422, "This Idempotency-Key was used for another request")
    TOO_MANY = _Known("too-many-requests", 429, "Too many requests at once")
    BUG = _Known("internal", 500, "Something is wrong here")
    UNAVAILABLE = _Known("unavailable", 503, "This cannot be done at the moment")
    LATE = _Known("late", 504, "It took too long")

    @property
    def type(self) -> str:
        """The stable type, a reference to where it is told about."""
        return f"{TYPES}{self.value.name}"


class Finding(BaseModel):
    """What is wrong with one field."""

    field: str = Field(examples=["amount"])
    reason: str = Field(examples=["must be digits, and a point with digits if there are any"])


class ProblemDocument(BaseModel):
    """What a no looks like, whichever it is."""

    type: str = Field(examples=["/problems/refused"])
    title: str = Field(examples=["The house refuses this"])
    status: int = Field(examples=[409])
    detail: str = Field(examples=["round r-1 has not been opened"])
    rule: str | None = Field(
        None, description="The short name of the rule behind a refusal.", examples=["round"]
    )
    errors: list[Finding] | None = Field(None, description="What is wrong, field by field.")


class Problem(Exception):
    """A no: its kind, the reason in a sentence, and where there is more to say, the rule, fields and headers."""

    def __init__(
        self,
        kind: Kind,
        detail: str,
        *,
        rule: str | None = None,
        errors: list[Finding] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(detail)
        self.kind = kind
        self.headers = dict(headers or {})
        known = kind.value
        self.document = ProblemDocument(
            type=kind.type, title=known.title, status=known.status, detail=detail, rule=rule, errors=errors
        )


def answer(problem: Problem) -> JSONResponse:
    """The problem as it goes out."""
    return JSONResponse(
        problem.document.model_dump(exclude_none=True),
        problem.kind.value.status,
        headers=problem.headers,
        media_type=MEDIA_TYPE,
    )


def documented(*kinds: Kind) -> dict[int | str, dict[str, Any]]:
    """The answers of these kinds, as `responses` of an endpoint for OpenAPI."""
    schema = {"$ref": "#/components/schemas/ProblemDocument"}
    by_status: dict[int | str, dict[str, Any]] = {}
    for kind in kinds:
        known = kind.value
        example = {"type": kind.type, "title": known.title, "status": known.status, "detail": "..."}
        told = by_status.setdefault(
            known.status, {"description": "", "content": {MEDIA_TYPE: {"schema": schema, "examples": {}}}}
        )
        told["description"] = f"{told['description']} {known.title}.".strip()
        told["content"][MEDIA_TYPE]["examples"][known.name] = {"value": example}
    return by_status
