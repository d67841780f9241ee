"""Cases and debts as lists: what waits for a person, and what was decided."""

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from backoffice.kernel.currencies import format_minor
from backoffice.projections.cases import case_casinos, cases
from backoffice.projections.debts import debts
from backoffice.reports.round_sentences import when

Told = dict[str, Any]
"""Plain data, ready for JSON: amounts are decimal strings, times RFC 3339 in UTC."""
_SUMS = ("suggested", "claimed", "due", "held", "asked", "proposed", "moved")
_TIMES = ("opened_at", "proposed_at", "expires_at", "decided_at", "closed_at")


def list_cases(
    connection: Connection,
    now: datetime,
    *,
    closed: bool = False,
    kind: str | None = None,
    casino: str | None = None,
    round_id: str | None = None,
) -> Iterator[Told]:
    """Cases in the order in which they opened; those that are closed only if asked for."""
    query = select(cases).order_by(cases.c.position)
    if not closed:
        query = query.where(cases.c.standing != "closed")
    if kind is not None:
        query = query.where(cases.c.kind == kind)
    if round_id is not None:
        query = query.where(cases.c.round == round_id)
    if casino is not None:
        theirs = select(case_casinos.c.case_id).where(case_casinos.c.casino == casino)
        query = query.where(cases.c.case_id.in_(theirs))
    with connection.execute(query.execution_options(yield_per=1000)) as rows:
        for row in rows.mappings():
            yield _told(dict(row), now)


def _told(row: Told, now: datetime) -> Told:
    expires = row["expires_at"]
    told = {
        "case": row.pop("case_id"),
        **row,
        "expired": row["standing"] == "proposed" and expires is not None and now > expires,
    }
    for name in _SUMS:
        minor = told.pop(f"{name}_minor")
        told[name] = None if minor is None else format_minor(minor, row["currency"])
    for name in _TIMES:
        told[name] = None if told[name] is None else told[name].isoformat()
    return told


def list_debts(connection: Connection, casino: str | None = None) -> Iterator[Told]:
    """Who owes what, by casino and player."""
    query = select(debts).where(debts.c.owed_minor != 0).order_by(*debts.primary_key.columns)
    if casino is not None:
        query = query.where(debts.c.casino == casino)
    for row in connection.execute(query):
        yield {
            "casino": row.casino,
            "player": row.player,
            "currency": row.currency,
            "owed": format_minor(row.owed_minor, row.currency),
        }


def case_line(told: Told) -> str:
    """A case in a line, for a person to read."""
    return f"{told['case']:<40} {told['standing']:<9} {_about(told)}; {_stands(told)}"


def _about(told: Told) -> str:
    seat = f"seat {told['seat']}, " if told["seat"] else ""
    who = f"{seat}{told['player']} of {told['casino']}" if told["player"] else f"round {told['round']}"
    currency = told["currency"]
    match told["kind"]:
        case "compensation":
            return f"{who}: {told['hand']}, {told['suggested']} {currency} suggested"
        case "dispute":
            return f"{who}: {told['bet']}, {told['claimed']} {currency} claimed, {told['due']} due"
        case "large-win":
            return f"{who}: {told['held']} {currency} of {told['jackpot']} held"
        case "claim":
            return f"{who}: {told['grounds']} ({told['reason']})"
        case "write-off":
            return f"{who}: {told['asked']} {currency} ({told['reason']})"
        case _:
            return f"{who}: {told['reason']}"


def _stands(told: Told) -> str:
    if told["decision"] == "refused":
        return f"proposal {told['proposal']} refused by {told['decided_by']}: {told['decided_because']}"
    if told["outcome"]:
        moved = f" {told['moved']} {told['currency']}" if told["moved"] else ""
        return f"{told['outcome']}{moved}"
    if told["proposal"] is None:
        return "nothing proposed"
    amount = f"{told['proposed']} {told['currency']} " if told["proposed"] else ""
    seconded = f", seconded by {told['seconded_by']}" if told["seconded_by"] else ""
    until = "" if told["expires_at"] is None else f", until {when(told['expires_at'])}"
    expired = " (expired)" if told["expired"] else ""
    return f"proposal {told['proposal']}: {amount}by {told['proposed_by']}{seconded}{until}{expired}"
