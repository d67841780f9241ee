"""Recorded facts as they go out: the envelope, and the data as the very text that was stored and hashed.

Who sees only the books of some casinos is given their part of a fact, which says so (`narrowed`) and has no hash: it is not
what was hashed.
"""

from collections.abc import Iterator, Sequence
from dataclasses import fields
from datetime import datetime
from typing import Any, NamedTuple
from uuid import UUID

from pydantic import Field
from pydantic_core import to_json
from sqlalchemy import Connection

from backoffice.domain.catalogue import EVENTS
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.seen import SeenLog
from backoffice.projections.reading import log_head
from backoffice.reports.decoding import decoded
from backoffice.reports.narrowing import Narrowing
from backoffice.reports.queries.paging import Shown
from backoffice.reports.round_story import UnknownRound
from backoffice.reports.scope import Scope

MOST_BYTES = 4_000_000
"""Where the facts of a page come to more than this, it ends."""
WINDOW = 20_000
"""So many positions are looked at for one page, where only some types are wanted."""
BATCH = 500
TOLD_BY_STREAM = ("round/", "case/")
"""Streams whose earlier facts say which casinos the later ones are of."""
_NAMING = frozenset(
    event.type_name
    for event in EVENTS
    if {"casino", "casinos", "terms"} & {field.name for field in fields(event)}
)
"""Facts that name casinos."""


class Fact(Shown):
    """A recorded fact."""

    position: int = Field(examples=[4711])
    event_id: UUID
    stream: str = Field(examples=["round/live-1-0017"])
    version: int = Field(description="The place in its stream.", examples=[3])
    type: str = Field(examples=["round.ante_placed"])
    schema_number: int = Field(alias="schema", description="Of the type's data.", examples=[1])
    happened_at: datetime = Field(description="By the table's time.")
    recorded_at: datetime = Field(description="By the log's time.")
    actor: str = Field(examples=["floor-19"])
    cause: UUID | None = Field(description="The event that made this one necessary.")
    correlation: str | None = Field(description="The request that it came from.")
    hash: str | None = Field(description="Hexadecimal; over the hash before, the envelope and `data`.")
    narrowed: bool = Field(description="Whether other casinos' parts were left out.")
    data: dict[str, Any] = Field(description="As it was stored, to the byte.")


class Facts(Shown):
    """Some facts, in the order of the log."""

    log: UUID = Field(description="The log's own id: a position of another log means nothing here.")
    facts: list[Fact]
    after: int = Field(description="Give this as `after` to go on.", examples=[4711])
    position: int = Field(description="The log's end when this was read.", examples=[4712])


class Written(NamedTuple):
    """`Facts` as they are sent: the facts as JSON texts."""

    log: str
    facts: list[bytes]
    after: int
    position: int

    def body(self) -> bytes:
        """The whole answer."""
        head = to_json({"log": self.log, "after": self.after, "position": self.position})
        return head[:-1] + b',"facts":[' + b",".join(self.facts) + b"]}"


class Asked(NamedTuple):
    """Which facts are wanted: behind a position, so many at most, only of some types if any are named."""

    after: int
    limit: int
    types: tuple[str, ...] = ()


def read_facts(connection: Connection, codec: Codec, scope: Scope, asked: Asked) -> Written:
    """The facts behind a position, as far as `scope` may see them; up to where the log is, or a page is full."""
    log, head = SeenLog(connection), log_head(connection)
    recorded, reached = page_of(log, asked, head.position)
    return Written(head.log_id, list(_shown(log, codec, scope, recorded)), reached, head.position)


def read_round_facts(
    connection: Connection, codec: Codec, scope: Scope, round_id: str, after: int, limit: int
) -> Written:
    """The facts of a round's own stream behind a position. Raises UnknownRound."""
    log, head = SeenLog(connection), log_head(connection)
    stream = log.read_stream(f"round/{round_id}")
    if not stream or not list(_shown(log, codec, scope, stream[:1])):
        raise UnknownRound(f"round {round_id} was never opened")
    behind = [recorded for recorded in stream if recorded.position > after][:limit]
    reached = behind[-1].position if behind else after
    return Written(head.log_id, list(_shown(log, codec, scope, behind)), reached, head.position)


def page_of(log: SeenLog, asked: Asked, end: int) -> tuple[list[Recorded], int]:
    """The facts of a page of a log that ends at `end`, and up to where it tells."""
    upto = max(asked.after, min(end, asked.after + WINDOW))
    page: list[Recorded] = []
    size = 0
    for recorded in log.read(asked.after, upto, asked.types or None, batch=BATCH):
        page.append(recorded)
        size += len(recorded.data)
        if len(page) == asked.limit or size > MOST_BYTES:
            return page, recorded.position
    return page, upto


def _shown(log: SeenLog, codec: Codec, scope: Scope, page: Sequence[Recorded]) -> Iterator[bytes]:
    if scope.whole:
        yield from (_text(recorded, recorded.data, narrowed=False) for recorded in page)
        return
    narrowing = Narrowing(scope)
    for earlier in _before(log, page):
        narrowing.learn(decoded(codec, earlier))
    for recorded in page:
        fact = decoded(codec, recorded)
        shown = narrowing.shown(fact)
        if shown is not None:
            whole = shown is fact
            yield _text(recorded, recorded.data if whole else codec.encode(shown), narrowed=not whole)


def _before(log: SeenLog, page: Sequence[Recorded]) -> list[Recorded]:
    """What says whose the facts of a page are, and stands before it."""
    if not page:
        return []
    begun = {one.stream for one in page if one.stream.startswith(TOLD_BY_STREAM)}
    streams = log.read_streams(begun)
    earlier = (one for stream in streams.values() for one in stream if one.position < page[0].position)
    return [one for one in earlier if one.type in _NAMING]


def _text(recorded: Recorded, data: bytes, *, narrowed: bool) -> bytes:
    """A fact as JSON, its data as it was stored."""
    envelope = {
        "position": recorded.position,
        "event_id": recorded.event_id,
        "stream": recorded.stream,
        "version": recorded.version,
        "type": recorded.type,
        "schema": recorded.schema,
        "happened_at": recorded.happened_at,
        "recorded_at": recorded.recorded_at,
        "actor": recorded.actor,
        "cause": recorded.cause,
        "correlation": recorded.correlation,
        "hash": None if narrowed else recorded.hash.hex(),
        "narrowed": narrowed,
    }
    return to_json(envelope)[:-1] + b',"data":' + data + b"}"
