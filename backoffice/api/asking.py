"""What an endpoint is given: the house it stands in, and who is asking, if they hold the right that it demands."""

from typing import Annotated, Any

from fastapi import Depends, Request

from backoffice.api.allowance import whole_seconds
from backoffice.api.denials import ACCESS_DENIED, LOGIN_REFUSED, UNKNOWN, Denial
from backoffice.api.desk import Desk
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.rights import HOLDERS, Right
from backoffice.app.requests import Visit
from backoffice.bootstrap import House


def desk_of(request: Request) -> Desk:
    """What all requests share."""
    desk = request.app.state.desk
    assert isinstance(desk, Desk)
    return desk


# What a request depends on are coroutines, for the framework would run plain functions in threads, and they depend on
# nothing but the request: going through what depends on what costs more than all that is asked here.
async def _desk(request: Request) -> Desk:
    return desk_of(request)


TheDesk = Annotated[Desk, Depends(_desk)]
"""What all requests share; `desk.house`, `desk.group`, `desk.settings`."""


async def _house(request: Request) -> House:
    return desk_of(request).house


TheHouse = Annotated[House, Depends(_house)]


async def principal_of(request: Request) -> Principal:
    """Who is asking, found out once a request. Raises a Problem for somebody nobody knows, and for who asks too often."""
    known: Principal | None = getattr(request.state, "who", None)
    if known is not None:
        return known
    desk = desk_of(request)
    who = await _identified(desk, request.headers.get("authorization"), request.headers.get("x-api-key"))
    request.state.who = who  # for evidence, too, should they be denied something
    wait = await desk.allowance.wait_seconds(f"{who.credential}/{who.name}")
    if wait > 0:
        told = "more requests than are allowed: slow down"
        raise Problem(Kind.TOO_MANY, told, headers={"Retry-After": whole_seconds(wait)})
    return who


async def _identified(desk: Desk, authorization: str | None, key: str | None) -> Principal:
    scheme, _, token = (authorization or "").partition(" ")
    if scheme.lower() == "bearer" and token:
        if key is not None:
            raise Problem(Kind.UNAUTHENTICATED, "a token and a key at once: who is it?")
        return await desk.identities.by_token(token.strip())
    if key is not None:
        return await desk.identities.by_key(key)
    raise Problem(Kind.UNAUTHENTICATED, "a token or a key is needed", headers={"WWW-Authenticate": "Bearer"})


class Demand:
    """A dependency that lets in who holds `right`, and says who that is."""

    def __init__(self, right: Right) -> None:
        self.right = right

    async def __call__(self, request: Request) -> Principal:
        """Raises a Problem for who does not hold the right."""
        principal = await principal_of(request)
        check_holds(principal, self.right)
        return principal


def check_holds(principal: Principal, right: Right) -> None:
    """Raises a Problem for who does not hold the right."""
    if principal.roles.isdisjoint(HOLDERS[right]):
        held = ", ".join(sorted(role.words for role in principal.roles))
        raise Problem(Kind.FORBIDDEN, f"to {right} is not for {held}", rule="role")


def demands(right: Right) -> Any:
    """Demand a right: `who: Annotated[Principal, demands(Right.X)]`."""
    return Depends(Demand(right))


async def _visit(request: Request) -> Visit:
    """From where whoever is asking comes, and for which casinos they act."""
    who = await principal_of(request)
    return Visit(f"{address_of(request)} by {who.credential}", who.casinos)


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
