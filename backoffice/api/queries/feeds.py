"""`/v1/events`: the log itself, for systems downstream."""

import time
from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query, Response

from backoffice.api.asking import TheDesk, TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.pulse import Beat
from backoffice.api.queries.parameters import ANSWERS
from backoffice.api.reading import POSITION, TheReading, check_position
from backoffice.api.rights import Right
from backoffice.reports.queries.facts import Asked, Facts, Written, read_facts
from backoffice.reports.queries.paging import LARGEST

router = APIRouter(tags=["events"])
LONGEST_WAIT_SECONDS = 30


@router.get("/v1/events", response_model=Facts, responses=ANSWERS)
async def follow_events(
    _: Annotated[Principal, demands(Right.READ_EVENTS)],
    reading: TheReading,
    desk: TheDesk,
    house: TheHouse,
    after: Annotated[
        int, Query(ge=0, le=LARGEST, description="The position to go on behind; 0: the beginning.")
    ] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="Facts at most.")] = 100,
    wait: Annotated[
        int,
        Query(
            ge=0,
            le=LONGEST_WAIT_SECONDS,
            description="Where there is nothing yet, wait so many seconds for it.",
        ),
    ] = 0,
    type: Annotated[  # noqa: A002 - the log's word
        list[Annotated[str, Query(min_length=1, max_length=100)]] | None,
        Query(max_length=50, description="Only facts of these types."),
    ] = None,
    log: Annotated[
        str | None,
        Query(max_length=36, description="The id of the log that `after` is a position of, to be sure."),
    ] = None,
) -> Response:
    """Follow the log: every fact behind a position, once, in order. Go on with the `after` of the answer.

    A page may be empty and yet have moved on. Who is ahead of the log has read one that is lost: it was restored.
    """
    asked = Asked(after, limit, tuple(type or ()))
    until = time.monotonic() + wait
    while True:
        told = await reading.read(partial(read_facts, codec=house.codec, scope=reading.scope, asked=asked))
        _check_is_ours(told, after, log)
        left = until - time.monotonic()
        if told.facts or left <= 0 or desk.pulse.leaving:
            return written(told)
        asked = asked._replace(after=told.after)
        await desk.pulse.until(partial(_is_behind, told.after), left)


def _is_behind(after: int, beat: Beat) -> bool:
    """Whether there is something to read behind a position."""
    return beat.head > after


def _check_is_ours(told: Written, after: int, log: str | None) -> None:
    if log not in {None, told.log}:
        raise Problem(Kind.REFUSED, f"this is log {told.log}", rule="log")
    check_position(after, told.position)


def written(told: Written) -> Response:
    """Facts as an answer."""
    return Response(told.body(), media_type="application/json", headers={POSITION: str(told.position)})
