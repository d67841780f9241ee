"""What a person must decide: compensation for hands of cancelled rounds, payouts that a table disputes."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import BigInteger, Column, DateTime, Index, Table

from backoffice.db import metadata
from backoffice.domain.cases.events import CompensationOpened, DisputeOpened, SeatCaseOpened
from backoffice.projections.changes import Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

cases = Table(
    "cases",
    metadata,
    Column("case_id", NAME, primary_key=True),
    Column("kind", NAME, nullable=False),
    Column("state", NAME, nullable=False),
    Column("round", NAME, nullable=False),
    Column("seat", NAME, nullable=False),
    Column("casino", NAME, nullable=False),
    Column("player", NAME, nullable=False),
    Column("currency", NAME, nullable=False),
    # A compensation's own:
    Column("hand", NAME),
    Column("cards", NAME),
    Column("suggested_minor", BigInteger),
    # A dispute's own:
    Column("bet", NAME),
    Column("claimed_minor", BigInteger),
    Column("due_minor", BigInteger),
    Column("opened_at", DateTime(timezone=True), nullable=False),
    Column("position", BigInteger, nullable=False),
    Index(None, "round"),
    schema=SCHEMA,
)


def changes(fact: Fact) -> Iterator[Put]:
    """A case opens."""
    match fact.event:
        case CompensationOpened() as opened:
            yield Put(cases, _compensation(fact, opened))
        case DisputeOpened() as opened:
            yield Put(cases, _dispute(fact, opened))
        case _:
            raise TypeError(f"{fact.event!r} is no fact of a case")


def _compensation(fact: Fact, opened: CompensationOpened) -> dict[str, Any]:
    return {
        **_case(fact, opened),
        "kind": "compensation",
        "currency": opened.suggested.currency,
        "hand": opened.hand,
        "cards": " ".join(opened.cards),
        "suggested_minor": opened.suggested.minor,
    }


def _dispute(fact: Fact, opened: DisputeOpened) -> dict[str, Any]:
    return {
        **_case(fact, opened),
        "kind": "dispute",
        "currency": opened.due.currency,
        "bet": opened.bet,
        "claimed_minor": opened.claimed.minor,
        "due_minor": opened.due.minor,
    }


def _case(fact: Fact, opened: SeatCaseOpened) -> dict[str, Any]:
    return {
        **dict.fromkeys(cases.c.keys()),
        "case_id": opened.case,
        "state": "open",
        "round": opened.round,
        "seat": opened.seat,
        "casino": opened.casino,
        "player": opened.player,
        "opened_at": fact.happened_at,
        "position": fact.position,
    }


CASES = Projection(
    name="cases",
    version=1,
    tables=(cases,),
    wants=(CompensationOpened, DisputeOpened),
    changes=changes,
)
