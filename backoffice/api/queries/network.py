"""`/v1/network`: how the network is made up now."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter

from backoffice.api.asking import TheHouse, demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import ANSWERS
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.reports.queries.network import NetworkShown, read_network

router = APIRouter(tags=["network"])


@router.get("/v1/network", responses=ANSWERS)
async def show_network(
    _: Annotated[Principal, demands(Right.READ_BOOKS)], reading: TheReading, house: TheHouse
) -> NetworkShown:
    """Show the casinos, tables, jackpots and rates as they are now."""
    return await reading.read(partial(read_network, codec=house.codec, scope=reading.scope))
