"""Closed days: the list of them, and each as it was first reported, the same to the byte ever after."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from backoffice.reports.cells import moment
from backoffice.reports.closes import Close, closes_of
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts
from backoffice.reports.revenue import REVENUE, frozen_rows, with_sums


class NotClosed(UnknownReport):
    """The report of a closed day is asked for about another day, or about no single one."""


def _list(reading: Reading) -> Iterator[Row]:
    for casino in reading.casinos:
        for close in closes_of(reading, casino).days:
            day = close.day
            if reading.asked.first is None or reading.asked.first <= day <= (reading.asked.last or day):
                yield {
                    "casino": casino,
                    "day": day,
                    "begins_at": close.fact.begins_at,
                    "ends_at": close.fact.ends_at,
                    "closed_at": close.recorded.recorded_at,
                    "by": close.fact.by,
                    "figures_from": close.upto,
                    "unfinished": len(close.fact.unfinished),
                }


def _close_asked(reading: Reading) -> Close:
    asked = reading.asked
    if asked.casino is None or asked.first is None or asked.first != asked.last:
        raise NotClosed("closed-day is about one day of one casino: give both", "day")
    close = closes_of(reading, reading.casinos[0]).of(asked.first)
    if close is None:
        raise NotClosed(f"{asked.first} of {asked.casino} is not closed: see `backoffice day list`", "day")
    return close


def _as_closed(reading: Reading) -> Reading:
    """The log as it was with the fact that closed the day."""
    return replace(reading, place=_close_asked(reading).place)


def _about_close(reading: Reading) -> Mapping[str, str]:
    fact = _close_asked(reading).fact
    return {
        "begins_at": moment(fact.begins_at),
        "ends_at": moment(fact.ends_at),
        "closed_by": fact.by,
        "figures_from": f"position {fact.upto}, {fact.hash}",
        "unfinished": ", ".join(one.round for one in fact.unfinished) or "none",
    }


def _figures(reading: Reading) -> Iterator[Row]:
    close = _close_asked(reading)
    return map(with_sums, frozen_rows(close.fact.casino, close.day, close.fact.figures))


CLOSED_DAYS = Report(
    name="closed-days",
    title="Closed gaming days",
    about="which gaming days were closed, when, by whom, from which position of the log",
    columns=(
        Column("casino"),
        Column("day", Kind.DAY),
        Column("begins_at", Kind.TIME),
        Column("ends_at", Kind.TIME),
        Column("closed_at", Kind.TIME),
        Column("by"),
        *counts("figures_from", "unfinished", summed=False),
    ),
    rows=_list,
)
CLOSED_DAY = replace(
    REVENUE,
    name="closed-day",
    title="Revenue of a closed gaming day",
    about="one closed day of a casino as it was first reported: the same bytes ever after",
    rows=_figures,
    needs=(),
    filters={},
    words={},
    pinned=_as_closed,
    says=_about_close,
)
