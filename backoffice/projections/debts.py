"""What players owe their casino since a reversal: a row for each that ever owed, also at nought."""

from collections.abc import Iterator

from sqlalchemy import BigInteger, Column, Table

from backoffice.db import metadata
from backoffice.domain.cases.events import DebtWrittenOff
from backoffice.domain.rounds.events import RoundCorrected, RoundReversed
from backoffice.domain.wallet.events import DebtRepaid
from backoffice.projections.changes import Add
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

debts = Table(
    "debts",
    metadata,
    Column("casino", NAME, primary_key=True),
    Column("player", NAME, primary_key=True),
    Column("currency", NAME, primary_key=True),
    Column("owed_minor", BigInteger, nullable=False),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Add]:
    """Whatever is posted to a receivable account moves that debt, the other way round."""
    for account, currency, minor in fact.postings:
        if account.kind == "receivable":
            yield Add(debts, (account.owner, account.holder, currency), (-minor,))


DEBTS = Projection(
    name="debts",
    version=1,
    tables=(debts,),
    wants=(RoundReversed, RoundCorrected, DebtRepaid, DebtWrittenOff),
    changes=changes,
    inline=True,
)
