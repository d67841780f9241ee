"""Which day a taking belongs to, and in which it is reported, as SQL over one casino's rows.

A taking of a round's result belongs to the day of the round's first settlement or cancellation; any other to the day it
happened on. It is reported in that day, unless the day was closed without it: then in the one that was open, as a line
about a prior period (design.md, 2.10; see `domain.days`).
"""

from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from typing import Any

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    CompoundSelect,
    Date,
    DateTime,
    Select,
    and_,
    case,
    cast,
    func,
    select,
    union,
)
from sqlalchemy.sql.elements import Grouping

from backoffice.kernel.calendar import Bounds, Calendar, Days, days_from
from backoffice.projections.cases import cases
from backoffice.projections.rounds import rounds
from backoffice.projections.takings import takings
from backoffice.reports.closes import Closes, closes_of
from backoffice.reports.reading import Reading

_DAY = timedelta(days=1)
_OF_CASE = cases.alias("of_case")
ABOUT_ROUND = func.coalesce(takings.c.round, _OF_CASE.c.round)
BELONGS_AT: ColumnElement[datetime] = func.coalesce(
    case((takings.c.of_round, rounds.c.ended_at)), takings.c.happened_at
)
_SOURCE = takings.outerjoin(_OF_CASE, _OF_CASE.c.case_id == takings.c.case_id).outerjoin(
    rounds, rounds.c.round == ABOUT_ROUND
)


@dataclass(frozen=True, slots=True)
class Dated:
    """One casino's takings with their days: the query to go on from, and how its numbers of days are read."""

    query: Select[Any]
    """Of no columns yet; only what is reported in the days asked for."""
    belongs: ColumnElement[int]
    reported: ColumnElement[int]
    """Days by their number in the calendar; see `date.fromordinal`."""

    def where(self, condition: ColumnElement[bool]) -> "Dated":
        """Those of them that are so."""
        return replace(self, query=self.query.where(condition))


def dated(reading: Reading, casino: str, *, as_known: bool) -> Dated | None:
    """The takings of `casino` reported in the days asked for; `as_known`: those that belong to them. None: no takings at all.

    Days of other kinds than gaming days are never closed.
    """
    days = reading.asked.days
    closes = Closes(()) if as_known or days is not Days.GAMING else closes_of(reading, casino)
    query = select().select_from(_SOURCE).where(takings.c.casino == casino)
    bounds = reading.bounds(casino)
    if bounds is not None:
        query = query.where(takings.c.position.in_(_candidates(bounds, _known_by(reading, closes))))
    belongs = _belongs(reading, casino, query)
    if belongs is None:
        return None
    reported = _reported(belongs, closes)
    if reading.asked.first is not None:
        last = reading.asked.last or reading.asked.first
        query = query.where(reported.between(reading.asked.first.toordinal(), last.toordinal()))
    return Dated(query, belongs, reported)


def _candidates(bounds: Bounds, known_by: int | None) -> CompoundSelect[Any]:
    """The positions of what belongs to some days, and of what came too late for the days before; each by an index."""
    position = select(takings.c.position)
    ended = and_(rounds.c.ended_at >= bounds.begin, rounds.c.ended_at < bounds.end)
    happened = and_(takings.c.happened_at >= bounds.begin, takings.c.happened_at < bounds.end)
    of_rounds = position.join(rounds, rounds.c.round == takings.c.round).where(takings.c.of_round, ended)
    beside = position.where(~takings.c.of_round, happened)
    if known_by is None:
        return union(of_rounds, beside)
    return union(of_rounds, beside, position.where(takings.c.position > known_by))


def _known_by(reading: Reading, closes: Closes) -> int | None:
    """The position behind which what belongs to a day before those asked for is reported in one of them; None: nothing is.

    The first close within, or right before, the days asked for makes it so, whichever days were closed with it.
    """
    first, last = reading.asked.first, reading.asked.last or reading.asked.first
    if first is None or last is None:
        return None
    return next((close.upto for close in closes.between(first - _DAY, last - _DAY)), None)


def _belongs(reading: Reading, casino: str, query: Select[Any]) -> ColumnElement[int] | None:
    """The day that each taking of a query belongs to: of those on which there is one, the last that begins before it."""
    calendar, kind = reading.calendars[casino], reading.asked.days
    days = sorted(_days_there(reading, calendar, query))
    if not days:
        return None
    begins = cast([calendar.begin(day, kind) for day in days], ARRAY(DateTime(timezone=True)))
    numbers = Grouping(cast([day.toordinal() for day in days], ARRAY(BigInteger)))
    return numbers[func.width_bucket(BELONGS_AT, begins)]


def _days_there(reading: Reading, calendar: Calendar, query: Select[Any]) -> set[date]:
    """The days on which there are takings, and their neighbours: few, whatever years a table's clock believes in."""
    utc_day = func.timezone("UTC", BELONGS_AT).cast(Date)
    there: set[date] = set()
    for day in reading.connection.scalars(query.add_columns(utc_day).distinct()):
        begin = datetime.combine(day, time(), UTC)
        ends = (calendar.day_of(moment, reading.asked.days) for moment in (begin, begin + timedelta(days=1)))
        there.update(days_from(*ends))
    return there


def _reported(belongs: ColumnElement[int], closes: Closes) -> ColumnElement[int]:
    """A taking behind the close of its day is reported in the day behind the last one closed by then."""
    if not closes.days:
        return belongs
    behind = cast([close.upto + 1 for close in closes.days], ARRAY(BigInteger))
    closed = func.width_bucket(takings.c.position, behind)
    open_day = closes.days[0].day.toordinal() + closed
    return case((closed == 0, belongs), else_=func.greatest(belongs, open_day))
