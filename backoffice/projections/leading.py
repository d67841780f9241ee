"""One leader for each reader of the log: an advisory lock of a session, and an epoch that fences off whoever lost it.

The lock goes with its session, however that ends. A process that is paused keeps its session: when it has not been
seen for a while, whoever is ready to lead ends that session and takes over. Each change of leader is a new epoch, and
every transaction of a leader confirms its own first: one that wakes up late cannot commit anything. What keeps the rows
right is the checkpoint's lock; a leader only keeps twenty processes from doing one's work.
"""

from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, Double, Engine, cast, func, select, text

from backoffice.log.statements import raw
from backoffice.projections.tables import leaders

SILENT_SECONDS = 15.0
"""A leader that was not seen for so long is taken for dead. Every leader is seen more often, also when nothing happens."""
_CLASS = 7_241_996
"""Our advisory locks among those of the database, by any number that nobody else there uses."""

_LOCK = b"select pg_try_advisory_lock(%s, hashtext(%s))"
_UNLOCK = b"select pg_advisory_unlock(%s, hashtext(%s))"
_ENTHRONE = b"""
    insert into read.leaders as old (reader, epoch, leader, backend, since, seen_at)
    values (%s, 1, %s, pg_backend_pid(), clock_timestamp(), clock_timestamp())
    on conflict (reader) do update set epoch = old.epoch + 1, leader = excluded.leader,
        backend = excluded.backend, since = excluded.since, seen_at = excluded.seen_at
    returning epoch
"""
_CONFIRM = b"""
    update read.leaders set seen_at = clock_timestamp()
    where reader = %s and epoch = %s and backend = pg_backend_pid()
"""
_DETHRONE = text("""
    select pg_terminate_backend(pid, 2000) from pg_locks
    where locktype = 'advisory' and classid = :class and objid = cast(hashtext(:reader) & 4294967295 as oid)
      and database = (select oid from pg_database where datname = current_database()) and granted
      and exists (
          select from read.leaders
          where reader = :reader and seen_at < clock_timestamp() - make_interval(secs => :silent)
      )
""")


class Deposed(Exception):
    """Somebody else leads this reader by now, or the session that led it is gone: nothing was committed."""


@dataclass(frozen=True, slots=True)
class Lead:
    """The right to project, or react, for one reader, until somebody else takes it."""

    reader: str
    epoch: int

    def confirm(self, connection: Connection) -> None:
        """Be seen, and lead until the caller's transaction ends. Raises Deposed."""
        if raw(connection).execute(_CONFIRM, [self.reader, self.epoch]).rowcount != 1:
            raise Deposed(f"{self.reader}: somebody else leads since epoch {self.epoch}")


@dataclass(frozen=True, slots=True)
class Leader:
    """Who leads a reader, and how long ago that was last seen."""

    reader: str
    epoch: int
    leader: str
    since: datetime
    silent_seconds: float

    @property
    def alive(self) -> bool:
        """Whether it was seen lately."""
        return self.silent_seconds < SILENT_SECONDS


def take_lead(connection: Connection, reader: str, leader: str) -> Lead | None:
    """Lead `reader` over this session, or None where another session does and is alive.

    The session of a leader that has not been seen for long is ended first. Not for a session that leads it already.
    """
    with connection.begin():
        connection.execute(_DETHRONE, {"class": _CLASS, "reader": reader, "silent": SILENT_SECONDS})
        if not _first(connection, _LOCK, [_CLASS, reader]):
            return None
        return Lead(reader, _first(connection, _ENTHRONE, [reader, leader]))


def resign(connection: Connection, lead: Lead) -> None:
    """Let somebody else lead."""
    with connection.begin():
        raw(connection).execute(_UNLOCK, [_CLASS, lead.reader])


def leaders_of(engine: Engine) -> list[Leader]:
    """Everyone who leads or led, aged by the database's clock."""
    silent = cast(func.extract("epoch", func.clock_timestamp() - leaders.c.seen_at), Double)
    query = select(leaders.c.reader, leaders.c.epoch, leaders.c.leader, leaders.c.since, silent)
    with engine.connect() as connection:
        return [Leader(*row) for row in connection.execute(query.order_by(leaders.c.reader))]


def _first(connection: Connection, statement: bytes, parameters: list[object]) -> int:
    row = raw(connection).execute(statement, parameters).fetchone()
    assert row is not None
    return int(row[0])
