"""What each casino and currency put into a pool, took back, was paid, and what is left: one row a bucket."""

from collections.abc import Iterator

from sqlalchemy import BigInteger, CheckConstraint, Column, Table, text

from backoffice.db import metadata
from backoffice.domain.meters import METERED, MeterMove, meter_moves
from backoffice.projections.changes import Add
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

jackpot_meters = Table(
    "jackpot_meters",
    metadata,
    Column("jackpot", NAME, primary_key=True),
    Column("casino", NAME, primary_key=True),
    Column("currency", NAME, primary_key=True),
    Column("contributed_minor", BigInteger, nullable=False),
    Column("refunded_minor", BigInteger, nullable=False),
    Column("paid_out_minor", BigInteger, nullable=False),
    Column("balance_minor", BigInteger, nullable=False),
    CheckConstraint(
        text("balance_minor = contributed_minor - refunded_minor - paid_out_minor"), name="balance"
    ),
    schema=SCHEMA,
    # A handful of rows, moved by every mark.
    postgresql_with={"fillfactor": 10},
)


def moved(move: MeterMove) -> Add:
    """A meter's movement as a change of its row."""
    amounts = (move.contributed, move.refunded, move.paid_out, move.balance)
    return Add(jackpot_meters, (move.jackpot, move.casino, move.currency), amounts)


def changes(fact: Fact) -> Iterator[Add]:
    """Whatever moves a bucket moves its meter."""
    return map(moved, meter_moves(fact.event))


JACKPOT_METERS = Projection(
    name="jackpot-meters",
    version=1,
    tables=(jackpot_meters,),
    wants=METERED,
    changes=changes,
    inline=True,
)
