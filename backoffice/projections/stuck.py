"""Events that a reader of the log could not take: set aside with everything of the same stream behind them.

They are counted, have an age, and are tried again in order once the reason is mended. A reader is named as its
checkpoint is.
"""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TypeAlias

from sqlalchemy import Connection, Double, cast, delete, func, select
from sqlalchemy.dialects.postgresql import insert

from backoffice.projections.tables import stuck

MOST = 10_000
"""So many events may be set aside for one reader. More is no poison but a bug in the reader: it had better stop."""
LONGEST_REASON = 500


Aside: TypeAlias = tuple[int, str, str, int | None, str]
"""An event to be set aside: position, stream, type, the event it is behind if it is not itself to blame, the reason."""


@dataclass(frozen=True, slots=True)
class Stuck:
    """One event that was set aside."""

    reader: str
    position: int
    stream: str
    type: str
    behind: int | None
    """The event of its stream that holds it up; None for one that could itself not be taken."""
    reason: str
    attempts: int
    since: datetime
    age_seconds: float


def set_aside(connection: Connection, reader: str, events: Iterable[Aside]) -> None:
    """Keep events for later; one that is kept already was tried once more."""
    values = [
        {
            "reader": reader,
            "position": position,
            "stream": stream,
            "type": kind,
            "behind": behind,
            "reason": reason[:LONGEST_REASON].replace("\0", ""),
            "attempts": 1 if behind is None else 0,
        }
        for position, stream, kind, behind, reason in events
    ]
    if not values:
        return
    new = insert(stuck)
    again = {
        "behind": new.excluded.behind,
        "reason": new.excluded.reason,
        "attempts": stuck.c.attempts + new.excluded.attempts,
    }
    connection.execute(new.on_conflict_do_update(index_elements=["reader", "position"], set_=again), values)


def release(connection: Connection, reader: str, positions: Collection[int]) -> None:
    """These were taken after all."""
    connection.execute(delete(stuck).where(stuck.c.reader == reader, stuck.c.position.in_(positions)))


def forget_stuck(connection: Connection, reader: str) -> None:
    """Nothing of this reader is set aside any more."""
    connection.execute(delete(stuck).where(stuck.c.reader == reader))


def stuck_streams(connection: Connection, reader: str) -> dict[str, int]:
    """Each stream that is held up, and by which event."""
    query = select(stuck.c.stream, func.min(stuck.c.position)).where(stuck.c.reader == reader)
    return dict(iter(connection.execute(query.group_by(stuck.c.stream))))


def count_stuck(connection: Connection, reader: str) -> int:
    """How many events of a reader are set aside."""
    return connection.execute(select(func.count()).where(stuck.c.reader == reader)).scalar_one()


def stuck_positions(connection: Connection, reader: str) -> list[int]:
    """Everything of a reader that is set aside, in order."""
    query = select(stuck.c.position).where(stuck.c.reader == reader).order_by(stuck.c.position)
    return list(connection.scalars(query))


def stuck_events(connection: Connection, reader: str | None = None) -> list[Stuck]:
    """What is set aside, of one reader or of all, in order, aged by the database's clock."""
    age = cast(func.extract("epoch", func.clock_timestamp() - stuck.c.since), Double)
    query = select(stuck, age).order_by(stuck.c.reader, stuck.c.position)
    if reader is not None:
        query = query.where(stuck.c.reader == reader)
    return [Stuck(*row) for row in connection.execute(query)]
