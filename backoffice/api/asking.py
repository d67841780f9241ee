"""What an endpoint is given: the house it stands in, and who is asking, if they hold the right that it demands."""

from typing import Annotated, Any

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from backoffice.api.desk import Desk
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.rights import HOLDERS, Right
from backoffice.app.requests import Visit
from backoffice.bootstrap import House

_bearer = HTTPBearer(
    scheme_name="person", bearerFormat="JWT", description="A person's token.", auto_error=False
)
_key = APIKeyHeader(
    name="X-API-Key", scheme_name="system", description="A table system's key.", auto_error=False
)


def _desk(request: Request) -> Desk:
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


TheDesk = Annotated[Desk, Depends(_desk)]
"""What all requests share; `desk.house`, `desk.group`, `desk.settings`."""


def _house(desk: TheDesk) -> House:
    return desk.house


TheHouse = Annotated[House, Depends(_house)]


async def principal_of(
    desk: TheDesk,
    token: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    key: Annotated[str | None, Security(_key)],
) -> Principal:
    """Who is asking. Raises a Problem for somebody nobody knows."""
    if token is not None and key is not None:
        raise Problem(Kind.UNAUTHENTICATED, "a token and a key at once: who is it?")
    if token is not None:
        return await desk.identities.by_token(token.credentials)
    if key is not None:
        return await desk.identities.by_key(key)
    raise Problem(Kind.UNAUTHENTICATED, "a token or a key is needed", headers={"WWW-Authenticate": "Bearer"})


class Demand:
    """A dependency that lets in who holds `right`, and says who that is."""

    def __init__(self, right: Right) -> None:
        self.right = right

    def __call__(self, principal: Annotated[Principal, Depends(principal_of)]) -> Principal:
        """Raises a Problem for who does not hold the right."""
        if principal.roles.isdisjoint(HOLDERS[self.right]):
            held = ", ".join(sorted(role.words for role in principal.roles))
            raise Problem(Kind.FORBIDDEN, f"to {self.right} is not for {held}", rule="role")
        return principal


def demands(right: Right) -> Any:
    """Demand a right: `who: Annotated[Principal, demands(Right.X)]`."""
    return Depends(Demand(right))


def _visit(request: Request, principal: Annotated[Principal, Depends(principal_of)]) -> Visit:
    """From where whoever is asking comes, and for which casinos they act."""
    address = request.client.host if request.client else "nowhere"
    return Visit(f"{address} by {principal.credential}", principal.casinos)


TheVisit = Annotated[Visit, Depends(_visit)]

DEMANDING = (Kind.UNAUTHENTICATED, Kind.FORBIDDEN, Kind.TOO_MANY, Kind.BUG, Kind.UNAVAILABLE)
"""What every endpoint that demands a right may answer with: for `documented(*DEMANDING, ...)`."""
