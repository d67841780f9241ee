"""Everything a person decides, one endpoint a command: `POST /v1/...` with an Idempotency-Key.

The fields of a body are those of the command itself, so that whoever adds a command to the house adds a line here.
"""

import dataclasses
import json
from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from hashlib import sha256
from typing import Annotated, Any, NamedTuple, get_args, get_type_hints

from fastapi import APIRouter, Request, Response
from fastapi.concurrency import run_in_threadpool
from pydantic import BaseModel, ConfigDict, Field, create_model

from backoffice.api.asking import DEMANDING, TheDesk, TheVisit, demands
from backoffice.api.bodies import body_as
from backoffice.api.desk import Desk
from backoffice.api.handing_in import hand_in, refusal
from backoffice.api.idempotency import Named, Seen, alone
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem, documented
from backoffice.api.rights import HOLDERS, Right
from backoffice.app.asking import request_of
from backoffice.app.requests import Accepted, Declined, Repeated, Visit
from backoffice.bootstrap import House
from backoffice.domain.cases import commands as cases
from backoffice.domain.days.commands import CloseDay
from backoffice.domain.event import Command
from backoffice.domain.network.commands import ApplyNetwork, SetRate
from backoffice.domain.staff import PERSON_SENDER
from backoffice.domain.wallet.commands import Deposit, RepayDebt, Withdraw
from backoffice.reports.drawing_up import draw_up
from backoffice.reports.telling import followed, sentences_of


class Rest(NamedTuple):
    """Fields of a command that nobody gives: the house works them out of those that are given. It takes as long as a report."""

    fields: frozenset[str]
    worked_out: Callable[[House, Mapping[str, Any]], Mapping[str, Any]]


class Door(NamedTuple):
    """One command over HTTP: its path, who may ask it, an example, the stream that `If-Match` is about, what is not asked."""

    path: str
    kind: type[Command]
    right: Right
    example: dict[str, Any]
    stream: str | None = None
    rest: Rest | None = None


_WALLET = {"casino": "tallinn", "player": "p-1", "currency": "EUR", "amount": "20.00"}
_ROUND = {"round": "r-1", "reason": "the wheel of cards was dropped"}
_CASE = {"case": "compensation/r-1/1", "reason": "the hand was seen by both"}
_CARDS = {
    "hands": {"1": ["2c", "4d", "6h", "8s", "Tc"]},
    "dealer": ["Kd", "Kc", "3h", "5s", "7d"],
    "up": "Kd",
}
_OPEN = {
    "casino": "tallinn",
    "player": "p-1",
    "currency": "EUR",
    "grounds": "goodwill",
    "reason": "a long wait",
}
_FILE = {
    "file": {
        "network": {"id": "north", "base_currency": "EUR"},
        "casino": [{"id": "tallinn", "currencies": ["EUR"], "timezone": "Europe/Tallinn"}],
    }
}


def _drawn_up(house: House, asked: Mapping[str, Any]) -> Mapping[str, Any]:
    return draw_up(house.engine, house.codec, asked["casino"], asked["day"])


_FIGURES = Rest(frozenset({"upto", "hash", "figures", "unfinished"}), _drawn_up)
_DAY = {"casino": "tallinn", "day": "2026-03-01", "carry_over": False}

DOORS: tuple[Door, ...] = (
    Door("cancellations", cases.CancelRound, Right.CANCEL_ROUNDS, _ROUND, "round"),
    Door("reversals", cases.RequestReversal, Right.CANCEL_ROUNDS, _ROUND, "round"),
    Door("corrections", cases.RequestCorrection, Right.CANCEL_ROUNDS, {**_ROUND, **_CARDS}, "round"),
    Door("cases", cases.OpenCase, Right.DECIDE_CASES, _OPEN),
    Door("proposals", cases.Propose, Right.DECIDE_CASES, {**_CASE, "amount": "20.00"}, "case"),
    Door("approvals", cases.Approve, Right.DECIDE_CASES, {"case": _CASE["case"], "proposal": 1}, "case"),
    Door("refusals", cases.RefuseProposal, Right.DECIDE_CASES, {**_CASE, "proposal": 1}, "case"),
    Door("write-offs", cases.RequestWriteOff, Right.WRITE_OFF, {**_WALLET, "reason": "the player has died"}),
    Door("repayments", RepayDebt, Right.MOVE_MONEY, _WALLET),
    Door("deposits", Deposit, Right.MOVE_MONEY, _WALLET),
    Door("withdrawals", Withdraw, Right.MOVE_MONEY, _WALLET),
    Door("rates", SetRate, Right.SET_RATES, {"quote": "SEK", "rate": "11.42"}),
    Door("networks", ApplyNetwork, Right.CHANGE_NETWORK, _FILE),
    Door("day-closes", CloseDay, Right.CLOSE_DAYS, _DAY, rest=_FIGURES),
)
"""Everything a person can ask."""
_NOES = (
    Kind.MALFORMED,
    Kind.KEY_MISSING,
    Kind.REFUSED,
    Kind.KEY_IN_FLIGHT,
    Kind.CHANGED,
    Kind.TOO_LARGE,
    Kind.NOT_JSON,
    Kind.INVALID,
    Kind.KEY_REUSED,
    Kind.LATE,
)


