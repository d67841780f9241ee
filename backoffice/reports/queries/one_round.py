"""One round: as it stands, and as a story; each with the version of its stream that is told."""

from datetime import datetime
from typing import Any
from uuid import UUID

from pydantic import ConfigDict, Field
from sqlalchemy import Connection, exists, select

from backoffice.log.codec import Codec
from backoffice.log.seen import SeenLog
from backoffice.log.tables import events
from backoffice.projections.reading import log_head
from backoffice.projections.rounds import ROUNDS, round_casinos, rounds
from backoffice.reports.queries.paging import Shown
from backoffice.reports.queries.rounds import RoundRow, round_row
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.round_story import UnknownRound, round_story
from backoffice.reports.scope import Scope


class OneRound(RoundRow):
    """A round as it stands, with what is needed to go on from there."""

    version: int = Field(description="Of the round's stream: the ETag.", examples=[9])
    position: int = Field(description="The position of the log up to which this tells.", examples=[4711])


class Told(Shown):
    """Something of a story, told whole; a field that is new in it comes along."""

    model_config = ConfigDict(extra="allow")


class ToldPosting(Told):
    """What an event did to an account."""

    account: str = Field(examples=["player:tallinn:p-1"])
    currency: str = Field(examples=["EUR"])
    amount: str = Field(examples=["-20.00"])


class ToldEvent(Told):
    """One event of a story."""

    position: int = Field(examples=[4711])
    type: str = Field(examples=["round.ante_placed"])
    happened_at: datetime
    actor: str = Field(examples=["floor-19"])
    what: str = Field(examples=["seat 1 (p-1 of tallinn) placed an ante of 20.00 EUR"])
    postings: list[ToldPosting]
    hash: str


class RoundEventTold(ToldEvent):
    """One event of a round's story."""

    stream: str = Field(examples=["round/live-1-0017"])
    version: int = Field(examples=[3])
    recorded_at: datetime
    correlation: str | None
    cause: UUID | None
    case: str | None


class ToldLine(Told):
    """One bet of a result of the round."""

    result_number: int = Field(examples=[1])
    holds: bool = Field(description="Whether no later result has taken its place.")
    seat: str = Field(examples=["1"])
    casino: str = Field(examples=["tallinn"])
    player: str = Field(examples=["p-1"])
    currency: str = Field(examples=["EUR"])
    bet: str = Field(examples=["ante"])
    stake: str = Field(examples=["20.00"])
    result: str = Field(examples=["win"])
    odds: int | None
    payout: str = Field(examples=["40.00"])
    cut: str | None
    rule: str
    paid_by: str


class RoundStory(Told):
    """Everything the log knows of a round, as far as the visitor may see it."""

    round: str = Field(examples=["live-1-0017"])
    number: str = Field(examples=["17"])
    table: str = Field(examples=["live-1"])
    ruleset: str = Field(examples=["caribbean-live/1"])
    jackpot: str | None
    dealer: str | None
    shift: str | None
    phase: str = Field(examples=["settled"])
    suspended: bool
    events: list[RoundEventTold]
    lines: list[ToldLine]
    version: int = Field(description="Of the round's stream: the ETag.", examples=[9])
    position: int = Field(description="The log's end when this was read.", examples=[4711])


def read_round(connection: Connection, scope: Scope, round_id: str) -> OneRound:
    """A round as the read table has it. Raises UnknownRound, also for one at no table of the scope."""
    position = told_upto(connection, ROUNDS)
    query = select(rounds).where(rounds.c.round == round_id)
    if not scope.whole:
        ours = scope.holds(round_casinos.c.casino)
        query = query.where(exists().where(round_casinos.c.round == rounds.c.round, ours))
    row = connection.execute(query).one_or_none()
    if row is None:
        raise UnknownRound(f"round {round_id} was never opened")
    version = connection.execute(select(events.c.version).where(events.c.position == row.last_position))
    return OneRound(**round_row(row).model_dump(), version=version.scalar_one(), position=position)


def tell_round(connection: Connection, codec: Codec, scope: Scope, round_id: str) -> RoundStory:
    """A round's story, out of the log itself. Raises UnknownRound."""
    log, position = SeenLog(connection), log_head(connection).position
    told = round_story(log, codec, round_id, position, scope)
    return RoundStory.model_validate(
        {**told, "version": _version(connection, f"round/{round_id}"), "position": position}
    )


def _version(connection: Connection, stream: str) -> Any:
    """The last version of a stream."""
    newest = select(events.c.version).where(events.c.stream == stream).order_by(events.c.version.desc())
    return connection.execute(newest.limit(1)).scalar_one()
