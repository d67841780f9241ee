"""The ledger written out: one row a posting, of every fact that moves money, in the log's order.

Nothing else is added up from: journals, ledgers and statements of any account, casino and time read this table.
`line` counts the postings of one fact; `casino` is the one in whose book the account stands, `-` the network.
"""

from sqlalchemy import BigInteger, Column, DateTime, Index, Table

from backoffice.db import metadata
from backoffice.domain.accounts import book_of
from backoffice.domain.ledger import POSTED
from backoffice.projections.changes import Append
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection


def _by_span(column: str) -> Index:
    """Rows come in the order of the log and nearly in that of time: the spans of blocks find a day, at next to no cost."""
    return Index(None, column, postgresql_using="brin", postgresql_with={"autosummarize": "on"})


entries = Table(
    "entries",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("line", BigInteger, primary_key=True, autoincrement=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Column("recorded_at", DateTime(timezone=True), nullable=False),
    Column("kind", NAME, nullable=False),
    Column("owner", NAME, nullable=False),
    Column("holder", NAME, nullable=False),
    Column("currency", NAME, nullable=False),
    Column("casino", NAME, nullable=False),
    Column("type", NAME, nullable=False),
    Column("round", NAME),
    Index(None, "kind", "owner", "holder", "position"),
    _by_span("happened_at"),
    _by_span("recorded_at"),
    schema=SCHEMA,
)


def changes(fact: Fact) -> list[Append]:
    """Every posting of a fact, numbered from one."""
    position, times = fact.position, (fact.happened_at, fact.recorded_at)
    about = (fact.event.type_name, getattr(fact.event, "round", None))
    rows = [
        (position, line, minor, *times, *account, currency, book_of(account), *about)
        for line, (account, currency, minor) in enumerate(fact.postings, 1)
    ]
    return [Append(entries, rows)]


ENTRIES = Projection(
    name="entries",
    version=1,
    tables=(entries,),
    wants=POSTED,
    changes=changes,
)
