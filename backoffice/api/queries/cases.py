"""`/v1/cases`: what waits for a person and what was decided; one of them as a story."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path, Query

from backoffice.api.asking import TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import (
    ANSWERS,
    ANSWERS_BY_VERSION,
    LONGEST_PATH,
    TheAsked,
    TheScope,
    named,
)
from backoffice.api.reading import TheConditions, TheReading
from backoffice.api.rights import Right
from backoffice.domain.cases.events import Kind
from backoffice.domain.cases.state import Standing
from backoffice.domain.event import PRINTABLE
from backoffice.projections.cases import CASES
from backoffice.reports.queries.cases import CaseRow, CaseSearch, read_cases
from backoffice.reports.queries.one_case import CaseStory, tell_case
from backoffice.reports.queries.paging import Page

router = APIRouter(prefix="/v1/cases", tags=["cases"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]


@router.get("", responses=ANSWERS)
async def find_cases(
    _: Reader,
    reading: TheReading,
    scope: TheScope,
    asked: TheAsked,
    standing: Annotated[list[Standing] | None, Query(max_length=len(Standing))] = None,
    kind: Kind | None = None,
    round: Annotated[str | None, named("live-1-0017")] = None,  # noqa: A002 - the casino's word
    player: Annotated[str | None, named("p-1")] = None,
) -> Page[CaseRow]:
    """Search cases, newest first. A case is of the casinos whose staff decide it."""
    search = CaseSearch(scope, tuple(standing or ()), kind, round, player)
    return await reading.read(partial(read_cases, search=search, asked=asked), CASES)


@router.get("/{case:path}", responses=ANSWERS_BY_VERSION)
async def tell(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    conditions: TheConditions,
    case: Annotated[
        str,
        Path(
            min_length=1,
            max_length=LONGEST_PATH,
            pattern=PRINTABLE,
            examples=["compensation/live-1-0017/1"],
        ),
    ],
) -> CaseStory:
    """Tell a case whole: how it opened, every proposal, who approved or refused and why, what was done."""
    story = await reading.read(partial(tell_case, codec=house.codec, scope=reading.scope, name=case))
    conditions.check(story.version)
    return story
