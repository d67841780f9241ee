"""`/v1/rounds`: searched for; one of them as it stands, as a story, and as its events."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from backoffice.api.asking import TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.queries.feeds import written
from backoffice.api.queries.parameters import (
    ANSWERS,
    ANSWERS_ABOUT_ONE,
    ANSWERS_BY_VERSION,
    LONGEST_PATH,
    TheAsked,
)
from backoffice.api.queries.round_search import TheSearch
from backoffice.api.reading import TheConditions, TheReading
from backoffice.api.rights import Right
from backoffice.domain.event import PRINTABLE
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.queries.facts import Facts, read_round_facts
from backoffice.reports.queries.one_round import OneRound, RoundStory, read_round, tell_round
from backoffice.reports.queries.paging import LARGEST, Page
from backoffice.reports.queries.rounds import RoundRow, search_rounds

router = APIRouter(prefix="/v1/rounds", tags=["rounds"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]
RoundId = Annotated[
    str, Path(min_length=1, max_length=LONGEST_PATH, pattern=PRINTABLE, examples=["live-1-0017"])
]


@router.get("", responses=ANSWERS)
async def find_rounds(_: Reader, reading: TheReading, search: TheSearch, asked: TheAsked) -> Page[RoundRow]:
    """Search rounds, newest first; by amounts over the whole network, the largest first.

    A round is of the casinos of its table. A page may be short, even empty, and not the last: go on while there is a `next`.
    """
    projections = (ROUNDS, ROUND_LINES) if search.pays else (ROUNDS,)
    return await reading.read(partial(search_rounds, search=search, asked=asked), *projections)


@router.get("/{round:path}/story", responses=ANSWERS_BY_VERSION)
async def tell(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    conditions: TheConditions,
    round: RoundId,  # noqa: A002
) -> RoundStory:
    """Tell a round whole: who, what, when, the cards, each pay line with its rule, the postings, the hashes."""
    story = await reading.read(lambda connection: tell_round(connection, house.codec, reading.scope, round))
    conditions.check(story.version)
    return story


@router.get("/{round:path}/events", response_model=Facts, responses=ANSWERS_ABOUT_ONE)
async def list_events(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    round: RoundId,  # noqa: A002 - the casino's word
    after: Annotated[int, Query(ge=0, le=LARGEST, description="The position to go on behind.")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 1000,
) -> Response:
    """List a round's own facts as they were recorded."""
    return written(
        await reading.read(
            lambda connection: read_round_facts(connection, house.codec, reading.scope, round, after, limit)
        )
    )


@router.get("/{round:path}", responses=ANSWERS_BY_VERSION)
async def show(
    _: Reader,
    reading: TheReading,
    conditions: TheConditions,
    round: RoundId,  # noqa: A002
) -> OneRound:
    """Show a round as it stands."""
    one = await reading.read(partial(read_round, scope=reading.scope, round_id=round), ROUNDS)
    conditions.check(one.version)
    return one
