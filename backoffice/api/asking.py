"""What an endpoint is given: the house it stands in, and who is asking, if they hold the right that it demands."""

from typing import Annotated, Any

from fastapi import Depends, Request, Security
from fastapi.security import APIKeyHeader, HTTPAuthorizationCredentials, HTTPBearer

from backoffice.api.allowance import whole_seconds
from backoffice.api.denials import ACCESS_DENIED, LOGIN_REFUSED, UNKNOWN, Denial
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


def desk_of(request: Request) -> Desk:
    """What all requests share."""
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


# Coroutines, as everything that a request depends on: the framework would run plain functions in threads.
async def _desk(request: Request) -> Desk:
    return desk_of(request)


TheDesk = Annotated[Desk, Depends(_desk)]
"""What all requests share; `desk.house`, `desk.group`, `desk.settings`."""


async def _house(desk: TheDesk) -> House:
    return desk.house


TheHouse = Annotated[House, Depends(_house)]


async def principal_of(
    request: Request,
    desk: TheDesk,
    token: Annotated[HTTPAuthorizationCredentials | None, Security(_bearer)],
    key: Annotated[str | None, Security(_key)],
) -> Principal:
    """Who is asking. Raises a Problem for somebody nobody knows."""
    who = await _identified(desk, token, key)
    request.state.who = who  # for evidence, should they be denied something
    wait = await desk.allowance.wait_seconds(f"{who.credential}/{who.name}")
    if wait > 0:
        told = "more requests than are allowed: slow down"
        raise Problem(Kind.TOO_MANY, told, headers={"Retry-After": whole_seconds(wait)})
    return who


async def _identified(desk: Desk, token: HTTPAuthorizationCredentials | None, key: str | None) -> Principal:
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

    async def __call__(self, principal: Annotated[Principal, Depends(principal_of)]) -> Principal:
        """Raises a Problem for who does not hold the right."""
        if principal.roles.isdisjoint(HOLDERS[self.right]):
            held = ", ".join(sorted(role.words for role in principal.roles))
            raise Problem(Kind.FORBIDDEN, f"to {self.right} is not for {held}", rule="role")
        return principal


def demands(right: Right) -> Any:
    """Demand a right: `who: Annotated[Principal, demands(Right.X)]`."""
    return Depends(Demand(right))


async def _visit(request: Request, principal: Annotated[Principal, Depends(principal_of)]) -> Visit:
    """From where whoever is asking comes, and for which casinos they act."""
    return Visit(f"{address_of(request)} by {principal.credential}", principal.casinos)


def address_of(request: Request) -> str:
    """From where a request comes."""
    return request.client.host if request.client else "nowhere"


def note_denial(request: Request, why: str, rule: str) -> None:
    """Count that somebody known was denied something, or nobody known let in."""
    who: Principal | None = getattr(request.state, "who", None)
    route = request.scope.get("route")
    denial = Denial(
        kind=LOGIN_REFUSED if who is None else ACCESS_DENIED,
        who=UNKNOWN if who is None else who.name,
        whence=address_of(request) if who is None else f"{address_of(request)} by {who.credential}",
        what=f"{request.method} {getattr(route, 'path', 'elsewhere')}",
        about=rule,
        why=why,
    )
    desk_of(request).denials.note(denial)


TheVisit = Annotated[Visit, Depends(_visit)]

DEMANDING = (Kind.UNAUTHENTICATED, Kind.FORBIDDEN, Kind.SLOW, Kind.TOO_MANY, Kind.BUG, Kind.UNAVAILABLE)
"""What every endpoint that demands a right may answer with: for `documented(*DEMANDING, ...)`."""
