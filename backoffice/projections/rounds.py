"""Every round: where it was played, under which book, and how far it has come; and by what it is searched for.

`round_casinos` are the casinos of its table, whose staff may see it; `round_players` who ever staked in it;
`round_hands` the hands of five cards that were dealt, exchanged, shown or corrected, each at its moment.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from sqlalchemy import BigInteger, Boolean, Column, DateTime, Index, Table, text

from backoffice.db import metadata
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.rounds.events import (
    BettingClosed,
    CancellationRequested,
    CardExchanged,
    DealerRevealed,
    HandMucked,
    HandsDealt,
    HandShown,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundEvent,
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSettled,
    RoundSuspended,
    SeatTaken,
    StakeTaken,
    StreetDealt,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.kernel.hands import hand_value, in_order
from backoffice.projections.changes import Amend, Change, Keep, Put
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
    Index(None, "opened_at", "first_position"),
    Index(None, "ended_at"),
    Index(None, "number", "opened_at", "first_position"),
    Index(None, "table_id", "opened_at", "first_position"),
    # Nearly all rounds are settled: of those no index by phase finds anything sooner.
    Index(
        "ix_read_rounds_phase",
        "phase",
        "opened_at",
        "first_position",
        postgresql_where=text("phase <> 'settled'"),
    ),
    schema=SCHEMA,
)

round_casinos = Table(
    "round_casinos",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("casino", NAME, primary_key=True),
    Column("opened_at", DateTime(timezone=True), nullable=False),
    Column("position", BigInteger, nullable=False),
    Index(None, "casino", "opened_at", "position"),
    schema=SCHEMA,
)

round_players = Table(
    "round_players",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("casino", NAME, primary_key=True),
    Column("player", NAME, primary_key=True),
    Column("joined_at", DateTime(timezone=True), nullable=False),
    Column("position", BigInteger, nullable=False),
    Index(None, "casino", "player", "joined_at", "position"),
    schema=SCHEMA,
)

round_hands = Table(
    "round_hands",
    metadata,
    Column("round", NAME, primary_key=True),
    Column("seat", NAME, primary_key=True),
    Column("position", BigInteger, primary_key=True, autoincrement=False),
    Column("hand", NAME, nullable=False),
    Column("cards", NAME, nullable=False),
    Column("happened_at", DateTime(timezone=True), nullable=False),
    Index(None, "hand", "happened_at", "position"),
    Index(None, "cards", "happened_at", "position"),
    schema=SCHEMA,
)
HAND = 5
"""Cards of a hand that has a name."""
DEALER = ""
"""The seat under which the dealer's hand stands: no player's seat is called so."""

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


def changes(fact: Fact) -> list[Change]:
    """A round begins with its opening; everything after it moves it on."""
    event = fact.event
    assert isinstance(event, RoundEvent)
    if isinstance(event, RoundOpened):
        at_casinos = [Put(round_casinos, _at_casino(fact, event, casino)) for casino in event.terms.casinos]
        return [Put(rounds, _opened(fact, event)), *at_casinos]
    moved_on: list[Change] = [Amend(rounds, (event.round,), _moved_on(fact, event))]
    if isinstance(event, (StakeTaken, SeatTaken)):
        moved_on.append(Keep(round_players, _joined(fact, event)))
    if type(event) in _HANDS:
        hands = [held for held in _HANDS[type(event)](event) if len(held[1]) == HAND]
        moved_on += [Put(round_hands, _held(fact, event, seat, cards)) for seat, cards in hands]
    return moved_on


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


def _at_casino(fact: Fact, event: RoundOpened, casino: str) -> dict[str, Any]:
    return {
        "round": event.round,
        "casino": casino,
        "opened_at": fact.happened_at,
        "position": fact.position,
    }


def _joined(fact: Fact, event: StakeTaken | SeatTaken) -> dict[str, Any]:
    return {
        "round": event.round,
        "casino": event.casino,
        "player": event.player,
        "joined_at": fact.happened_at,
        "position": fact.position,
    }


_HANDS: dict[type[Event], Callable[[Any], Iterable[tuple[str, Sequence[str]]]]] = {
    HandsDealt: lambda event: event.hands.items(),
    CardExchanged: lambda event: [(event.seat, event.hand)],
    HandShown: lambda event: [(event.seat, event.cards)],
    DealerRevealed: lambda event: [(DEALER, event.dealer)],
    RoundCorrected: lambda event: [*event.hands.items(), (DEALER, event.dealer)],
}
"""The hands that a fact tells of, by seat."""


def _held(fact: Fact, event: RoundEvent, seat: str, cards: Sequence[str]) -> dict[str, Any]:
    return {
        "round": event.round,
        "seat": seat,
        "position": fact.position,
        "hand": hand_value(cards).category.words,
        "cards": " ".join(in_order(cards)),
        "happened_at": fact.happened_at,
    }


ROUNDS = Projection(
    name="rounds",
    version=2,
    tables=(rounds, round_casinos, round_players, round_hands),
    wants=tuple(kind for kind in EVENTS if issubclass(kind, RoundEvent)),
    changes=changes,
)
