"""One case as a story, with the version of its stream that is told."""

from typing import Any

from pydantic import Field
from sqlalchemy import Connection

from backoffice.domain.cases.events import Kind
from backoffice.domain.cases.state import Standing
from backoffice.log.codec import Codec
from backoffice.log.seen import SeenLog
from backoffice.projections.reading import log_head
from backoffice.reports.case_story import case_story
from backoffice.reports.queries.one_round import Told, ToldEvent
from backoffice.reports.scope import Scope


class CaseEventTold(ToldEvent):
    """One event of a case's story; `facts` is its data."""

    facts: dict[str, Any]


class CaseStory(Told):
    """Everything the log knows of a case."""

    case: str = Field(examples=["compensation/live-1-0017/1"])
    kind: Kind
    standing: Standing
    casinos: list[str] = Field(description="Whose staff decide.", examples=[["tallinn"]])
    proposal: int | None = Field(description="The number of the proposal that stands.", examples=[1])
    events: list[CaseEventTold]
    version: int = Field(description="Of the case's stream: the ETag.", examples=[2])
    position: int = Field(description="The log's end when this was read.", examples=[4711])


def tell_case(connection: Connection, codec: Codec, scope: Scope, name: str) -> CaseStory:
    """A case's story, out of the log itself. Raises UnknownCase."""
    log, position = SeenLog(connection), log_head(connection).position
    told = case_story(log, codec, name, scope=scope)
    return CaseStory.model_validate({**told, "version": len(told["events"]), "position": position})
