"""Hands declared void for breaking the rules: which, why, by whom, and what was forfeited."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import Select, func, select

from backoffice.domain.rounds.events import HandVoided
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.exceptions.facts import RoundFact, facts_of_rounds
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, sums, texts


def _rows(reading: Reading) -> Iterator[Row]:
    for fact in facts_of_rounds(reading, HandVoided):
        told = {**_told(fact), **_NOTHING}
        found = reading.connection.execute(_forfeited(fact)).mappings().one_or_none()
        if found is None or reading.is_asked(found["casino"], fact.happened_at):
            yield {**told, **(found or {})}


_NOTHING = {"casino": None, "player": None, "currency": None, "forfeited": None}
"""A round that is not settled, or was cancelled: nothing is forfeited."""


def _told(fact: RoundFact) -> dict[str, Any]:
    return {
        **{
            name: fact.round[name]
            for name in ("round", "number", "table_id", "ruleset", "dealer", "shift", "phase")
        },
        "seat": fact.event.seat,
        "voided_at": fact.happened_at,
        "voided_by": fact.actor,
        "reason": fact.event.reason,
    }


def _forfeited(fact: RoundFact) -> Select[Any]:
    """What is lost by the result that holds, if one does and the hand is void in it."""
    line = round_lines.c
    whose = (line.casino, line.player, line.currency)
    return (
        select(*whose, func.sum(line.stake_minor).filter(line.result == "void").label("forfeited"))
        .where(line.round == fact.event.round, line.seat == fact.event.seat, line.replaced_at.is_(None))
        .group_by(*whose)
    )


VOIDED_HANDS = Report(
    name="voided-hands",
    title="Void hands",
    about="hands declared void: why, by whom, and what was forfeited by the result that holds",
    columns=(
        *texts(
            "round", "number", "table_id", "ruleset", "dealer", "shift", "phase", "seat", "casino", "player"
        ),
        Column("voided_at", Kind.TIME),
        *texts("voided_by", "reason", "currency"),
        *sums("forfeited"),
    ),
    rows=_rows,
    needs=(ROUNDS, ROUND_LINES),
    tells_of_others=True,
    totals_by=("casino", "currency"),
)
