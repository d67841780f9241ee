"""`POST /v1/actions`: what table systems send, one action or a list, in shared commits."""

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Query, Request
from fastapi.responses import JSONResponse
from pydantic import BaseModel, Field

from backoffice.api.asking import DEMANDING, TheDesk, TheVisit, demands, note_denial
from backoffice.api.bodies import actions_of, check_json
from backoffice.api.handing_in import hand_in, refusal
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, documented
from backoffice.api.rights import Right
from backoffice.app.feed import read_action
from backoffice.app.requests import Accepted, Declined, Outcome, Unreadable, Visit
from backoffice.app.requests import Request as Asked

router = APIRouter(tags=["ingest"])


class Done(BaseModel):
    """An action became facts, now or when it was sent the first time."""

    outcome: Literal["accepted", "repeated"]
    id: str = Field(description="The sender's own.", examples=["a-17"])
    first_position: int = Field(examples=[4711])
    position: int = Field(
        description="In the log, of the last of its facts: for `wait_for`.", examples=[4712]
    )
    version: int | None = Field(description="Of the round's stream behind it, its ETag.", examples=[9])


class Refused(BaseModel):
    """An action left nothing behind; it may be sent again with the same id once the cause is gone."""

    outcome: Literal["refused"]
    id: str | None = Field(description="The sender's own, if it could be read.", examples=["a-18"])
    rule: str = Field(description="The short name of the rule.", examples=["cover"])
    reason: str = Field(examples=["p-1 has 5.00 EUR, not 10.00 EUR"])


class Answers(BaseModel):
    """One answer each, in the order of the list."""

    answers: list[Annotated[Done | Refused, Field(discriminator="outcome")]]


EXAMPLE = {
    "id": "a-17",
    "at": "2026-03-01T20:00:00+01:00",
    "do": "ante",
    "round": "r-1",
    "seat": "1",
    "casino": "tallinn",
    "player": "p-1",
    "amount": "20.00",
    "currency": "EUR",
}
_ACTION = {"$ref": "#/components/schemas/Action"}
_BODY = {
    "required": True,
    "content": {
        "application/json": {
            "schema": {"oneOf": [_ACTION, {"type": "array", "items": _ACTION, "minItems": 1}]},
            "examples": {"one": {"value": EXAMPLE}, "a list": {"value": [EXAMPLE]}},
        }
    },
}
_NOES = (Kind.MALFORMED, Kind.TOO_LARGE, Kind.REFUSED, Kind.NOT_JSON, Kind.INVALID, Kind.LATE)


@router.post(
    "/v1/actions",
    response_model=Done | Answers,
    responses=documented(*DEMANDING, *_NOES),
    openapi_extra={"requestBody": _BODY},
)
async def take_actions(
    request: Request,
    desk: TheDesk,
    who: Annotated[Principal, demands(Right.SEND_ACTIONS)],
    visit: TheVisit,
    all_or_nothing: Annotated[
        bool, Query(alias="all-or-nothing", description="A list is accepted whole, or nothing of it is done.")
    ] = False,
) -> JSONResponse:
    """Take in one action or a list of them, the table feed's own objects; answered once they are durable.

    A single action that is refused is a problem; in a list each has its own answer, and its neighbours do not notice.
    """
    check_json(request)
    body = actions_of(await request.body(), desk.settings.list_most)
    if isinstance(body, bytes):
        return JSONResponse(await _one(desk, body, who, visit))
    requests = [_read(action, who, visit) for action in body]
    outcomes = await hand_in(desk, requests, whole=all_or_nothing)
    for outcome in outcomes:
        if isinstance(outcome, Declined) and outcome.rule == "casino":
            note_denial(request, outcome.reason, outcome.rule)
    return JSONResponse(
        {"answers": [told(asked, outcome) for asked, outcome in zip(requests, outcomes, strict=True)]}
    )


async def _one(desk: TheDesk, body: bytes, who: Principal, visit: Visit) -> dict[str, Any]:
    asked = _read(body, who, visit)
    (outcome,) = await hand_in(desk, [asked])
    if isinstance(outcome, Declined):
        raise refusal(outcome, asked)
    return told(asked, outcome)


def _read(action: bytes, who: Principal, visit: Visit) -> Asked | Unreadable:
    read = read_action(action, who.name)
    return read._replace(visit=visit) if isinstance(read, Asked) else read


def told(asked: Asked | Unreadable, outcome: Outcome) -> dict[str, Any]:
    """An answer as it goes out."""
    name = asked.key if isinstance(asked, Asked) else None
    if isinstance(outcome, Declined):
        return {"outcome": "refused", "id": name, "rule": outcome.rule, "reason": outcome.reason}
    return {
        "outcome": "accepted" if isinstance(outcome, Accepted) else "repeated",
        "id": name,
        "first_position": outcome.first_position,
        "position": outcome.last_position,
        "version": outcome.version,
    }