class Receipt(BaseModel):
    """What was asked is done, or asked for; where in the log, and what that means in sentences."""

    first_position: int = Field(examples=[4711])
    position: int = Field(description="Of the last of its facts: for `wait_for`.", examples=[4712])
    version: int | None = Field(description="Of the stream of its first fact; its ETag.", examples=[3])
    streams: list[str] = Field(
        description="What changed, what followed at once too.", examples=[["case/reversal/r-1"]]
    )
    told: list[str] = Field(
        description="Each fact in a sentence.",
        examples=[["case reversal/r-1: ann asks to reverse round r-1"]],
    )


def _endpoint(door: Door) -> Any:
    model, said = BODIES[door.path], _said(door.kind)

    async def ask(
        request: Request,
        response: Response,
        desk: TheDesk,
        who: Principal,
        visit: TheVisit,
        named: Named,
        seen: Seen,
    ) -> Receipt:
        asked = await body_as(request, model)
        fields = {name: getattr(asked, name) for name in type(asked).model_fields}
        if seen is not None and door.stream is not None:
            visit = visit._replace(unchanged=(f"{door.stream}/{fields[door.stream]}", seen))
        if door.rest is not None:
            fields |= await _worked_out(desk, door.rest, who, fields)
        outcome = await _asked(desk, door, who, visit, named, fields | said, _digest(door, asked))
        if isinstance(outcome, Repeated):
            response.headers["Idempotency-Replayed"] = "true"
        return await run_in_threadpool(_receipt, desk.house, outcome)

    ask.__annotations__["who"] = Annotated[Principal, demands(door.right)]
    ask.__doc__ = door.kind.__doc__
    return ask


async def _worked_out(desk: Desk, rest: Rest, who: Principal, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """What the house says. Raises a Problem, also for somebody of another casino: for them nothing is worked out."""
    if not who.works_at(fields["casino"]):
        told = f"{who.name} does not act for {fields['casino']}"
        raise Problem(Kind.FORBIDDEN, told, rule="casino")
    return await desk.reports.work(partial(rest.worked_out, desk.house, fields))


async def _asked(
    desk: Desk, door: Door, who: Principal, visit: Visit, name: str, fields: dict[str, Any], digest: bytes
) -> Accepted | Repeated:
    """Hand in what is asked, once at a time under its key. Raises a Problem for a no."""
    sender = f"{PERSON_SENDER}{who.name}"
    request = request_of(
        door.kind,
        who.acting(HOLDERS[door.right]),
        fields,
        name=name,
        at=datetime.now(UTC),
        sender=sender,
        visit=visit,
        digest=digest,
    )
    with alone(desk.in_flight, (sender, name)):
        (outcome,) = await hand_in(desk, [request])
    if isinstance(outcome, Declined):
        if outcome.rule == "conflict":
            raise Problem(Kind.KEY_REUSED, "something else was asked with this key before")
        raise refusal(outcome, request)
    return outcome


def _receipt(house: House, outcome: Accepted | Repeated) -> Receipt:
    facts = followed(house.log, outcome.first_position, outcome.last_position)
    return Receipt(
        first_position=outcome.first_position,
        position=facts[-1].position if facts else outcome.last_position,
        version=outcome.version,
        streams=list(dict.fromkeys(fact.stream for fact in facts)),
        told=sentences_of(house.codec, facts),
    )


def _body(door: Door) -> type[BaseModel]:
    """The command without what the door knows: under which id, when, and who; and without what the house works out."""
    left_out = {"id", "at", "by", "do", *(() if door.rest is None else door.rest.fields)}
    hints = get_type_hints(door.kind, include_extras=True)
    given = {
        one.name: (hints[one.name], _default(one))
        for one in dataclasses.fields(door.kind)
        if one.name not in left_out
    }
    config = ConfigDict(extra="forbid", frozen=True)
    return create_model(f"{door.kind.__name__}Body", __config__=config, __doc__=door.kind.__doc__, **given)  # type: ignore[call-overload,no-any-return]


def _default(field: dataclasses.Field[Any]) -> Any:
    """What a model has for a field: how it is made where nothing is given, or that it has to be given."""
    if field.default_factory is not dataclasses.MISSING:
        return Field(default_factory=field.default_factory)
    return ... if field.default is dataclasses.MISSING else field.default


def _said(kind: type[Command]) -> dict[str, str]:
    """What such a command calls itself, where it does."""
    do = get_type_hints(kind).get("do")
    return {} if do is None else {"do": get_args(do)[0]}


def _digest(door: Door, asked: BaseModel) -> bytes:
    """Of what is asked, whenever it is."""
    said = json.dumps([door.path, asked.model_dump(mode="json")], sort_keys=True)
    return sha256(said.encode()).digest()


BODIES = {door.path: _body(door) for door in DOORS}
"""What is sent to each door."""


def _described(door: Door) -> dict[str, Any]:
    schema = {"$ref": f"#/components/schemas/{BODIES[door.path].__name__}"}
    content = {"schema": schema, "examples": {"one": {"value": door.example}}}
    return {"required": True, "content": {"application/json": content}}


def _routers() -> Iterator[APIRouter]:
    router = APIRouter(prefix="/v1", tags=["commands"])
    for door in DOORS:
        router.add_api_route(
            f"/{door.path}",
            _endpoint(door),
            methods=["POST"],
            name=door.path,
            operation_id=f"ask-{door.path}",
            responses=documented(*DEMANDING, *_NOES),
            openapi_extra={"requestBody": _described(door)},
        )
    yield router


(router,) = _routers()
