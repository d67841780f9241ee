"""Rounds: searched for by everything one may know of them, newest first, or the largest amount first."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from pydantic import Field
from sqlalchemy import ARRAY, Connection, Row, Text, func, literal, literal_column, select, true

from backoffice.domain.rounds.phase import Phase
from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.queries.paging import Asked, Page, Shown, cursor, place
from backoffice.reports.queries.round_leads import RoundSearch, lead_of
from backoffice.reports.queries.snapshot import told_upto

LOOKED_AT = 2000
"""So many rounds are looked at for one page where the index leaves conditions open. The page may then be short, or empty,
and not the last."""


class RoundRow(Shown):
    """A round as it stands."""

    round: str = Field(examples=["live-1-20260301-0017"])
    table: str = Field(examples=["live-1"])
    number: str = Field(description="The table's own number of it.", examples=["17"])
    ruleset: str = Field(examples=["caribbean-live/1"])
    jackpot: str | None = Field(examples=["royal"])
    dealer: str | None = Field(examples=["d-9"])
    shift: str | None = Field(examples=["evening"])
    phase: Phase
    suspended: bool
    opened_at: datetime
    ended_at: datetime | None = Field(
        description="When it was first settled or cancelled, by the table's time."
    )
    first_position: int = Field(examples=[120])
    last_position: int = Field(examples=[141])


def search_rounds(connection: Connection, search: RoundSearch, asked: Asked) -> Page[RoundRow]:
    """A page of the rounds that are searched for. Raises BadCursor."""
    lead = lead_of(search)
    position = told_upto(connection, ROUNDS, *([ROUND_LINES] if search.pays else []))
    where = place(asked, search, lead.order, position)
    query = lead.rounds.where(lead.position <= where.began)
    if where.key is not None:
        query = query.where(lead.order.behind(where.key))
    most = LOOKED_AT if lead.rest else asked.limit + 1
    candidates = connection.execute(lead.order.sorted(query).limit(most)).all()
    found = _that_fit(connection, [candidate.round for candidate in candidates], lead.rest)
    rows: list[RoundRow] = []
    looked_at = 0
    for candidate in candidates:
        if len(rows) == asked.limit:
            break
        looked_at += 1
        if candidate.round in found:
            rows.append(round_row(found[candidate.round]))
    more = looked_at < len(candidates) or len(candidates) == most
    last = candidates[looked_at - 1][1:] if more else ()
    return Page(rows=rows, next=cursor(search, where.began, last) if more else None, position=position)


def _that_fit(connection: Connection, ids: Sequence[str], conditions: Sequence[Any]) -> dict[str, Row[Any]]:
    """Each looked up by its key, for the reason of `looked_up`: many at once would have the planner read all rounds."""
    candidate = (
        func.unnest(literal(ids, ARRAY(Text))).table_valued("round", name="candidate").render_derived()
    )
    one = select(rounds).where(rounds.c.round == candidate.c.round, *conditions)
    found = one.offset(literal_column("0")).lateral("found")
    fitting = select(found).select_from(candidate.join(found, true()))
    return {row.round: row for row in connection.execute(fitting)}


def round_row(row: Row[Any]) -> RoundRow:
    """A row of the read table as it is shown."""
    return RoundRow.model_validate({**row._mapping, "table": row.table_id})  # noqa: SLF001 - its public name
