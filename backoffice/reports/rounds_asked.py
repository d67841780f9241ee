"""Which rounds a report is asked about: those of tables that its casinos play at, by the day each casino counts them to."""

from datetime import datetime

from sqlalchemy import ColumnElement, and_, exists, false, or_

from backoffice.projections.rounds import round_casinos, rounds
from backoffice.reports.reading import Reading


def rounds_ended(reading: Reading) -> ColumnElement[bool]:
    """Rounds that ended on the days asked for; without days also those that have not ended."""
    return rounds_when(reading, rounds.c.ended_at)


def rounds_opened(reading: Reading) -> ColumnElement[bool]:
    """Rounds that were opened on the days asked for."""
    return rounds_when(reading, rounds.c.opened_at)


def rounds_when(reading: Reading, moment: ColumnElement[datetime]) -> ColumnElement[bool]:
    """Rounds with `moment` on the days asked for: a table of several casinos is asked for where it is so for one of them."""
    choices = []
    for casino in reading.casinos:
        bounds = reading.bounds(casino)
        days = [] if bounds is None else [moment >= bounds.begin, moment < bounds.end]
        here = exists().where(round_casinos.c.round == rounds.c.round, round_casinos.c.casino == casino)
        choices.append(and_(here, *days))
    return or_(false(), *choices)
