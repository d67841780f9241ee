"""Rounds opened at a table at which another one was unfinished: taken, and looked at by somebody."""

from collections.abc import Iterator
from datetime import datetime
from itertools import groupby
from typing import Any

from sqlalchemy import Select, select

from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, texts
from backoffice.reports.rounds_asked import rounds_opened

_TOLD = ("round", "number", "table_id", "ruleset", "dealer", "shift", "phase", "opened_at")


def _rows(reading: Reading) -> Iterator[Row]:
    """Every table's rounds in the log's order; of those gone by, only the unfinished ones are kept in mind."""
    for _, of_table in groupby(reading.stream(_query(reading)), key=lambda row: row["table_id"]):
        unfinished: dict[str, datetime | None] = {}
        for row in of_table:
            ended = [name for name, end in unfinished.items() if end is not None and end <= row["opened_at"]]
            for name in ended:
                del unfinished[name]
            if unfinished and row["asked"]:
                yield {**{name: row[name] for name in _TOLD}, "unfinished": ", ".join(unfinished)}
            unfinished[row["round"]] = row["ended_at"]


def _query(reading: Reading) -> Select[Any]:
    asked = rounds_opened(reading).label("asked")
    told = [rounds.c[name] for name in (*_TOLD, "ended_at")]
    return select(*told, asked).order_by(rounds.c.table_id, rounds.c.first_position)


ROUNDS_SIDE_BY_SIDE = Report(
    name="rounds-side-by-side",
    title="Rounds side by side",
    about="rounds opened at a table at which another one was not finished, and which",
    columns=(*texts(*_TOLD[:-1]), Column("opened_at", Kind.TIME), *texts("unfinished")),
    rows=_rows,
    needs=(ROUNDS,),
)
