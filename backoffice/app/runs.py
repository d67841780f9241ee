"""What is being done by somebody who may die of it: so that what kills everyone who tries is not tried for ever.

A run holds an advisory lock over a session of its own. The lock goes with the session, however that ends, so a run that
is written down and whose lock nobody holds did not live to its end, by the database's word and no clock's.
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from operator import attrgetter

from sqlalchemy import Connection, Engine, Row, text

MOST_DEATHS = 5
"""So many may die of a task before it is left alone. One alone may have been unlucky: workers are stopped, machines fail."""
_CLASS = 7_241_997
"""Our advisory locks among those of the database; the next number after those of leaders."""


@dataclass(frozen=True, slots=True)
class Deadly:
    """A task of which somebody died, how many did, and when the first one began."""

    task: str
    deaths: int
    since: datetime

    @property
    def left_alone(self) -> bool:
        """Whether nobody tries it any more until it is forgiven."""
        return self.deaths >= MOST_DEATHS


@contextmanager
def run(engine: Engine, task: str) -> Iterator[int]:
    """Do `task` within; what is given is how many died of it before. Done, they are forgotten; raising is no dying."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as session:
        number = session.execute(_BEGIN, {"class": _CLASS, "task": task}).scalar_one()
        try:
            yield _deaths(session, task)
        except BaseException:
            session.execute(_END, {"class": _CLASS, "run": number})
            raise
        session.execute(_END, {"class": _CLASS, "run": number})
        forgive(session, task)


def forgive(connection: Connection, task: str | None = None) -> int:
    """Forget who died of a task, or of any: it is tried again; how many that were."""
    return _forget(connection, (one.run for one in _dead(connection) if task in {None, one.task}))


def forget_accidents(connection: Connection) -> int:
    """Forget who died more than a day ago of what is still tried, or was done by somebody else; how many that were."""
    left_alone = {deadly.task for deadly in deadly_tasks(connection) if deadly.left_alone}
    return _forget(
        connection, (one.run for one in _dead(connection) if one.long_ago and one.task not in left_alone)
    )


def deadly_tasks(connection: Connection) -> list[Deadly]:
    """Every task of which anybody died and that was not done since, by name."""
    by_task = groupby(_dead(connection), key=attrgetter("task"))
    return [Deadly(task, len(died), died[0].begun_at) for task, each in by_task if (died := list(each))]


def _dead(connection: Connection) -> Sequence[Row[tuple[int, str, datetime, bool]]]:
    return connection.execute(_DEAD, {"class": _CLASS}).all()


def _forget(connection: Connection, numbers: Iterable[int]) -> int:
    forgotten = list(numbers)
    connection.execute(_FORGET, {"runs": forgotten})
    return len(forgotten)


def _deaths(connection: Connection, task: str) -> int:
    return sum(deadly.deaths for deadly in deadly_tasks(connection) if deadly.task == task)


# Locked before it is written down: a run that can be seen has its lock.
_BEGIN = text("""
    with next as materialized (select nextval(pg_get_serial_sequence('intake.runs', 'run')) as run),
    locked as materialized (select run, pg_advisory_lock(:class, cast(run & 2147483647 as integer)) from next)
    insert into intake.runs (run, task) overriding system value select run, :task from locked returning run
""")
_END = text("""
    with over as (delete from intake.runs where run = :run)
    select pg_advisory_unlock(:class, cast(:run & 2147483647 as integer))
""")
_DEAD = text("""
    select run, task, begun_at, begun_at < now() - interval '1 day' as long_ago from intake.runs where not exists (
        select from pg_locks where locktype = 'advisory' and granted and classid = :class
        and objid = cast(run & 2147483647 as oid)
        and database = (select oid from pg_database where datname = current_database())
    ) order by task, run
""")
_FORGET = text("delete from intake.runs where run = any(:runs)")
