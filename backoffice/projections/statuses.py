"""How every projection stands: how far it is, how far behind, and whether it can go on."""

from dataclasses import dataclass

from sqlalchemy import Connection, Engine, select

from backoffice.log.checkpoints import load
from backoffice.log.errors import CheckpointError
from backoffice.log.tables import checkpoints
from backoffice.projections.projection import Projection
from backoffice.projections.reading import age_at, log_head
from backoffice.projections.statements import count_rows
from backoffice.projections.stuck import count_stuck
from backoffice.projections.versions import stored_version


@dataclass(frozen=True, slots=True)
class Status:
    """How one projection stands."""

    name: str
    version: int
    """The program's."""
    stored_version: int
    """That of the stored rows; 0 where nothing was projected yet."""
    inline: bool
    position: int
    head: int
    lag_seconds: float
    """The age of the oldest event that is not projected; 0 where all are."""
    rows: int
    stuck: int = 0
    """How many events were set aside because one of their stream cannot be projected."""
    problem: str | None = None
    """Why it cannot go on: its checkpoint does not fit the log."""

    @property
    def lag_events(self) -> int:
        """How many events are not projected."""
        return max(0, self.head - self.position)

    @property
    def stale(self) -> bool:
        """Whether the stored rows are another version's: it is to be rebuilt."""
        return self.position > 0 and self.stored_version != self.version


@dataclass(frozen=True, slots=True)
class Lag:
    """How far one reader of the log is behind it; that no one else looks after it makes no difference to that."""

    reader: str
    events: int
    seconds: float


def lag(engine: Engine, projection: Projection) -> Lag:
    """How far a projection is behind, at next to no cost: for those who ask again and again."""
    with engine.connect() as connection:
        position = _position(connection, projection)
        behind = max(0, log_head(connection).position - position)
        return Lag(projection.checkpoint, behind, age_at(connection, position + 1))


def status(engine: Engine, projection: Projection) -> Status:
    """How `projection` stands, in one snapshot."""
    with engine.connect().execution_options(isolation_level="REPEATABLE READ") as connection:
        head = log_head(connection).position
        position = head if projection.inline else _position(connection, projection)
        return Status(
            name=projection.name,
            version=projection.version,
            stored_version=stored_version(connection, projection),
            inline=projection.inline,
            position=position,
            head=head,
            lag_seconds=age_at(connection, position + 1),
            rows=sum(count_rows(connection, table) for table in projection.tables),
            stuck=count_stuck(connection, projection.checkpoint),
            problem=None if projection.inline else _problem(connection, projection),
        )


def _position(connection: Connection, projection: Projection) -> int:
    query = select(checkpoints.c.position).where(checkpoints.c.name == projection.checkpoint)
    return connection.execute(query).scalar() or 0


def _problem(connection: Connection, projection: Projection) -> str | None:
    try:
        load(connection, projection.checkpoint)
    except CheckpointError as error:
        return str(error)
    return None
