"""What people decided about rounds and money: who asked, who proposed, who approved, what was done.

A case stands in the report of a day on which it was opened or closed.
"""

from collections.abc import Callable, Iterator
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, false, func, or_, select

from backoffice.domain.cases.events import Kind as CaseKind
from backoffice.projections.cases import CASES, case_casinos, cases
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, sums, texts

_WHO = (
    *texts("standing", "outcome"),
    Column("opened_at", Kind.TIME),
    *texts("opened_by", "reason", "proposed_by"),
    Column("proposed_at", Kind.TIME),
    *texts("proposed_because", "seconded_by", "decision", "decided_by"),
    Column("decided_at", Kind.TIME),
    *texts("decided_because"),
    Column("closed_at", Kind.TIME),
)
"""How a case went. `decided_by` approved or refused, `seconded_by` approved before where two had to."""


def _cases(*kinds: CaseKind) -> Callable[[Reading], Iterator[Row]]:
    def rows(reading: Reading) -> Iterator[Row]:
        for row in reading.stream(_query(reading, kinds)):
            yield {name.removesuffix("_minor"): value for name, value in row.items()}

    return rows


def _query(reading: Reading, kinds: tuple[CaseKind, ...]) -> Select[Any]:
    choices = [_of(reading, casino) for casino in reading.casinos]
    query = select(cases).where(cases.c.kind.in_(kinds), or_(false(), *choices))
    return query.order_by(cases.c.position)


def _of(reading: Reading, casino: str) -> ColumnElement[bool]:
    theirs = exists().where(case_casinos.c.case_id == cases.c.case_id, case_casinos.c.casino == casino)
    bounds = reading.bounds(casino)
    if bounds is None:
        return theirs
    moments = (cases.c.opened_at, cases.c.closed_at)
    return and_(theirs, or_(*(and_(moment >= bounds.begin, moment < bounds.end) for moment in moments)))


def _taken_back(reading: Reading) -> Iterator[Row]:
    """Reversals, each with what it did to the players of each casino and currency."""
    for case in _cases(CaseKind.REVERSAL)(reading):
        moved = reading.connection.execute(_moved(case)).mappings()
        asked = [dict(each) for each in moved if _is_asked(reading, each["casino"], case)]
        for each in asked or [_NOTHING]:
            yield {**case, **each}


def _is_asked(reading: Reading, casino: str, case: Row) -> bool:
    moments = (case["opened_at"], case["closed_at"])
    return any(moment is not None and reading.is_asked(casino, moment) for moment in moments)


_NOTHING: dict[Any, Any] = dict.fromkeys(("casino", "currency", "stakes_back", "payouts_taken"))


def _moved(case: Row) -> Select[Any]:
    """Of the round's first result, which a reversal undoes; nothing while none is carried out."""
    line = round_lines.c
    kind = (line.casino, line.currency)
    sums_ = {"stakes_back": line.stake_minor, "payouts_taken": line.payout_minor}
    return (
        select(*kind, *(func.sum(amount).label(name) for name, amount in sums_.items()))
        .where(line.round == case["round"], line.number == 1, line.replaced_at.is_not(None))
        .group_by(*kind)
        .order_by(*kind)
    )


COMPENSATIONS = Report(
    name="compensations",
    title="Compensations",
    about="what players were, or may be, paid by hand: who proposed it, who approved it, and what was paid",
    columns=(
        *texts(
            "case_id", "kind", "round", "seat", "casino", "player", "hand", "cards", "currency", "grounds"
        ),
        *sums("suggested", "proposed", "moved"),
        *_WHO,
    ),
    rows=_cases(CaseKind.COMPENSATION, CaseKind.CLAIM),
    needs=(CASES,),
    totals_by=("casino", "currency"),
)

LARGE_WINS = Report(
    name="large-wins",
    title="Large wins",
    about="jackpot shares that were held until a second person confirmed them",
    columns=(
        *texts("case_id", "round", "seat", "casino", "player", "jackpot", "currency"),
        *sums("held", "moved"),
        *_WHO,
    ),
    rows=_cases(CaseKind.LARGE_WIN),
    needs=(CASES,),
    totals_by=("casino", "currency"),
)

DISCREPANCIES = Report(
    name="discrepancies",
    title="Discrepancies",
    about="payouts that a table claims and the rules do not give: the rules' was paid, a person looks at each",
    columns=(
        *texts("case_id", "round", "seat", "casino", "player", "bet", "currency"),
        *sums("claimed", "due", "moved"),
        *_WHO,
    ),
    rows=_cases(CaseKind.DISPUTE),
    needs=(CASES,),
    totals_by=("casino", "currency"),
)

REVERSALS = Report(
    name="reversals",
    title="Reversed rounds",
    about="settled rounds that two people took back: who asked, who approved, which stakes and payouts went back",
    columns=(
        *texts("case_id", "round", "casino", "currency"),
        *sums("stakes_back", "payouts_taken"),
        *_WHO,
    ),
    rows=_taken_back,
    needs=(CASES, ROUND_LINES),
    totals_by=("casino", "currency"),
)

CORRECTIONS = Report(
    name="corrections",
    title="Corrections",
    about="reversed rounds that were settled anew with the cards as they really were: who asked and who approved",
    columns=(*texts("case_id", "round"), *_WHO),
    rows=_cases(CaseKind.CORRECTION),
    needs=(CASES,),
)

WRITE_OFFS = Report(
    name="write-offs",
    title="Debts written off",
    about="what players owed since a reversal and will not pay: who asked, who approved",
    columns=(*texts("case_id", "casino", "player", "currency"), *sums("asked", "moved"), *_WHO),
    rows=_cases(CaseKind.WRITE_OFF),
    needs=(CASES,),
    totals_by=("casino", "currency"),
)
