"""`/v1/files`: what was produced for authorities, and each file of it. The files themselves are made on the command line."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Path

from backoffice.api.asking import TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.queries.parameters import ANSWERS, ANSWERS_ABOUT_ONE, TheAsked, TheScope
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.domain.event import PRINTABLE
from backoffice.domain.filings.events import Authority
from backoffice.reports.queries.files import OneFile, ProducedFile, read_file, read_files
from backoffice.reports.queries.paging import LARGEST, Page

router = APIRouter(prefix="/v1/files", tags=["files"])
Reader = Annotated[Principal, demands(Right.READ_REPORTS)]


@router.get("", responses=ANSWERS)
async def list_files(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    scope: TheScope,
    asked: TheAsked,
    authority: Authority | None = None,
) -> Page[ProducedFile]:
    """List what was produced for authorities, newest first: numbers, days, what replaces what, hashes."""
    return await reading.read(
        partial(read_files, codec=house.codec, scope=scope, authority=authority, asked=asked)
    )


@router.get("/{casino}/{authority}/{number}", responses=ANSWERS_ABOUT_ONE)
async def tell_file(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    casino: Annotated[str, Path(min_length=1, max_length=64, pattern=PRINTABLE, examples=["tallinn"])],
    authority: Authority,
    number: Annotated[int, Path(ge=1, le=LARGEST, examples=[1])],
) -> OneFile:
    """Tell all about one file that was produced."""
    if not reading.scope.covers(casino):
        raise Problem(Kind.FORBIDDEN, f"the books of {casino} are not yours to see", rule="casino")
    return await reading.read(
        partial(read_file, codec=house.codec, casino=casino, authority=authority, number=number)
    )
