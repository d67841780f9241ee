"""`/development/tokens`: a token for whoever one would like to be. Only where the server runs in development mode."""

from typing import Annotated

from fastapi import APIRouter
from pydantic import BaseModel, ConfigDict, Field

from backoffice.api.problems import Kind, documented
from backoffice.api.tokens import EVERYWHERE, DevelopmentTokens
from backoffice.domain.event import Id
from backoffice.domain.staff import Role

PATH = "/development/tokens"


class Wanted(BaseModel):
    """Who one would like to be."""

    model_config = ConfigDict(extra="forbid")

    name: Id
    roles: Annotated[list[Role], Field(min_length=1, max_length=len(Role))]
    casinos: Annotated[list[Id], Field(min_length=1, max_length=100)] = [EVERYWHERE]


class Issued(BaseModel):
    """A bearer token, for the header `Authorization: Bearer ...`."""

    token: str


def development_router(tokens: DevelopmentTokens) -> APIRouter:
    """Issues tokens to whoever asks."""
    router = APIRouter(tags=["development"])

    @router.post(
        PATH, responses=documented(Kind.MALFORMED, Kind.SLOW, Kind.TOO_LARGE, Kind.INVALID, Kind.BUG)
    )
    def issue_token(wanted: Wanted) -> Issued:
        """Issue a token that this server takes until it ends."""
        return Issued(token=tokens.issue(wanted.name, wanted.roles, wanted.casinos))

    return router
