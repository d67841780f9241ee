"""Every bet as it was settled or refunded: one row a pay line.

A round may have several results, counted by `number`: a reversal refunds every bet, a correction settles it anew. The
rows of the earlier ones stay, and say since when another one holds.
"""

from collections.abc import Iterable, Iterator

from sqlalchemy import BigInteger, Column, DateTime, Index, Table, text

from backoffice.db import metadata
from backoffice.domain.rounds.events import (
    Line,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
    TakenBack,
)
from backoffice.projections.changes import Amend, Change, Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

round_lines = Table(
    "round_lines",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("bet", NAME, primary_key=True),
    Column("position", BigInteger, nullable=False),
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
    Column("number", BigInteger, primary_key=True, autoincrement=False),
    Column("replaced_at", DateTime(timezone=True)),
    Index(None, "currency", "stake_minor", "position"),
    Index(None, "happened_at", postgresql_using="brin", postgresql_with={"autosummarize": "on"}),
    Index(
        "ix_read_round_lines_payout",
        "currency",
        "payout_minor",
        "position",
        postgresql_where=text("payout_minor > 0"),
    ),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Change]:
    """The lines stand in the fact that gave the round a result; the result before it holds no longer."""
    match fact.event:
        case RoundSettled() | PotSettled() as settled:
            yield from _lines(fact, settled.round, settled.lines, settled.number)
        case RoundCancelled() as cancelled:
            yield from _lines(fact, cancelled.round, cancelled.lines, 1)
        case RoundReversed() as taken_back:
            yield from _replaced(fact, taken_back.round, taken_back.lines, taken_back.number - 1)
            yield from _lines(fact, taken_back.round, taken_back.refunds, taken_back.number)
        case RoundCorrected() as corrected:
            yield from _replaced(fact, corrected.round, corrected.stakes, corrected.number)
        case event:
            raise TypeError(f"{event!r} gives a round no result")


def _lines(fact: Fact, round_id: str, lines: Iterable[Line], number: int) -> Iterator[Put]:
    for line in lines:
        yield Put(
            round_lines,
            {
                "round": round_id,
                "seat": line.seat,
                "bet": line.bet,
                "position": fact.position,
                "happened_at": fact.happened_at,
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
                "number": number,
                "replaced_at": None,
            },
        )


def _replaced(fact: Fact, round_id: str, bets: Iterable[Line | TakenBack], number: int) -> Iterator[Amend]:
    for one in bets:
        yield Amend(round_lines, (round_id, one.seat, one.bet, number), {"replaced_at": fact.happened_at})


ROUND_LINES = Projection(
    name="round-lines",
    version=2,
    tables=(round_lines,),
    wants=(RoundSettled, PotSettled, RoundCancelled, RoundReversed, RoundCorrected),
    changes=changes,
)
