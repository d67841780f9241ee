"""Every bet as it was settled or refunded: one row a pay line."""

from collections.abc import Iterator

from sqlalchemy import BigInteger, Column, DateTime, Table

from backoffice.db import metadata
from backoffice.domain.rounds.events import PotSettled, RoundCancelled, RoundSettled
from backoffice.projections.changes import Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

round_lines = Table(
    "round_lines",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("bet", NAME, primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Column("casino", NAME, nullable=False),
    Column("player", NAME, nullable=False),
    Column("currency", NAME, nullable=False),
    Column("stake_minor", BigInteger, nullable=False),
    Column("result", NAME, nullable=False),
    Column("odds", BigInteger),
    Column("payout_minor", BigInteger, nullable=False),
    Column("rule", NAME, nullable=False),
    Column("cut_minor", BigInteger, nullable=False),
    Column("pooled_minor", BigInteger, nullable=False),
    Column("paid_by", NAME, nullable=False),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Put]:
    """The lines stand in the fact that ended the round."""
    position, happened_at, event = fact
    assert isinstance(event, RoundSettled | PotSettled | RoundCancelled)
    for line in event.lines:
        yield Put(
            round_lines,
            {
                "round": event.round,
                "seat": line.seat,
                "bet": line.bet,
                "position": position,
                "happened_at": happened_at,
                "casino": line.casino,
                "player": line.player,
                "currency": line.currency,
                "stake_minor": line.stake,
                "result": line.result,
                "odds": line.odds,
                "payout_minor": line.payout,
                "rule": line.rule,
                "cut_minor": line.cut,
                "pooled_minor": line.pooled,
                "paid_by": line.paid_by,
            },
        )


ROUND_LINES = Projection(
    name="round-lines",
    version=1,
    tables=(round_lines,),
    wants=(RoundSettled, PotSettled, RoundCancelled),
    changes=changes,
)
