"""Several read models at one position of the log, and whole: what a report that reads more than one of them needs."""

from collections.abc import Collection

from sqlalchemy import Connection, Engine, text

from backoffice.log.checkpoints import load
from backoffice.log.codec import Codec
from backoffice.log.envelope import Head
from backoffice.projections.catching_up import catch_up, project_batch
from backoffice.projections.projection import Projection
from backoffice.projections.reading import log_head
from backoffice.projections.replay import Replay
from backoffice.projections.stuck import count_stuck
from backoffice.projections.versions import refuse_stale


class Incomplete(Exception):
    """A read model lacks events that could not be projected; the message says which and what to do."""


def level(engine: Engine, codec: Codec, projections: Collection[Projection]) -> None:
    """Bring `projections` up to the log's end, and then all to the same position, in one transaction.

    Whoever else projects waits for that last bit. Where nothing can be written, on a replica, they are as far as they
    come there. Raises what `catch_up` raises.
    """
    if _only_read(engine):
        return
    lagging = sorted((each for each in projections if not each.inline), key=lambda each: each.name)
    for projection in lagging:
        catch_up(engine, codec, projection)
    with engine.begin() as connection:
        starts = [load(connection, projection.checkpoint, lock=True) for projection in lagging]
        end = log_head(connection)
        for projection, place in zip(lagging, starts, strict=True):
            _bring(connection, projection, Replay(codec, [projection]), place, end)


def _only_read(engine: Engine) -> bool:
    with engine.connect() as connection:
        return connection.execute(text("show transaction_read_only")).scalar() == "on"


def common_place(connection: Connection, projections: Collection[Projection]) -> Head | None:
    """Where all of `projections` are, as the caller's snapshot sees them; None where they are apart.

    Without any, the log's end. Raises Incomplete, ProjectionStale, CheckpointAhead or CheckpointElsewhere.
    """
    end = log_head(connection)
    places = set()
    for projection in projections:
        places.add(end if projection.inline else load(connection, projection.checkpoint))
        _refuse_incomplete(connection, projection)
    if len(places) > 1:
        return None
    return places.pop() if places else end


def _bring(connection: Connection, projection: Projection, replay: Replay, place: Head, end: Head) -> None:
    while place.position < end.position:
        place = project_batch(connection, projection, replay, place, end)


def _refuse_incomplete(connection: Connection, projection: Projection) -> None:
    if projection.inline:
        return
    if stuck := count_stuck(connection, projection.checkpoint):
        raise Incomplete(
            f"{projection.name} lacks {stuck:,} events that are stuck: see `backoffice projections stuck`"
        )
    if load(connection, projection.checkpoint).position:
        refuse_stale(connection, projection)
