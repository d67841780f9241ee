"""What every wallet holds: one row for each that ever moved, also at zero."""

from sqlalchemy import BigInteger, Column, Table

from backoffice.db import metadata
from backoffice.domain.ledger import POSTED
from backoffice.projections.changes import Add
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

balances = Table(
    "balances",
    metadata,
    Column("casino", NAME, primary_key=True),
    Column("player", NAME, primary_key=True),
    Column("currency", NAME, primary_key=True),
    Column("balance_minor", BigInteger, nullable=False),
    schema=SCHEMA,
    # Every commit moves a few of these rows: room in the page keeps a moved row beside its old self.
    postgresql_with={"fillfactor": 60},
)


def changes(fact: Fact) -> list[Add]:
    """Whatever is posted to a player's account moves that wallet."""
    return [
        Add(balances, (owner, holder, currency), (minor,))
        for (kind, owner, holder), currency, minor in fact.postings
        if kind == "player"
    ]


BALANCES = Projection(
    name="balances",
    version=1,
    tables=(balances,),
    wants=POSTED,
    changes=changes,
    inline=True,
)
