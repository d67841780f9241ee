"""`/v1/streams/...`: jackpot meters and new cases as server-sent events, as they happen.

A client that comes back says by `Last-Event-ID` up to where it was told. Ids are positions of the log. Between two events
nothing is held for a client but its place: what it has not been told yet is read when it can take it.
"""

import asyncio
import time
from collections.abc import AsyncIterator, Awaitable
from functools import partial
from typing import Annotated, TypeVar

from fastapi import APIRouter, Depends, Header
from fastapi.sse import EventSourceResponse, ServerSentEvent

from backoffice.api.asking import TheDesk, TheHouse, demands
from backoffice.api.desk import Desk
from backoffice.api.principals import Principal
from backoffice.api.problems import Problem
from backoffice.api.pulse import Beat
from backoffice.api.queries.parameters import ANSWERS
from backoffice.api.reading import TheReading, check_position
from backoffice.api.rights import Right
from backoffice.app.attempts import LOST
from backoffice.projections.reading import log_head
from backoffice.reports.queries.jackpots import Meter, within
from backoffice.reports.queries.openings import read_openings
from backoffice.reports.queries.paging import LARGEST, Shown

router = APIRouter(prefix="/v1/streams", tags=["streams"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]
LastEventId = Annotated[
    int | None, Header(ge=0, le=LARGEST, description="The id of the last event that was received.")
]
EVERY_SECONDS = 0.5
"""A client is told no more often."""
LONGEST_SECONDS = 900.0
"""Then a stream ends, and whoever comes back shows anew who they are."""
AGAIN_SECONDS = 5.0
"""After so long it is looked again, whatever came between."""
BACK_AFTER_MILLISECONDS = 1000
T = TypeVar("T")


async def _place(desk: TheDesk, last_event_id: LastEventId = None) -> AsyncIterator[int | None]:
    """A place among the streams, and up to where its client was told. Raises a Problem where there is none left."""
    end = await desk.readings.ask(lambda connection: log_head(connection).position)
    check_position(last_event_id or 0, end)
    with desk.streams.place():
        yield end if last_event_id is None else last_event_id


ThePlace = Annotated[int, Depends(_place)]


@router.get("/jackpots", response_class=EventSourceResponse, responses=ANSWERS)
async def stream_meters(
    _: Reader, desk: TheDesk, reading: TheReading, __: ThePlace
) -> AsyncIterator[ServerSentEvent]:
    """Stream the meters: all of them at first, then those that moved, at most twice a second. Events are called `meter`."""
    yield _HELLO
    told: dict[str, Meter] = {}
    async for head in _beats(desk):
        meters = await _unless_away(desk.meters.at(head))
        if meters is None:
            continue
        for meter in within(reading.scope, meters.rows):
            if told.get(meter.jackpot) != meter:
                told[meter.jackpot] = meter
                yield _event("meter", meters.position, meter)


@router.get("/cases", response_class=EventSourceResponse, responses=ANSWERS)
async def stream_cases(
    _: Reader, desk: TheDesk, house: TheHouse, reading: TheReading, after: ThePlace
) -> AsyncIterator[ServerSentEvent]:
    """Stream cases as they open: every one behind `Last-Event-ID`, or from now on. Events are called `case`."""
    yield _HELLO
    async for head in _beats(desk):
        while after < head:
            ask = partial(read_openings, codec=house.codec, scope=reading.scope, after=after)
            opened = await _unless_away(desk.readings.ask(ask))
            if opened is None:
                break
            for case in opened.rows:
                yield _event("case", case.position, case)
            after = opened.after


_HELLO = ServerSentEvent(comment="listening", retry=BACK_AFTER_MILLISECONDS)


def _event(name: str, position: int, told: Shown) -> ServerSentEvent:
    return ServerSentEvent(event=name, id=str(position), raw_data=told.model_dump_json())


async def _beats(desk: Desk) -> AsyncIterator[int]:
    """Where the log is, now and whenever it has grown; now and then also when it has not. Ends with the stream's time."""
    until = time.monotonic() + LONGEST_SECONDS
    while not desk.pulse.leaving and time.monotonic() < until:
        head = desk.pulse.beat.head
        yield head
        await asyncio.sleep(EVERY_SECONDS)
        await desk.pulse.until(partial(_is_behind, head), AGAIN_SECONDS)


def _is_behind(head: int, beat: Beat) -> bool:
    return beat.head > head


async def _unless_away(reading: Awaitable[T]) -> T | None:
    """What is read; None where the database is not there, or too busy: a stream outlives that."""
    try:
        return await reading
    except (Problem, *LOST):
        return None
