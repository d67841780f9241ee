"""Facts of some kinds with the rounds they are about, in the log's order: an exception that is a fact is read from there."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, Select, func, select

from backoffice.domain.event import Event
from backoffice.domain.rounds.events import RoundEvent
from backoffice.log.tables import events
from backoffice.projections.rounds import rounds
from backoffice.reports.reading import Reading
from backoffice.reports.rounds_asked import rounds_when

_STREAM = len("round/")


class RoundFact(NamedTuple):
    """A fact, who made it true and when, and its round as it is now."""

    round: RowMapping
    """A row of the table of rounds."""
    actor: str
    happened_at: datetime
    position: int
    event: Any


def facts_of_rounds(reading: Reading, *kinds: type[RoundEvent]) -> Iterator[RoundFact]:
    """The facts of `kinds` that happened on the days asked for, at tables of the casinos asked for."""
    for row in reading.stream(_query(reading, kinds)):
        event = reading.codec.decode(row["type"], row["schema"], row["data"].encode())
        assert isinstance(event, Event)
        yield RoundFact(row, row["actor"], row["happened_at"], row["position"], event)


def _query(reading: Reading, kinds: tuple[type[RoundEvent], ...]) -> Select[Any]:
    event = events.c
    return (
        select(rounds, event.actor, event.happened_at, event.position, event.type, event.schema, event.data)
        # The round is found by its key, for each of few facts.
        .join_from(events, rounds, rounds.c.round == func.substr(event.stream, _STREAM + 1))
        .where(
            event.type.in_([kind.type_name for kind in kinds]),
            event.position <= reading.place.position,
            rounds_when(reading, event.happened_at),
        )
        .order_by(event.position)
    )
