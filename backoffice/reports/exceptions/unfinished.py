"""Unfinished rounds: held, aged, and to be solved within 90 days (PT 903-B/2015).

A round is as old as the report's own time is behind its opening by the table's clock. The money held is what its players
have staked and would get back: on the round's own account, and what of their marks is in a pool. The reason code says where
the round stands; the reason, what was said when it was suspended or its cancellation was asked for.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import timedelta
from typing import Any, NamedTuple

from sqlalchemy import RowMapping, Select, select

from backoffice.domain.accounts import book_of
from backoffice.domain.event import Event
from backoffice.domain.ledger import postings
from backoffice.domain.rounds.events import CancellationRequested, RoundSuspended
from backoffice.domain.rounds.phase import Phase
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.decoding import decoded
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts
from backoffice.reports.rounds_asked import rounds_opened

LIMIT = timedelta(days=90)
ENDED = (Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED)
"""The phases of rounds that are over."""
_HELD = frozenset({"stakes", "pool", "reserve"})


class Held(NamedTuple):
    """Money of one casino's players that a round holds."""

    casino: str
    currency: str
    minor: int


def _rows(reading: Reading) -> Iterator[Row]:
    for row in reading.stream(_query(reading)):
        recorded = [
            one
            for one in reading.log.read_stream(f"round/{row['round']}")
            if one.position <= reading.place.position
        ]
        facts = [decoded(reading.codec, one) for one in recorded]
        told = _told(reading, row) | {"last_at": recorded[-1].happened_at, "reason": _reason(facts)}
        held = [one for one in _held(facts) if reading.is_asked(one.casino, row["opened_at"])]
        for casino, currency, minor in held or [Held("", "", 0)]:
            yield {**told, "casino": casino or None, "currency": currency or None, "held": minor}


def _query(reading: Reading) -> Select[Any]:
    return (
        select(rounds)
        .where(rounds.c.phase.not_in(ENDED), rounds_opened(reading))
        .order_by(rounds.c.opened_at, rounds.c.first_position)
    )


def _told(reading: Reading, row: RowMapping) -> dict[str, Any]:
    assert reading.recorded_at is not None, "a log with a round in it has an end"
    age = max(timedelta(), reading.recorded_at - row["opened_at"])
    return {
        **{
            name: row[name]
            for name in ("round", "number", "table_id", "ruleset", "dealer", "shift", "opened_at")
        },
        "reason_code": "suspended" if row["suspended"] else row["phase"],
        "age_days": age.days,
        "overdue": "yes" if age > LIMIT else "no",
    }


def _reason(facts: Sequence[Event]) -> str | None:
    """What was said last of why it stopped."""
    reasons = [fact.reason for fact in facts if isinstance(fact, RoundSuspended | CancellationRequested)]
    return reasons[-1] if reasons else None


def _held(facts: Sequence[Event]) -> list[Held]:
    sums_: Counter[tuple[str, str]] = Counter()
    for fact in facts:
        for account, currency, minor in postings(fact):
            if account.kind in _HELD:
                sums_[book_of(account), currency] += minor
    return [Held(*key, minor) for key, minor in sorted(sums_.items()) if minor]


UNFINISHED_ROUNDS = Report(
    name="unfinished-rounds",
    title="Unfinished rounds",
    about=f"open, suspended and cancelling rounds by age, with the money they hold; overdue behind {LIMIT.days} days",
    columns=(
        *texts("round", "number", "table_id", "ruleset", "dealer", "shift"),
        Column("opened_at", Kind.TIME),
        Column("last_at", Kind.TIME),
        *counts("age_days", summed=False),
        *texts("overdue", "reason_code", "reason", "casino", "currency"),
        *sums("held"),
    ),
    rows=_rows,
    needs=(ROUNDS,),
    totals_by=("casino", "currency"),
)
