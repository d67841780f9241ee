"""Cases as they stand, newest first."""

from datetime import datetime
from typing import Any, NamedTuple

from pydantic import Field
from sqlalchemy import ColumnElement, Connection, Row, select

from backoffice.domain.cases.events import Kind
from backoffice.domain.cases.state import Standing
from backoffice.kernel.currencies import format_minor
from backoffice.projections.cases import CASES, case_casinos, cases
from backoffice.reports.queries.paging import Asked, Order, Page, Shown, looked_up, read_page
from backoffice.reports.queries.snapshot import told_upto
from backoffice.reports.scope import Scope


class CaseRow(Shown):
    """A case as it stands. What does not belong to its kind is null."""

    case: str = Field(examples=["compensation/live-1-0017/1"])
    kind: Kind
    standing: Standing
    outcome: str | None = Field(description="How a closed case ended.", examples=["paid"])
    casinos: list[str] = Field(description="Whose staff decide.", examples=[["tallinn"]])
    round: str | None = Field(examples=["live-1-0017"])
    seat: str | None = Field(examples=["1"])
    player: str | None = Field(examples=["p-1"])
    currency: str | None = Field(examples=["EUR"])
    jackpot: str | None
    grounds: str | None
    reason: str | None
    hand: str | None = Field(examples=["royal flush"])
    cards: str | None = Field(examples=["As Ks Qs Js Ts"])
    bet: str | None
    suggested: str | None = Field(examples=["250.00"])
    claimed: str | None
    due: str | None
    held: str | None
    asked: str | None
    moved: str | None
    opened_by: str | None
    opened_at: datetime
    proposal: int | None = Field(description="The number of the newest proposal.", examples=[1])
    proposed: str | None
    proposed_by: str | None
    proposed_at: datetime | None
    proposed_because: str | None
    expires_at: datetime | None
    seconded_by: str | None
    decision: str | None = Field(examples=["approved"])
    decided_by: str | None
    decided_at: datetime | None
    decided_because: str | None
    closed_at: datetime | None
    first_position: int = Field(examples=[4711])
    last_position: int = Field(examples=[4722])


class CaseSearch(NamedTuple):
    """What cases are searched by."""

    scope: Scope
    standing: tuple[Standing, ...] = ()
    kind: Kind | None = None
    round: str | None = None
    player: str | None = None


_SUMS = ("suggested", "claimed", "due", "held", "asked", "proposed", "moved")


def read_cases(connection: Connection, search: CaseSearch, asked: Asked) -> Page[CaseRow]:
    """A page of the cases that are searched for."""
    position = told_upto(connection, CASES)
    order = Order((cases.c.position, cases.c.case_id), falling=True)
    query = select(cases).where(*_conditions(search))
    page = read_page(connection, query, order, asked, position, search, lambda row: row, cases.c.position)
    whose = casinos_of(connection, [row.case_id for row in page.rows])
    return Page(rows=[_case(row, whose[row.case_id]) for row in page.rows], next=page.next, position=position)


def casinos_of(connection: Connection, names: list[str]) -> dict[str, list[str]]:
    """The casinos whose staff decide these cases."""
    whose: dict[str, list[str]] = {name: [] for name in names}
    query = select(case_casinos).where(case_casinos.c.case_id.in_(names)).order_by(case_casinos.c.casino)
    for row in connection.execute(query):
        whose[row.case_id].append(row.casino)
    return whose


def _conditions(search: CaseSearch) -> list[ColumnElement[bool]]:
    conditions: list[ColumnElement[bool]] = []
    if not search.scope.whole:
        ours = search.scope.holds(case_casinos.c.casino)
        conditions.append(looked_up(case_casinos, case_casinos.c.case_id == cases.c.case_id, ours))
    if search.standing:
        conditions.append(cases.c.standing.in_([str(standing) for standing in search.standing]))
    if search.kind is not None:
        conditions.append(cases.c.kind == search.kind)
    if search.round is not None:
        conditions.append(cases.c.round == search.round)
    if search.player is not None:
        conditions.append(cases.c.player == search.player)
    return conditions


def _case(row: Row[Any], casinos: list[str]) -> CaseRow:
    told = dict(row._mapping)  # noqa: SLF001 - its public name
    for name in _SUMS:
        minor = told.pop(f"{name}_minor")
        told[name] = None if minor is None else format_minor(minor, row.currency)
    return CaseRow.model_validate(
        {**told, "case": row.case_id, "casinos": casinos, "first_position": row.position}
    )
