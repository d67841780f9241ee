"""`/v1/projections`: how the read tables stand."""

from typing import Annotated

from fastapi import APIRouter

from backoffice.api.asking import demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import ANSWERS
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.reports.queries.standing import Readers, readers

router = APIRouter(tags=["standing"])


@router.get("/v1/projections", responses=ANSWERS)
async def show_projections(
    _: Annotated[Principal, demands(Right.READ_STATE)], reading: TheReading
) -> Readers:
    """Show how far every projection has come, and whether it can go on."""
    return await reading.read(readers)
