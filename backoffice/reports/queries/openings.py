"""Cases as they open, out of the log: none is passed over, whatever becomes of the read table."""

from datetime import datetime
from functools import partial
from typing import get_args

from pydantic import Field
from sqlalchemy import Connection

from backoffice.domain.cases.events import Kind, WriteOffRequested
from backoffice.domain.cases.state import Opening, RoundRequest
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded
from backoffice.log.seen import SeenLog
from backoffice.projections.reading import log_head
from backoffice.reports.decoding import decoded
from backoffice.reports.queries.facts import Asked, page_of
from backoffice.reports.queries.paging import Shown
from backoffice.reports.scope import Scope

_TYPES = tuple(opening.type_name for opening in get_args(Opening))


class Opened(Shown):
    """A case that opened."""

    case: str = Field(examples=["compensation/live-1-0017/1"])
    kind: Kind
    casinos: list[str] = Field(description="Whose staff decide.", examples=[["tallinn"]])
    round: str | None = Field(examples=["live-1-0017"])
    opened_at: datetime
    position: int = Field(examples=[4711])


class Openings(Shown):
    """Some cases that opened, in the order of the log."""

    rows: list[Opened]
    after: int = Field(description="Up to here all were told.")
    position: int = Field(description="The log's end when this was read.")


def read_openings(
    connection: Connection, codec: Codec, scope: Scope, after: int, limit: int = 100
) -> Openings:
    """The cases that opened behind a position, that casinos of the scope decide."""
    log, end = SeenLog(connection), log_head(connection).position
    recorded, reached = page_of(log, Asked(after, limit, _TYPES), end)
    opened = [case for case in map(partial(_opened, codec), recorded) if scope.meets(case.casinos)]
    return Openings(rows=opened, after=reached, position=end)


def _opened(codec: Codec, recorded: Recorded) -> Opened:
    event = decoded(codec, recorded)
    assert isinstance(event, Opening)
    return Opened(
        case=event.case,
        kind=event.kind,
        casinos=list(event.casinos if isinstance(event, RoundRequest) else (event.casino,)),
        round=None if isinstance(event, WriteOffRequested) else event.round,
        opened_at=recorded.happened_at,
        position=recorded.position,
    )
