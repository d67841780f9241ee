"""How the readers of the log stand: every projection, and the reactions."""

from typing import Literal

from pydantic import Field
from sqlalchemy import Connection, func, literal_column, select

from backoffice.domain.rounds.phase import Phase
from backoffice.log.checkpoints import load
from backoffice.log.errors import CheckpointError
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.projection import Projection
from backoffice.projections.reading import age_at, log_head
from backoffice.projections.rounds import rounds
from backoffice.projections.stuck import count_stuck
from backoffice.projections.tables import leaders, stuck
from backoffice.projections.versions import stored_version
from backoffice.reports.queries.paging import Shown
from backoffice.reports.queries.round_leads import OVER


class Reader(Shown):
    """How one projection stands."""

    name: str = Field(examples=["rounds"])
    inline: bool = Field(description="Whether its rows are written with every append, and never behind.")
    state: Literal["current", "empty", "stale", "unfit"] = Field(
        description="`stale`: its rows are of another version of the program; `unfit`: its checkpoint does not fit the log."
    )
    reached: int = Field(description="The position that it has come to.", examples=[4711])
    lag_events: int = Field(examples=[0])
    lag_seconds: float = Field(
        description="The age of the oldest event that it has not seen.", examples=[0.0]
    )
    stuck: int = Field(
        description="Events that it could not take, and those that wait behind them.", examples=[0]
    )


class Readers(Shown):
    """How all of them stand."""

    rows: list[Reader]
    position: int = Field(description="The log's end.", examples=[4711])


class Figures(Shown):
    """How the house stands, in numbers."""

    readers: list[Reader]
    stuck_streams: dict[str, int]
    """By the reader's name among the checkpoints."""
    led: dict[str, float]
    """Where workers do it: who was last seen to lead each reader how many seconds ago."""
    position: int
    head_age_seconds: float
    """How long ago the last event was recorded."""
    open_rounds: int
    oldest_open_seconds: float
    """Since when, by its table's time, the oldest round that is not over is open."""

    @property
    def lag_seconds(self) -> float:
        """That of the reader which is furthest behind."""
        return max((reader.lag_seconds for reader in self.readers), default=0.0)


def figures(connection: Connection) -> Figures:
    """How the house stands; cheap enough to be asked every few seconds."""
    told = readers(connection)
    by_stream = select(stuck.c.reader, func.count(stuck.c.stream.distinct())).group_by(stuck.c.reader)
    open_rounds = select(func.count(), func.min(rounds.c.opened_at)).where(
        rounds.c.phase.in_([str(phase) for phase in Phase if phase not in OVER]),
        rounds.c.phase != literal_column("'settled'"),
    )
    count, oldest = connection.execute(open_rounds).one()
    now = connection.execute(select(func.clock_timestamp())).scalar_one()
    seen = select(leaders.c.reader, leaders.c.seen_at)
    return Figures(
        readers=told.rows,
        stuck_streams=dict(iter(connection.execute(by_stream))),
        led={reader: (now - at).total_seconds() for reader, at in connection.execute(seen)},
        position=told.position,
        head_age_seconds=age_at(connection, told.position),
        open_rounds=count,
        oldest_open_seconds=0.0 if oldest is None else (now - oldest).total_seconds(),
    )


def readers(connection: Connection) -> Readers:
    """How every projection stands, at the cost of a few small queries."""
    head = log_head(connection).position
    return Readers(rows=[_reader(connection, each, head) for each in PROJECTIONS], position=head)


def _reader(connection: Connection, projection: Projection, head: int) -> Reader:
    stale = stored_version(connection, projection) != projection.version
    if projection.inline:
        state: Literal["current", "stale"] = "stale" if stale else "current"
        return Reader(
            name=projection.name, inline=True, state=state, reached=head, lag_events=0, lag_seconds=0, stuck=0
        )
    try:
        reached, fits = load(connection, projection.checkpoint).position, True
    except CheckpointError:
        reached, fits = 0, False
    return Reader(
        name=projection.name,
        inline=False,
        state=_state(reached, fits=fits, stale=stale),
        reached=reached,
        lag_events=head - reached,
        lag_seconds=age_at(connection, reached + 1),
        stuck=count_stuck(connection, projection.checkpoint),
    )


def _state(reached: int, *, fits: bool, stale: bool) -> Literal["current", "empty", "stale", "unfit"]:
    if not fits:
        return "unfit"
    if not reached:
        return "empty"
    return "stale" if stale else "current"
