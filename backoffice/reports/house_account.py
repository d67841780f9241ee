"""Revenue against the ledger: what a casino's house account moved is its revenue less what is explained, to the last unit.

Two ways to the same figure: revenue is added up from the takings of facts, the ledger's side from their postings. Explained
are contributions that the house bore for a pool that was paid out, and debts that were written off; compensation has an
account of its own. A fact counts on the day it happened on, also where its round belongs to an earlier one.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import Select, func, select

from backoffice.kernel.calendar import Bounds
from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.takings import TAKINGS, takings
from backoffice.reports.reading import Reading
from backoffice.reports.report import Report, Row, sums, texts

_EXPLAINED = ("ggr", "borne", "written_off", "compensation")


def _rows(reading: Reading) -> Iterator[Row]:
    for casino in reading.casinos:
        bounds = reading.bounds(casino)
        brought = _by_currency(reading, _brought(casino, bounds))
        posted = _by_currency(reading, _posted(casino, bounds))
        for currency in sorted(brought.keys() | posted.keys()):
            figures = dict.fromkeys((*_EXPLAINED, "house", "paid_as_compensation"), 0)
            figures |= {name: int(minor or 0) for name, minor in brought.get(currency, {}).items()}
            figures |= {name: int(minor or 0) for name, minor in posted.get(currency, {}).items()}
            yield {"casino": casino, "currency": currency, **figures, **_compared(figures)}


def _compared(figures: Mapping[str, int]) -> dict[str, int]:
    expected = figures["ggr"] - figures["borne"] - figures["written_off"]
    return {
        "expected": expected,
        "difference": figures["house"] - expected,
        "compensation_difference": figures["paid_as_compensation"] - figures["compensation"],
    }


def _by_currency(reading: Reading, query: Select[Any]) -> dict[str, dict[str, Any]]:
    found = reading.connection.execute(query).mappings()
    return {row["currency"]: {name: row[name] for name in row if name != "currency"} for row in found}


def _brought(casino: str, bounds: Bounds | None) -> Select[Any]:
    figures = (func.sum(takings.c[f"{name}_minor"]).label(name) for name in _EXPLAINED)
    query = (
        select(takings.c.currency, *figures).where(takings.c.casino == casino).group_by(takings.c.currency)
    )
    return query if bounds is None else query.where(*_during(takings, bounds))


def _posted(casino: str, bounds: Bounds | None) -> Select[Any]:
    moved = func.sum(entries.c.amount_minor)
    house = moved.filter(entries.c.kind == "house").label("house")
    compensation = (-moved.filter(entries.c.kind == "compensation")).label("paid_as_compensation")
    query = (
        select(entries.c.currency, house, compensation)
        .where(entries.c.kind.in_(("house", "compensation")), entries.c.owner == casino)
        .group_by(entries.c.currency)
    )
    return query if bounds is None else query.where(*_during(entries, bounds))


def _during(table: Any, bounds: Bounds) -> tuple[Any, Any]:
    return table.c.happened_at >= bounds.begin, table.c.happened_at < bounds.end


HOUSE_ACCOUNT = Report(
    name="house-account",
    title="Revenue against the house account",
    about="what each casino's house account moved, and what of it revenue and other facts explain: difference 0",
    columns=(
        *texts("casino", "currency"),
        *sums("ggr", "borne", "written_off", "expected", "house"),
        *sums("difference", "compensation", "paid_as_compensation", "compensation_difference"),
    ),
    rows=_rows,
    needs=(TAKINGS, ENTRIES),
    totals_by=("currency",),
)
