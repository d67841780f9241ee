"""Who won what of which pool: one row a winner of a hit, of the whole pool or of a percentage.

`number` is that of the round's result, so that a round settled anew has rows of its own; what was reversed stays and says so.
"""

from collections.abc import Iterator

from sqlalchemy import BigInteger, Column, DateTime, Index, Table

from backoffice.db import metadata
from backoffice.domain.jackpots.events import JackpotHit, JackpotHitReversed
from backoffice.projections.changes import Amend, Change, Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

jackpot_shares = Table(
    "jackpot_shares",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("percent", BigInteger, primary_key=True, autoincrement=False),
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("position", BigInteger, nullable=False),
    Column("jackpot", NAME, nullable=False),
    Column("cycle", BigInteger, nullable=False),
    Column("casino", NAME, nullable=False),
    Column("player", NAME, nullable=False),
    Column("currency", NAME, nullable=False),
    Column("base_currency", NAME, nullable=False),
    Column("share_base_minor", BigInteger, nullable=False),
    Column("rate", NAME, nullable=False),
    Column("amount_minor", BigInteger, nullable=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Column("reversed_at", DateTime(timezone=True)),
    Index(None, "position", "seat"),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Change]:
    """The shares stand in the hit, worked out."""
    match fact.event:
        case JackpotHit() as hit:
            yield from _won(fact, hit)
        case JackpotHitReversed() as hit:
            for share in hit.shares:
                key = (hit.round, share.seat, hit.percent, hit.number)
                yield Amend(jackpot_shares, key, {"reversed_at": fact.happened_at})
        case event:
            raise TypeError(f"{event!r} is no hit")


def _won(fact: Fact, hit: JackpotHit) -> Iterator[Put]:
    for share in hit.shares:
        yield Put(
            jackpot_shares,
            {
                "round": hit.round,
                "seat": share.seat,
                "percent": hit.percent,
                "number": hit.number,
                "position": fact.position,
                "jackpot": hit.jackpot,
                "cycle": hit.cycle,
                "casino": share.casino,
                "player": share.player,
                "currency": share.currency,
                "base_currency": hit.base,
                "share_base_minor": share.share_base,
                "rate": share.rate,
                "amount_minor": share.amount,
                "happened_at": fact.happened_at,
                "reversed_at": None,
            },
        )


JACKPOT_SHARES = Projection(
    name="jackpot-shares",
    version=2,
    tables=(jackpot_shares,),
    wants=(JackpotHit, JackpotHitReversed),
    changes=changes,
)
