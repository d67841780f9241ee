"""What lets an event that was set aside be projected late (pitfall 8): nobody else writes the rows it sets.

An event that cannot be projected holds up its own stream and no other. Made good after the fix it comes behind later
events of other streams: a sum does not mind, a row that is set would get its old value back.
"""

from collections import defaultdict
from datetime import UTC, datetime
from functools import cache

import pytest
from random_office import played

from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.changes import Amend, Keep, Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import Projection
from backoffice.projections.statements import key_names

AT = datetime(2026, 3, 1, 20, tzinfo=UTC)


@cache
def evenings() -> list[list[Fact]]:
    """Evenings with everything that tables and office do."""
    return [
        [Fact(position, AT, AT, event) for position, event in enumerate(played(seed, 500)[0].events, 1)]
        for seed in range(6)
    ]


def key_of(change: Put | Keep | Amend) -> tuple[object, ...]:
    if isinstance(change, Amend):
        return change.key
    return tuple(change.row[name] for name in key_names(change.table))


@pytest.mark.parametrize("projection", PROJECTIONS, ids=lambda projection: projection.name)
def test_every_row_that_is_set_is_set_by_the_events_of_one_stream(projection: Projection) -> None:
    writers: dict[tuple[object, ...], set[str]] = defaultdict(set)
    for number, facts in enumerate(evenings()):
        for fact in facts:
            for change in projection.changes(fact) if isinstance(fact.event, projection.wants) else ():
                if isinstance(change, Put | Keep | Amend):
                    writers[number, change.table.name, key_of(change)].add(fact.event.stream)
    assert {row: streams for row, streams in writers.items() if len(streams) > 1} == {}
