"""Parameters that many queries share, and the answers that all of them may give."""

from typing import Annotated, Any, TypeAlias

from fastapi import Depends, Query

from backoffice.api.asking import DEMANDING
from backoffice.api.problems import Kind, Problem, documented
from backoffice.api.reading import POSITION, TheReading
from backoffice.domain.event import PRINTABLE
from backoffice.reports.queries.paging import LONGEST_CURSOR, MOST_ROWS, Asked
from backoffice.reports.scope import OutOfScope, Scope


def named(example: str) -> Any:
    """A parameter that is somebody's or something's id."""
    return Query(min_length=1, max_length=64, pattern=PRINTABLE, examples=[example])


Answers: TypeAlias = dict[int | str, dict[str, Any]]
LONGEST_PATH = 1000
"""Characters of a name in a path: a case's is made of several ids, each character of them escaped."""

_POSITION = {
    POSITION: {
        "description": "The position of the log up to which this tells.",
        "schema": {"type": "integer"},
    }
}
_TAG = {"ETag": {"description": "The version that is shown.", "schema": {"type": "string"}, "example": '"9"'}}
_READ = documented(*DEMANDING, Kind.REFUSED, Kind.INVALID, Kind.LATE)

ANSWERS: Answers = {**_READ, 200: {"headers": _POSITION}}
"""For `responses`: what every query may answer with."""
ANSWERS_ABOUT_ONE: Answers = {**ANSWERS, **documented(Kind.NOT_FOUND)}
"""The same for a query about one thing."""
ANSWERS_BY_VERSION: Answers = {
    **ANSWERS_ABOUT_ONE,
    **documented(Kind.CHANGED),
    200: {"headers": {**_POSITION, **_TAG}},
    304: {
        "description": "It is as it was at the version that `If-None-Match` names.",
        "headers": {**_POSITION, **_TAG},
    },
}
"""The same where an ETag is given."""


async def _asked(
    limit: Annotated[int, Query(ge=1, le=MOST_ROWS, description="Rows at most; there may be fewer.")] = 50,
    cursor: Annotated[
        str | None,
        Query(
            max_length=LONGEST_CURSOR,
            description="The `next` of the page before, with the same other parameters.",
        ),
    ] = None,
) -> Asked:
    return Asked(limit, cursor)


TheAsked = Annotated[Asked, Depends(_asked)]
"""How many rows, and behind which."""


async def _scope(
    reading: TheReading,
    casino: Annotated[
        str | None,
        Query(
            min_length=1,
            max_length=64,
            pattern=PRINTABLE,
            description="Only of this casino.",
            examples=["tallinn"],
        ),
    ] = None,
) -> Scope:
    """The casinos that are asked about: one, or all that the visitor may see."""
    try:
        return reading.scope.of(casino)
    except OutOfScope as no:
        raise Problem(Kind.FORBIDDEN, str(no), rule="casino") from no


TheScope = Annotated[Scope, Depends(_scope)]
