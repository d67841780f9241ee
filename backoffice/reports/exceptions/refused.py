"""Refused actions: every no, as it is kept beside the log, with the rule it was refused by.

A refusal is no fact, so a report of the same position has more of them when more was refused since. It belongs to the day on
which its action says it happened, or, where it says nothing that can be read, to the day it was refused on.
"""

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

from pydantic_core import from_json
from sqlalchemy import DateTime, LargeBinary, Select, Text, column, func, select, table

from backoffice.projections.rounds import ROUNDS, round_casinos
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, texts

_refusals = table(
    "refusals",
    column("refusal"),
    column("refused_at", DateTime(timezone=True)),
    column("sender", Text),
    column("key", Text),
    column("round", Text),
    column("rule", Text),
    column("reason", Text),
    column("action", LargeBinary),
    column("import_id"),
    column("line"),
    schema="intake",
)
"""As the front door keeps them."""
_SAID = ("do", "casino", "player", "table", "seat", "amount", "currency")


def _rows(reading: Reading) -> Iterator[Row]:
    for row in reading.stream(_query()):
        action = _read(row["action"])
        moment = _moment(action) or row["refused_at"]
        casinos = _casinos(reading, action, row["at_casinos"])
        if any(reading.is_asked(casino, moment) for casino in casinos or reading.network.casinos):
            said = {name: _text(action.get(name)) for name in _SAID}
            told = {
                name: row[name]
                for name in ("refused_at", "sender", "key", "round", "rule", "reason", "import_id", "line")
            }
            yield {**told, **said, "happened_at": _moment(action)}


def _query() -> Select[Any]:
    at_casinos = (
        select(func.array_agg(round_casinos.c.casino))
        .where(round_casinos.c.round == _refusals.c.round)
        .scalar_subquery()
        .label("at_casinos")
    )
    return select(_refusals, at_casinos).order_by(_refusals.c.refusal)


def _read(action: bytes) -> dict[str, Any]:
    """What was asked, where it can be read at all."""
    try:
        said = from_json(action)
    except ValueError:
        return {}
    return said if isinstance(said, dict) else {}


def _moment(action: dict[str, Any]) -> datetime | None:
    try:
        moment = datetime.fromisoformat(str(action.get("at")))
        return moment.astimezone(UTC) if moment.tzinfo is not None else None
    except (ValueError, OverflowError):  # no moment, or one that is none in UTC
        return None


def _casinos(reading: Reading, action: dict[str, Any], of_round: list[str] | None) -> list[str]:
    """Whose it is: the casino it names, or those of its round's table, or of the table it names; none where nobody knows."""
    named = action.get("casino")
    if isinstance(named, str) and named in reading.network.casinos:
        return [named]
    if of_round:
        return of_round
    at = action.get("table")
    terms = reading.network.tables.get(at) if isinstance(at, str) else None
    return [] if terms is None else list(terms.casinos)


def _text(value: object) -> str | None:
    return None if value is None else str(value)


REFUSED_ACTIONS = Report(
    name="refused-actions",
    title="Refused actions",
    about="every action and request that was refused, with the rule and the reason",
    columns=(
        Column("refused_at", Kind.TIME),
        Column("happened_at", Kind.TIME),
        *texts("sender", "key", "do", "round", "table", "seat", "casino", "player", "amount", "currency"),
        *texts("rule", "reason"),
        *counts("import_id", "line", summed=False),
    ),
    rows=_rows,
    needs=(ROUNDS,),
    tells_of_others=True,
)
