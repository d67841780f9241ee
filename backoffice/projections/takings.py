"""What every fact brought or cost each casino: one row a fact, casino and currency, for revenue and whatever adds it up.

Rows are only added. Those of a round's results belong to the round's day (`of_round`), whenever they happened.
"""

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Index, Table, text

from backoffice.db import metadata
from backoffice.domain.takings import COUNTS, MONEY, RESULTS, TAKING
from backoffice.domain.takings import takings as takings_of
from backoffice.projections.changes import Append
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

takings = Table(
    "takings",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("casino", NAME, primary_key=True),
    Column("currency", NAME, primary_key=True),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Column("of_round", Boolean, nullable=False),
    Column("round", NAME),
    Column("case_id", NAME),
    *(Column(name, BigInteger, nullable=False) for name in COUNTS),
    *(Column(f"{name}_minor", BigInteger, nullable=False) for name in MONEY),
    Index(None, "round"),
    Index("ix_read_takings_happened_at", "happened_at", postgresql_where=text("not of_round")),
    schema=SCHEMA,
)


def changes(fact: Fact) -> list[Append]:
    """A row for each casino and currency that the fact brings something."""
    event = fact.event
    about = (type(event) in RESULTS, getattr(event, "round", None), getattr(event, "case", None))
    rows = [
        (fact.position, casino, currency, fact.happened_at, *about, *[brought[name] for name in _FIGURES])
        for (casino, currency), brought in takings_of(event).items()
    ]
    return [Append(takings, rows)]


_FIGURES = (*COUNTS, *MONEY)


TAKINGS = Projection(
    name="takings",
    version=1,
    tables=(takings,),
    wants=TAKING,
    changes=changes,
)
