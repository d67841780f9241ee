"""Every round: where it was played, under which book, and how far it has come."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Table

from backoffice.db import metadata
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    BettingClosed,
    CancellationRequested,
    DealerRevealed,
    HandMucked,
    HandsDealt,
    HandShown,
    PotSettled,
    RoundCancelled,
    RoundEvent,
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSettled,
    RoundSuspended,
    StreetDealt,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.projections.changes import Amend, Change, Put
from backoffice.projections.fact import Fact
from backoffice.projections.projection import NAME, SCHEMA, Projection

rounds = Table(
    "rounds",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("table_id", NAME, nullable=False),
    Column("number", NAME, nullable=False),
    Column("ruleset", NAME, nullable=False),
    Column("jackpot", NAME),
    Column("dealer", NAME),
    Column("shift", NAME),
    Column("phase", NAME, nullable=False),
    Column("suspended", Boolean, nullable=False),
    Column("opened_at", DateTime(timezone=True), nullable=False),
    Column("ended_at", DateTime(timezone=True)),
    Column("first_position", BigInteger, nullable=False),
    Column("last_position", BigInteger, nullable=False),
    schema=SCHEMA,
)

_PHASES: dict[type[Event], Phase] = {
    BettingClosed: Phase.CLOSED,
    HandsDealt: Phase.DEALT,
    DealerRevealed: Phase.REVEALED,
    StreetDealt: Phase.PLAYING,
    HandShown: Phase.SHOWDOWN,
    HandMucked: Phase.SHOWDOWN,
    RoundSettled: Phase.SETTLED,
    PotSettled: Phase.SETTLED,
    CancellationRequested: Phase.CANCELLING,
    RoundCancelled: Phase.CANCELLED,
    RoundReversed: Phase.REVERSED,
}
"""The phase that a fact tells of. A showdown begins here with its first hand, not with the bet before it."""
_SUSPENDED: dict[type[Event], bool] = {
    RoundSuspended: True,
    RoundResumed: False,
    CancellationRequested: False,
}
_ENDINGS = frozenset({RoundSettled, PotSettled, RoundCancelled})
"""A round ends with its first result. Taken back or corrected later, it still belongs to the day it was played on."""


def changes(fact: Fact) -> Iterator[Change]:
    """A round begins with its opening; everything after it moves it on."""
    event = fact.event
    assert isinstance(event, RoundEvent)
    if isinstance(event, RoundOpened):
        yield Put(rounds, _opened(fact, event))
    else:
        yield Amend(rounds, (event.round,), _moved_on(fact, event))


def _opened(fact: Fact, event: RoundOpened) -> dict[str, Any]:
    return {
        "round": event.round,
        "table_id": event.table,
        "number": event.number,
        "ruleset": event.terms.ruleset,
        "jackpot": event.terms.jackpot,
        "dealer": event.dealer,
        "shift": event.shift,
        "phase": Phase.BETTING if event.terms.stud is None else Phase.SEATING,
        "suspended": False,
        "opened_at": fact.happened_at,
        "ended_at": None,
        "first_position": fact.position,
        "last_position": fact.position,
    }


def _moved_on(fact: Fact, event: RoundEvent) -> dict[str, Any]:
    kind = type(event)
    moved: dict[str, Any] = {"last_position": fact.position}
    if kind in _PHASES:
        moved["phase"] = _PHASES[kind]
    if kind in _SUSPENDED:
        moved["suspended"] = _SUSPENDED[kind]
    if kind in _ENDINGS and getattr(event, "number", 1) == 1:
        moved["ended_at"] = fact.happened_at
    return moved


ROUNDS = Projection(
    name="rounds",
    version=1,
    tables=(rounds,),
    wants=tuple(kind for kind in EVENTS if issubclass(kind, RoundEvent)),
    changes=changes,
)
