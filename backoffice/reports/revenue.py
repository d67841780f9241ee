"""What the games brought: by casino, day, table, book and currency; and the same round by round.

GGR is stakes without contributions, less what the house paid; a pot brings its rake. A day is told as it was first reported,
which is for good once it is closed, with what became known too late for earlier days as lines of its own (`prior`); or, on
demand, as it is now known, with all that belongs to it.
"""

from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from heapq import merge
from operator import itemgetter
from types import MappingProxyType
from typing import Any

from sqlalchemy import ColumnElement, RowMapping, func

from backoffice.domain.days.events import DayFigures
from backoffice.domain.takings import COUNTS, MONEY, STAKES
from backoffice.kernel.calendar import Days
from backoffice.projections.cases import CASES
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.projections.takings import TAKINGS, takings
from backoffice.reports.closes import Closes, closes_of
from backoffice.reports.dating import ABOUT_ROUND, Dated, dated
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

KNOWN, REPORTED = "now-known", "first-reported"
_FILTERS: Mapping[str, str] = MappingProxyType(
    {
        "as": f"{REPORTED} (by default): as each day was, or will be, closed; {KNOWN}: all that belongs to it",
        "table": "one table",
        "book": "one rulebook",
        "currency": "one currency",
    }
)
_WORDS: Mapping[str, tuple[str, ...]] = MappingProxyType({"as": (REPORTED, KNOWN)})
_FIGURES = (
    *counts(*COUNTS),
    *sums(*STAKES, "stakes", "contributions", "turnover"),
    *sums("ante_payouts", "call_payouts", "bonus_payouts", "pot_payouts", "fixed_prizes", "pool_prizes"),
    *sums("refunds", "rake", "commission", "ggr"),
    Column("hold_percent", Kind.PERCENT, ratio=("ggr", "turnover")),
    Column("average_stake", Kind.MEAN, ratio=("stakes", "hands")),
    *sums("compensation", "borne", "written_off"),
)
"""`turnover` is what the house could win: stakes without contributions."""
_WHERE = (Column("day", Kind.DAY), Column("prior", Kind.DAY), *texts("table", "book", "currency"))
_ADDED = {
    **{name: func.sum(takings.c[name]) for name in COUNTS},
    **{name: func.sum(takings.c[f"{name}_minor"]) for name in MONEY},
}
_AS_THEY_ARE = {
    **{name: takings.c[name] for name in COUNTS},
    **{name: takings.c[f"{name}_minor"] for name in MONEY},
}


def revenue_of(reading: Reading, casino: str, *, as_known: bool) -> Iterator[dict[str, Any]]:
    """One casino's revenue in the days asked for, from the read tables: a row a day, period, table, book and currency."""
    of = _asked_of(reading, casino, as_known=as_known)
    if of is None:
        return
    keys = [of.reported.label("reported"), of.belongs.label("belongs"), rounds.c.table_id, rounds.c.ruleset]
    keys.append(takings.c.currency)
    query = of.query.add_columns(*keys, *_named(_ADDED)).group_by(*keys).order_by(*keys)
    for found in reading.stream(query):
        yield _row(casino, found)


def with_sums(row: dict[str, Any]) -> dict[str, Any]:
    """A row of figures with those that follow from others."""
    stakes = sum(row[name] for name in STAKES)
    return {**row, "stakes": stakes, "turnover": stakes - row["contributions"]}


def frozen_rows(casino: str, day: date, figures: Iterable[DayFigures]) -> Iterator[dict[str, Any]]:
    """The rows of a closed day, out of the fact that closed it."""
    for one in figures:
        yield {
            "casino": casino,
            "day": day,
            "prior": None if one.day == day else one.day,
            "table": one.table,
            "book": one.book,
            "currency": one.currency,
            **{name: one.brought.get(name, 0) for name in (*COUNTS, *MONEY)},
        }


def _reported_rows(reading: Reading, casino: str) -> Iterator[dict[str, Any]]:
    """Closed days as they were frozen, the others as they would be if they were closed now."""
    closes = closes_of(reading, casino) if reading.asked.days is Days.GAMING else Closes(())
    first, last = reading.asked.first or date.min, reading.asked.last or date.max
    frozen = (
        row
        for close in closes.between(first, last)
        for row in frozen_rows(casino, close.day, close.fact.figures)
        if all(row[name] == reading.asked.only.get(name, row[name]) for name in ("table", "book", "currency"))
    )
    if closes.of(first) and closes.of(last):
        return frozen
    open_ = (row for row in revenue_of(reading, casino, as_known=False) if closes.of(row["day"]) is None)
    return merge(frozen, open_, key=itemgetter("day"))


def _known(reading: Reading) -> bool:
    return reading.asked.only.get("as") == KNOWN


def _asked_of(reading: Reading, casino: str, *, as_known: bool) -> Dated | None:
    of = dated(reading, casino, as_known=as_known)
    if of is None:
        return None
    columns = {"table": rounds.c.table_id, "book": rounds.c.ruleset, "currency": takings.c.currency}
    for name, column in columns.items():
        if name in reading.asked.only:
            of = of.where(column == reading.asked.only[name])
    return of


def _named(columns: Mapping[str, ColumnElement[Any]]) -> Iterator[ColumnElement[Any]]:
    return (column.label(name) for name, column in columns.items())


def _row(casino: str, found: RowMapping) -> dict[str, Any]:
    day, belongs = date.fromordinal(found["reported"]), date.fromordinal(found["belongs"])
    return {
        "casino": casino,
        "day": day,
        "prior": None if belongs == day else belongs,
        "table": found["table_id"],
        "book": found["ruleset"],
        "currency": found["currency"],
        **{name: int(found[name]) for name in (*COUNTS, *MONEY)},
    }


def _rows(reading: Reading) -> Iterator[Row]:
    known = _known(reading)
    for casino in reading.casinos:
        told = revenue_of(reading, casino, as_known=True) if known else _reported_rows(reading, casino)
        yield from map(with_sums, told)


def _round_rows(reading: Reading) -> Iterator[Row]:
    known = _known(reading)
    for casino in reading.casinos:
        of = _asked_of(reading, casino, as_known=known)
        if of is None:
            continue
        keys = [of.reported.label("reported"), takings.c.position, takings.c.currency]
        about = [of.belongs.label("belongs"), rounds.c.table_id, rounds.c.ruleset, rounds.c.number]
        about += [ABOUT_ROUND.label("round"), takings.c.happened_at]
        query = of.query.add_columns(*keys, *about, *_named(_AS_THEY_ARE)).order_by(*keys)
        for found in reading.stream(query):
            more = ("round", "number", "position", "happened_at")
            yield with_sums({**_row(casino, found), **{name: found[name] for name in more}})


REVENUE = Report(
    name="revenue",
    title="Revenue",
    about="what the games brought each casino, by day, table, book and currency",
    columns=(Column("casino"), *_WHERE, *_FIGURES),
    rows=_rows,
    needs=(TAKINGS, ROUNDS, CASES),
    filters=_FILTERS,
    words=_WORDS,
    totals_by=("casino", "currency"),
)
REVENUE_ROUNDS = Report(
    name="revenue-rounds",
    title="Revenue, round by round",
    about="the details of the revenue: every result of a round, reversals and corrections too",
    columns=(
        Column("casino"),
        *_WHERE,
        *texts("round", "number"),
        *counts("position", summed=False),
        Column("happened_at", Kind.TIME),
        *_FIGURES,
    ),
    rows=_round_rows,
    needs=(TAKINGS, ROUNDS, CASES),
    filters=_FILTERS,
    words=_WORDS,
    totals_by=("casino", "currency"),
)
