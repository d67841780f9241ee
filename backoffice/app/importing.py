"""Importing a feed of any size: in batches, in flat memory, and from where it stopped if it was interrupted.

How far an import has come is written in the transaction of each batch. Only that makes an interrupted import end like
an uninterrupted one: an action that was refused must not be decided again after what came later.
"""

import sys
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterator, Sequence
from concurrent.futures import Future
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

from sqlalchemy import Connection, Engine, text

from backoffice.app.collecting import seldom_collecting
from backoffice.app.copying import fetch_rows
from backoffice.app.feed_batches import FeedBatch, Place, read_batches, read_batches_ahead
from backoffice.app.feed_lines import FeedLines
from backoffice.app.group_commit import GroupCommit
from backoffice.app.handle import Beside
from backoffice.app.requests import Accepted, Declined, Outcome, Repeated, Request, Unreadable
from backoffice.domain.rounds.commands import Open

READ_AHEAD_BYTES = 4 * 1024 * 1024
"""A feed with more left than this is read by a process of its own; for less, starting one takes longer than it saves."""
IN_FLIGHT = 2
"""Batches handed in and not answered: one is read while the other is decided and written."""


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What an import came to, all its sittings together; it went on behind `resumed_at_line` (0: it began here)."""

    import_id: int
    lines: int
    accepted: int
    repeated: int
    refused: int
    rounds: int
    resumed_at_line: int


class TakenOver(Exception):
    """Another process goes on with this import: it was resumed while it was still running."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def import_feed(
    engine: Engine,
    group: GroupCommit,
    feed: Path,
    sender: str,
    progress: Callable[[int], None] = lambda _: None,
) -> ImportReport:
    """Import `feed` for `sender`; `progress` is told how many bytes are done.

    Raises OSError where it cannot be read, and TakenOver.
    """
    waiting: deque[tuple[int, Future[list[Outcome]]]] = deque()
    with feed.open("rb") as stream, _tuned():
        import_id, after = _begun(engine, stream, sender)
        with closing(_batches(feed, after, import_id, sender)) as batches:
            for batch in batches:
                waiting.append((batch.offset, group.submit(batch.requests, _count(import_id, batch))))
                while len(waiting) >= IN_FLIGHT:
                    _await_oldest(waiting, progress)
            while waiting:
                _await_oldest(waiting, progress)
    return _finished(engine, import_id, after.number)


@contextmanager
def _tuned() -> Iterator[None]:
    """While an import goes on: hardly any collections, and quicker turns between deciding and writing.

    Whoever writes waits for the database often and briefly: waiting five milliseconds more for its turn took a fifth of
    the time.
    """
    interval = sys.getswitchinterval()
    sys.setswitchinterval(0.0005)
    try:
        with seldom_collecting():
            yield
    finally:
        sys.setswitchinterval(interval)


def _await_oldest(waiting: deque[tuple[int, Future[list[Outcome]]]], progress: Callable[[int], None]) -> None:
    offset, answers = waiting.popleft()
    answers.result()
    progress(offset)


def _begun(engine: Engine, stream: BinaryIO, sender: str) -> tuple[int, Place]:
    """An unfinished import of a feed that begins like this one, where it stopped; or a new one."""
    with engine.begin() as connection:
        unfinished = fetch_rows(connection, _UNFINISHED, {"sender": sender})
    # Read again up to there without holding a transaction open: a large feed takes its time.
    for import_id, offset, number, digest in unfinished:
        lines = FeedLines(stream, offset, number)
        if lines.offset == offset and lines.digest() == bytes(digest):
            return import_id, Place(offset, number)
    lines = FeedLines(stream)
    with engine.begin() as connection:
        ((import_id,),) = fetch_rows(connection, _BEGIN, {"sender": sender, "digest": lines.digest()})
    return import_id, Place(0, 0)


def _batches(feed: Path, after: Place, import_id: int, sender: str) -> Generator[FeedBatch, None, None]:
    if feed.stat().st_size - after.offset > READ_AHEAD_BYTES:
        return read_batches_ahead(feed, after, import_id, sender)
    return read_batches(feed, after, import_id, sender)


def _count(import_id: int, batch: FeedBatch) -> Beside:
    """Move the import on with its batch, from where it stood before it. Raises TakenOver if it stands elsewhere."""

    def count(connection: Connection, outcomes: Sequence[Outcome]) -> None:
        kinds = Counter(map(type, outcomes))
        moved = connection.execute(
            _MOVE,
            {
                "id": import_id,
                "begins": batch.begins,
                "offset": batch.offset,
                "lines": batch.lines,
                "digest": batch.digest,
                "accepted": kinds[Accepted],
                "repeated": kinds[Repeated],
                "refused": kinds[Declined],
                "rounds": sum(map(_opened, batch.requests, outcomes)),
            },
        )
        if not moved.rowcount:
            raise TakenOver

    return count


def _opened(request: Request | Unreadable, outcome: Outcome) -> bool:
    return isinstance(request, Request) and type(request.command) is Open and isinstance(outcome, Accepted)


def _finished(engine: Engine, import_id: int, resumed_at_line: int) -> ImportReport:
    with engine.begin() as connection:
        lines, accepted, repeated, refused, rounds = connection.execute(_FINISH, {"id": import_id}).one()
    return ImportReport(import_id, lines, accepted, repeated, refused, rounds, resumed_at_line)


_UNFINISHED = """
    select import_id, offset_bytes, lines, digest from intake.imports
    where sender = %(sender)s and finished_at is null and offset_bytes > 0 order by import_id desc
    for update
"""
# For update: a batch of a process that was killed may still be on its way to being durable.
_BEGIN = "insert into intake.imports (sender, digest) values (%(sender)s, %(digest)s) returning import_id"
_MOVE = text("""
    update intake.imports
    set offset_bytes = :offset, lines = :lines, digest = :digest, accepted = accepted + :accepted,
        repeated = repeated + :repeated, refused = refused + :refused, rounds = rounds + :rounds
    where import_id = :id and offset_bytes = :begins
""")
_FINISH = text("""
    update intake.imports set finished_at = now() where import_id = :id
    returning lines, accepted, repeated, refused, rounds
""")
