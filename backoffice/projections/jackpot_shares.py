"""Who won what of which pool: one row a winner of a hit, of the whole pool or of a percentage."""

from collections.abc import Iterator

from sqlalchemy import BigInteger, Column, DateTime, Index, Table

from backoffice.db import metadata
from backoffice.domain.jackpots.events import JackpotHit
from backoffice.projections.changes import Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

jackpot_shares = Table(
    "jackpot_shares",
    metadata,
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("seat", NAME, primary_key=True),
    Column("jackpot", NAME, nullable=False),
    Column("cycle", BigInteger, nullable=False),
    Column("percent", BigInteger, nullable=False),
    Column("round", NAME, nullable=False),
    Column("casino", NAME, nullable=False),
    Column("player", NAME, nullable=False),
    Column("currency", NAME, nullable=False),
    Column("base_currency", NAME, nullable=False),
    Column("share_base_minor", BigInteger, nullable=False),
    Column("rate", NAME, nullable=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Index(None, "round"),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Put]:
    """The shares stand in the hit, worked out."""
    position, happened_at, hit = fact
    assert isinstance(hit, JackpotHit)
    for share in hit.shares:
        yield Put(
            jackpot_shares,
            {
                "position": position,
                "seat": share.seat,
                "jackpot": hit.jackpot,
                "cycle": hit.cycle,
                "percent": hit.percent,
                "round": hit.round,
                "casino": share.casino,
                "player": share.player,
                "currency": share.currency,
                "base_currency": hit.base,
                "share_base_minor": share.share_base,
                "rate": share.rate,
                "amount_minor": share.amount,
                "happened_at": happened_at,
            },
        )


JACKPOT_SHARES = Projection(
    name="jackpot-shares",
    version=1,
    tables=(jackpot_shares,),
    wants=(JackpotHit,),
    changes=changes,
)
