"""Drawing up the figures of a gaming day, to be frozen by the fact that closes it."""

from collections.abc import Iterator, Mapping
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any

from sqlalchemy import Engine, func, select

from backoffice.domain.days.events import DayFigures, UnfinishedRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.takings import COUNTS, MONEY
from backoffice.log.codec import Codec
from backoffice.projections.cases import CASES
from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.projections.takings import TAKINGS
from backoffice.reports.asked import Asked
from backoffice.reports.reading import Reading, reading
from backoffice.reports.revenue import revenue_of

_WITHOUT_RESULT = tuple(
    phase for phase in Phase if phase not in {Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED}
)


def draw_up(engine: Engine, codec: Codec, casino: str, day: date) -> Mapping[str, Any]:
    """What a command to close `day` says of it, from one place in the log; see `domain.days.commands.CloseDay`.

    Raises UnknownCasino and what `reading` raises.
    """
    with reading(engine, codec, (TAKINGS, ROUNDS, CASES, ENTRIES), Asked(casino, day, day)) as snapshot:
        _ = snapshot.casinos
        rows = revenue_of(snapshot, casino, as_known=False)
        return {
            "casino": casino,
            "day": day,
            "upto": snapshot.place.position,
            "hash": snapshot.place.hash.hex(),
            "figures": tuple(map(_figures, rows)),
            "unfinished": tuple(_unfinished(snapshot, casino, day)),
        }


def _figures(row: Mapping[str, Any]) -> DayFigures:
    brought = {name: row[name] for name in (*COUNTS, *MONEY) if row[name]}
    return DayFigures(row["prior"] or row["day"], row["table"], row["book"], row["currency"], brought)


def _unfinished(snapshot: Reading, casino: str, day: date) -> Iterator[UnfinishedRound]:
    """Rounds begun before the day's end that hold stakes of the casino's players and have no result."""
    about = (rounds.c.round, rounds.c.table_id, rounds.c.opened_at)
    held = func.sum(entries.c.amount_minor)
    query = (
        select(*about, entries.c.currency, held.label("held"))
        .join(entries, entries.c.owner == rounds.c.round)
        .where(entries.c.kind == "stakes", entries.c.holder == casino)
        .where(rounds.c.phase.in_(_WITHOUT_RESULT))
        .where(rounds.c.opened_at < snapshot.calendars[casino].bounds(day).end)
        .group_by(*about, entries.c.currency)
        .having(held != 0)
        .order_by(rounds.c.opened_at, rounds.c.round, entries.c.currency)
    )
    for (name, table, opened_at), rows in groupby(snapshot.connection.execute(query), itemgetter(0, 1, 2)):
        yield UnfinishedRound(name, table, opened_at, {row.currency: int(row.held) for row in rows})
