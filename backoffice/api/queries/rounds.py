"""`/v1/rounds`: searched for; one of them as it stands, as a story, as its events, and as a pack for a dispute."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query, Response

from backoffice.api.asking import TheHouse, demands
from backoffice.api.limits import page_policy
from backoffice.api.principals import Principal
from backoffice.api.queries.feeds import written
from backoffice.api.queries.parameters import (
    ANSWERS,
    ANSWERS_ABOUT_ONE,
    ANSWERS_BY_VERSION,
    LONGEST_PATH,
    Answers,
    TheAsked,
    TheScope,
)
from backoffice.api.queries.round_search import TheSearch
from backoffice.api.reading import POSITION, TheConditions, TheReading
from backoffice.api.rights import Right
from backoffice.domain.event import PRINTABLE
from backoffice.projections.cases import CASES
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.dispute_forms import PACK_FORMS, PackForm
from backoffice.reports.markup import STYLE
from backoffice.reports.queries.facts import Facts, read_round_facts
from backoffice.reports.queries.one_dispute import read_dispute
from backoffice.reports.queries.one_round import OneRound, RoundStory, read_round, tell_round
from backoffice.reports.queries.paging import LARGEST, Page
from backoffice.reports.queries.rounds import RoundRow, search_rounds
from backoffice.reports.rendering.forms import MEDIA_TYPES

router = APIRouter(prefix="/v1/rounds", tags=["rounds"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]
RoundId = Annotated[
    str, Path(min_length=1, max_length=LONGEST_PATH, pattern=PRINTABLE, examples=["live-1-0017"])
]

_PAGE = {"Content-Security-Policy": page_policy(STYLE)}
_PACK: Answers = {
    **ANSWERS_ABOUT_ONE,
    200: {
        **ANSWERS_ABOUT_ONE[200],
        "description": "The pack.",
        "content": {
            MEDIA_TYPES["json"]: {"schema": {"type": "object"}},
            MEDIA_TYPES["html"]: {"schema": {"type": "string"}},
        },
    },
}


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


@router.get("/{round:path}/dispute", response_class=Response, responses=_PACK)
async def dispute(
    _: Annotated[Principal, demands(Right.READ_REPORTS)],
    reading: TheReading,
    house: TheHouse,
    scope: TheScope,
    round: RoundId,  # noqa: A002
    form: Annotated[PackForm, Query(alias="format")] = PackForm.JSON,
) -> Response:
    """Tell all about a round for whoever disputes it: story, cards, rules in force, postings, cases, hashes to verify.

    With a casino, as that casino may see it.
    """
    pack = await reading.read(
        lambda connection: read_dispute(connection, house.codec, scope, round), ROUNDS, CASES
    )
    headers = {POSITION: str(pack.position)} | (_PAGE if form is PackForm.HTML else {})
    return Response(PACK_FORMS[form](pack.told), headers=headers, media_type=MEDIA_TYPES[form])


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
