"""Cancelled rounds: why, by whom, and what went back to whom."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, func, select

from backoffice.domain.rounds.events import CancellationRequested
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.exceptions.facts import RoundFact, facts_of_rounds
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts


def _rows(reading: Reading) -> Iterator[Row]:
    for fact in facts_of_rounds(reading, CancellationRequested):
        refunds = reading.connection.execute(_refunds(fact.round["round"])).mappings()
        asked = [dict(refund) for refund in refunds if reading.is_asked(refund["casino"], fact.happened_at)]
        for refund in asked or [_NOTHING]:
            yield {**_told(fact), **refund}


_NOTHING: dict[Any, Any] = {"casino": None, "currency": None, "bets": 0, "refunded": None}
"""A round on which nobody of those asked for had staked, or whose refund is still to come."""


def _told(fact: RoundFact) -> dict[str, Any]:
    return {
        **{
            name: fact.round[name]
            for name in ("round", "number", "table_id", "ruleset", "dealer", "shift", "phase")
        },
        "opened_at": fact.round["opened_at"],
        "cancelled_at": fact.happened_at,
        "cancelled_by": fact.actor,
        "reason": fact.event.reason,
    }


def _refunds(round_id: str) -> Select[Any]:
    line = round_lines.c
    kind = (line.casino, line.currency)
    return (
        select(*kind, func.count().label("bets"), func.sum(line.stake_minor).label("refunded"))
        .where(line.round == round_id, line.result == "refund")
        .group_by(*kind)
        .order_by(*kind)
    )


CANCELLED_ROUNDS = Report(
    name="cancelled-rounds",
    title="Cancelled rounds",
    about="rounds that were cancelled before they were settled: why, by whom, and what was refunded",
    columns=(
        *texts("round", "number", "table_id", "ruleset", "dealer", "shift", "phase"),
        Column("opened_at", Kind.TIME),
        Column("cancelled_at", Kind.TIME),
        *texts("cancelled_by", "reason", "casino", "currency"),
        *counts("bets"),
        *sums("refunded"),
    ),
    rows=_rows,
    needs=(ROUNDS, ROUND_LINES),
    totals_by=("casino", "currency"),
)
