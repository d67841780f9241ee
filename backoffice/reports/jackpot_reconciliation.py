"""Whether what went into every jackpot is what came out of it and what is there: bucket by bucket, difference nought.

Seeds and contributions come in, refunds and prizes go out, and what is left is shown or waits in the reserve. All this is
added up from the ledger's entries. What is left is compared with the meters, which are written with each fact by another
function: `difference` is their balance less what the ledger has. A hit that was taken back counts backwards.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, false, func, select, true

from backoffice.domain.terms import SEED, reserve_of
from backoffice.kernel.calendar import Bounds
from backoffice.projections.entries import ENTRIES, entries
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.reports.reading import Reading
from backoffice.reports.report import Report, Row, sums, texts

_ACCOUNTS = ("pool", "reserve", "seed")
_BY_ROUNDS = entries.c.type.startswith("round.")
_BY_HITS = entries.c.type.in_(
    ("jackpot.hit", "jackpot.hit_reversed", "jackpot.fixed_prizes_drawn", "jackpot.fixed_prizes_returned")
)
_SEEDING = and_(entries.c.kind == "seed", entries.c.type == "jackpot.seeded")
_IN, _OUT = entries.c.amount_minor > 0, entries.c.amount_minor < 0


def _rows(reading: Reading) -> Iterator[Row]:
    network = () if reading.asked.casino else (SEED,)
    for casino in (*network, *reading.casinos):
        for found in reading.connection.execute(_sums(casino, reading.bounds(casino))).mappings():
            row = {"casino": casino, **{name: found[name] or 0 for name in found}}
            yield {**row, **_compared(reading, row)}


def _sums(casino: str, bounds: Bounds | None) -> Select[Any]:
    during: ColumnElement[bool] = true()
    before: ColumnElement[bool] = false()
    if bounds is not None:
        during = and_(entries.c.happened_at >= bounds.begin, entries.c.happened_at < bounds.end)
        before = entries.c.happened_at < bounds.begin
    sum_ = func.sum(entries.c.amount_minor)
    query = (
        select(
            entries.c.owner.label("jackpot"),
            entries.c.currency,
            sum_.filter(before).label("opening"),
            sum_.filter(during, _SEEDING).label("seeded"),
            sum_.filter(during, _BY_ROUNDS, _IN).label("contributed"),
            (-sum_.filter(during, _BY_ROUNDS, _OUT)).label("refunded"),
            (-sum_.filter(during, _BY_HITS)).label("paid"),
            sum_.label("closing"),
            sum_.filter(entries.c.kind == "reserve").label("reserve"),
        )
        .where(entries.c.kind.in_(_ACCOUNTS), entries.c.casino == casino)
        .group_by(entries.c.owner, entries.c.currency)
        .order_by(entries.c.owner, entries.c.currency)
    )
    return query if bounds is None else query.where(entries.c.happened_at < bounds.end)


def _compared(reading: Reading, row: Mapping[str, Any]) -> Row:
    """Of everything, against the meters; of some days, what came and went against what it left."""
    if reading.asked.first is not None:
        moved = row["opening"] + row["seeded"] + row["contributed"] - row["refunded"] - row["paid"]
        return {"shown": row["closing"] - row["reserve"], "meter": None, "difference": moved - row["closing"]}
    names = (row["jackpot"], reserve_of(row["jackpot"]))
    meters = (
        select(func.sum(jackpot_meters.c.balance_minor))
        .where(jackpot_meters.c.jackpot.in_(names), jackpot_meters.c.casino == row["casino"])
        .where(jackpot_meters.c.currency == row["currency"])
    )
    meter = int(reading.connection.execute(meters).scalar() or 0)
    moved = row["seeded"] + row["contributed"] - row["refunded"] - row["paid"]
    assert moved == row["closing"]  # whatever else moves a jackpot's money has to be told here
    return {"shown": row["closing"] - row["reserve"], "meter": meter, "difference": meter - row["closing"]}


JACKPOT_RECONCILIATION = Report(
    name="jackpot-reconciliation",
    title="Reconciliation of jackpots",
    about="seeds and contributions against prizes, refunds, what is shown and what is in reserve: difference 0",
    columns=(
        *texts("casino", "jackpot", "currency"),
        *sums("opening", "seeded", "contributed", "refunded", "paid", "shown", "reserve"),
        *sums("meter", summed=False),
        *sums("difference"),
    ),
    rows=_rows,
    needs=(ENTRIES, JACKPOT_METERS),
    totals_by=("jackpot", "currency"),
)
