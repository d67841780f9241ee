"""`/v1/significant-events` and `/v1/refused-requests`: who did what and was not let, and every no."""

import json
from datetime import datetime
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import Field
from sqlalchemy import ColumnElement, Connection, Row, select, true

from backoffice.api.asking import demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import ANSWERS, TheAsked, named
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.app.tables import refusals, significant_events
from backoffice.projections.rounds import ROUNDS, round_casinos
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, looked_up, read_page
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.scope import OutOfScope, Scope

router = APIRouter(tags=["evidence"])


class SignificantEvent(Shown):
    """Something that somebody did, or was not let do."""

    number: int = Field(description="Rises in the order of the commits, with holes.", examples=[17])
    recorded_at: datetime
    kind: str = Field(examples=["write"])
    who: str = Field(examples=["maria"])
    whence: str = Field(examples=["192.0.2.7 by token"])
    what: str = Field(examples=["cancel round"])
    about: str = Field(examples=["round live-1-0017"])
    why: str | None = Field(examples=["misdeal"])
    before: dict[str, Any] | None
    after: dict[str, Any] | None
    first_position: int | None = Field(description="The facts that it left in the log.", examples=[4711])
    last_position: int | None = Field(examples=[4712])
    times: int = Field(description="So often, since `since`.", examples=[1])
    since: datetime | None


class RefusedRequest(Shown):
    """A request that was refused."""

    refusal: int = Field(examples=[17])
    refused_at: datetime
    sender: str = Field(examples=["floor-19"])
    key: str | None = Field(description="The sender's id of it.", examples=["a-17"])
    round: str | None = Field(examples=["live-1-0017"])
    casino: str | None = Field(description="The one that it names, if any.", examples=["tallinn"])
    rule: str = Field(examples=["cover"])
    reason: str = Field(examples=["p-1 has 5.00 EUR, not 10.00 EUR"])
    asked: str = Field(description="What was asked, as it came.")


@router.get("/v1/significant-events", responses=ANSWERS)
async def list_significant_events(
    _: Annotated[Principal, demands(Right.READ_EVIDENCE)],
    reading: TheReading,
    asked: TheAsked,
    who: Annotated[str | None, named("maria")] = None,
    kind: Annotated[str | None, Query(pattern="^[a-z ]{1,32}$", examples=["write"])] = None,
) -> Page[SignificantEvent]:
    """List who did what from where, or was not let, newest first. For those who see the whole network."""
    return await reading.read(partial(significant, scope=reading.scope, who=who, kind=kind, asked=asked))


@router.get("/v1/refused-requests", responses=ANSWERS)
async def list_refused_requests(
    _: Annotated[Principal, demands(Right.READ_BOOKS)],
    reading: TheReading,
    asked: TheAsked,
    sender: Annotated[str | None, named("floor-19")] = None,
    round: Annotated[str | None, named("live-1-0017")] = None,  # noqa: A002 - the casino's word
    rule: Annotated[str | None, named("cover")] = None,
) -> Page[RefusedRequest]:
    """List what was refused, newest first. Who sees some casinos only is shown what names them, and what is about
    rounds at tables of theirs alone.
    """
    wanted = {"sender": sender, "round": round, "rule": rule}
    return await reading.read(
        partial(refused_requests, scope=reading.scope, wanted=wanted, asked=asked), ROUNDS
    )


def significant(
    connection: Connection, scope: Scope, who: str | None, kind: str | None, asked: Asked
) -> Page[SignificantEvent]:
    """A page of what somebody did or was not let. Raises OutOfScope for who does not see the whole network."""
    if not scope.whole:
        raise OutOfScope("significant events are told of the whole network")
    query = select(significant_events)
    if who is not None:
        query = query.where(significant_events.c.who == who)
    if kind is not None:
        query = query.where(significant_events.c.kind == kind)
    order = Order((significant_events.c.number,), falling=True)
    return read_page(
        connection, query, order, asked, told_upto(connection), ("significant", who, kind), _event
    )


def _event(row: Row[Any]) -> SignificantEvent:
    told = dict(row._mapping)  # noqa: SLF001 - its public name
    for name in ("before", "after"):
        told[name] = None if told[name] is None else json.loads(told[name])
    return SignificantEvent.model_validate(told)


def refused_requests(
    connection: Connection, scope: Scope, wanted: dict[str, str | None], asked: Asked
) -> Page[RefusedRequest]:
    """A page of the requests that were refused, with these columns."""
    query = select(refusals).where(_concerns(scope))
    for name, value in wanted.items():
        if value is not None:
            query = query.where(refusals.c[name] == value)
    order = Order((refusals.c.refusal,), falling=True)
    search = ("refusals", scope, *wanted.items())
    return read_page(connection, query, order, asked, told_upto(connection, ROUNDS), search, _refusal)


def _concerns(scope: Scope) -> ColumnElement[bool]:
    """That a request named one of the scope's casinos, or none and a round at a table of theirs alone."""
    if scope.whole:
        return true()
    named, casino = refusals.c.casino, round_casinos.c.casino
    there = round_casinos.c.round == refusals.c.round
    alone = looked_up(round_casinos, there, scope.holds(casino)) & ~looked_up(
        round_casinos, there, ~scope.holds(casino)
    )
    return scope.holds(named) | (named.is_(None) & alone)


def _refusal(row: Row[Any]) -> RefusedRequest:
    told = dict(row._mapping)  # noqa: SLF001 - its public name
    return RefusedRequest.model_validate({**told, "asked": bytes(row.action).decode(errors="replace")})
