"""`/v1/jackpots` and `/v1/hits`: what is in the pools, and who won of them."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter

from backoffice.api.asking import TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import ANSWERS, TheAsked, TheScope, named
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.projections.jackpot_meters import JACKPOT_METERS
from backoffice.projections.jackpot_shares import JACKPOT_SHARES
from backoffice.reports.queries.jackpots import JackpotShare, Meters, read_meters, read_shares
from backoffice.reports.queries.paging import Page

router = APIRouter(tags=["jackpots"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]


@router.get("/v1/jackpots", responses=ANSWERS)
async def show_meters(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    scope: TheScope,
    jackpot: Annotated[str | None, named("royal")] = None,
) -> Meters:
    """Show what is in every pool, or in one: its worth, and the buckets of the casinos that are asked about."""
    return await reading.read(
        partial(read_meters, codec=house.codec, scope=scope, jackpot=jackpot), JACKPOT_METERS
    )


@router.get("/v1/hits", responses=ANSWERS)
async def list_hits(
    _: Reader,
    reading: TheReading,
    house: TheHouse,
    scope: TheScope,
    asked: TheAsked,
    jackpot: Annotated[str | None, named("royal")] = None,
    round: Annotated[str | None, named("live-1-0017")] = None,  # noqa: A002 - the casino's word
) -> Page[JackpotShare]:
    """List who won what of which pool, newest first."""
    return await reading.read(
        partial(read_shares, codec=house.codec, scope=scope, jackpot=jackpot, round_id=round, asked=asked),
        JACKPOT_SHARES,
    )
