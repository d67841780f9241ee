"""How far a reader has come, kept with what it wrote: rows and checkpoint in one transaction, exactly once.

A checkpoint remembers which log it counts on and the hash of its event, so a restored or exchanged log is
noticed.
"""

from uuid import UUID

from sqlalchemy import Connection, delete, select, update
from sqlalchemy.dialects.postgresql import insert

from backoffice.log.chain import genesis
from backoffice.log.envelope import Head
from backoffice.log.errors import (
    CheckpointAhead,
    CheckpointBackward,
    CheckpointElsewhere,
    CheckpointMoved,
)
from backoffice.log.tables import checkpoints, events, head


def load(connection: Connection, name: str, *, lock: bool = False) -> Head:
    """Where the named reader is; at the log's beginning if it is new.

    With `lock`, nobody else who locks it gets it before this transaction ends. Raises CheckpointAhead if the
    log ends before it, CheckpointElsewhere if it counts on another log or on a past that this log does not
    have: either way a backup was restored or databases were mixed up, and what was read cannot be gone on
    from.
    """
    checkpoint = _stored(connection, name, lock=lock)
    if checkpoint is None and lock:
        _place(connection, name, _log_head(connection).log_id)
        checkpoint = _stored(connection, name, lock=lock)
    if checkpoint is None:
        return genesis(_log_head(connection).log_id)
    refuse_stranger(connection, checkpoint, name)
    return checkpoint


def advance(connection: Connection, name: str, expected_position: int, to: Head) -> None:
    """Move the named reader on, if it still is where this caller found it.

    Raises CheckpointBackward if `to` is behind, CheckpointMoved if somebody else has moved it since,
    CheckpointElsewhere if it counts on another log.
    """
    if to.position < expected_position:
        raise CheckpointBackward(f"{name} is at {expected_position}, it does not go back to {to.position}")
    if expected_position == 0:
        _place(connection, name, to.log_id)
    moved = connection.execute(
        update(checkpoints)
        .where(
            checkpoints.c.name == name,
            checkpoints.c.position == expected_position,
            checkpoints.c.log_id == UUID(to.log_id),
        )
        .values(position=to.position, hash=to.hash)
    )
    if moved.rowcount != 1:
        raise _why_not_moved(connection, name, expected_position, to)


def forget(connection: Connection, name: str) -> None:
    """Remove a named checkpoint: its reader begins anew. Nothing happens if there is none."""
    connection.execute(delete(checkpoints).where(checkpoints.c.name == name))


def refuse_stranger(connection: Connection, place: Head, name: str) -> None:
    """Raise CheckpointAhead or CheckpointElsewhere unless `place` is a place in this database's log.

    For whatever carries (log id, position, hash): a checkpoint, an exported file, a seal; `name` is for the
    message.
    """
    # Looked up behind the place, never before it: both move on, and a log that was read first may be overtaken.
    log = _log_head(connection)
    if place.log_id != log.log_id:
        raise CheckpointElsewhere(f"{name} counts on log {place.log_id}, this is log {log.log_id}")
    if place.position > log.position:
        raise CheckpointAhead(f"{name} is at {place.position}, the log ends at {log.position}: restored?")
    if place.hash != _hash_at(connection, place.position, log.log_id):
        raise CheckpointElsewhere(f"{name} knows another event at {place.position}: the log was restored?")


def _log_head(connection: Connection) -> Head:
    row = connection.execute(select(head.c.log_id, head.c.position, head.c.hash)).one()
    return Head(str(row.log_id), row.position, row.hash)


def _hash_at(connection: Connection, position: int, log_id: str) -> bytes | None:
    if position == 0:
        return genesis(log_id).hash
    return connection.execute(select(events.c.hash).where(events.c.position == position)).scalar()


def _stored(connection: Connection, name: str, *, lock: bool = False) -> Head | None:
    query = select(checkpoints).where(checkpoints.c.name == name)
    row = connection.execute(query.with_for_update() if lock else query).one_or_none()
    return None if row is None else Head(str(row.log_id), row.position, row.hash)


def _place(connection: Connection, name: str, log_id: str) -> None:
    """Put a new name at the beginning; a known one stays where it is."""
    start = {"name": name, "log_id": UUID(log_id), "position": 0, "hash": genesis(log_id).hash}
    connection.execute(insert(checkpoints).values(start).on_conflict_do_nothing())


def _why_not_moved(connection: Connection, name: str, expected: int, to: Head) -> Exception:
    actual = _stored(connection, name)
    if actual is not None and actual.log_id != to.log_id:
        return CheckpointElsewhere(f"{name} counts on log {actual.log_id}, not on {to.log_id}")
    found = "gone" if actual is None else f"at {actual.position}"
    return CheckpointMoved(f"{name} was at {expected} and is {found}: somebody else works under this name")
