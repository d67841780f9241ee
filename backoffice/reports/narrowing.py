"""A fact as a casino may see it: its own players, bets and buckets and the totals, not those of the other casinos.

What concerns other casinos alone is not shown at all, nor what is of no casino in particular, but for the network's make-up,
rates and jackpots. Parts of a fact that name a casino are left out where it is another one; hands by seat where the seat is
another casino's. What is the network's own (seeds, a jackpot's worth) stays.
"""

from collections.abc import Hashable, Iterable, Mapping
from dataclasses import fields, replace
from typing import Any

from backoffice.domain.access.events import KeyEvent
from backoffice.domain.accounts import Posting, book_of
from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesDrawn, FixedPrizesReturned, JackpotEvent
from backoffice.domain.ledger import postings
from backoffice.domain.network.events import NetworkEvent, RateSet, TableDefined
from backoffice.domain.rounds.events import RoundEvent, RoundOpened, SeatEvent
from backoffice.domain.rounds.house_state import SHARED
from backoffice.domain.terms import SEED
from backoffice.reports.scope import Scope

_BY_SEAT = ("hands", "down", "up")
"""Fields that tell cards by seat."""


class Narrowing:
    """Shows facts, given in the order of the log, to whoever has a scope.

    Follows which casinos a round, a seat or a case is of: what it was not told of (`learn`) is not shown.
    """

    def __init__(self, scope: Scope) -> None:
        self._scope = scope
        self._of: dict[Hashable, tuple[str, ...]] = {}

    def shown(self, event: Event) -> Event | None:
        """The fact, or what may be seen of it; None for one that is not to be seen."""
        if self._scope.whole:
            return event
        self.learn(event)
        if not self._concerns_us(event):
            return None
        left_out = dict(self._left_out(event))
        if isinstance(event, FixedPrizesDrawn | FixedPrizesReturned) and not left_out["prizes"]:
            return None
        return replace(event, **left_out) if left_out else event

    def learn(self, event: Event) -> None:
        """Follow a fact that is not to be shown itself."""
        casinos = _casinos_of(event)
        match event:
            case RoundOpened():
                self._of[event.round] = casinos
            case SeatEvent() if casinos:
                self._of[event.round, event.seat] = casinos
            case CaseEvent() if casinos:
                self._of.setdefault((CaseEvent, event.case), casinos)
            case _:
                pass

    def _concerns_us(self, event: Event) -> bool:
        match event:
            case KeyEvent():
                return False
            case SeatEvent():
                return self._is_ours((event.round, event.seat))
            case RoundEvent():
                return self._is_ours(event.round)
            case CaseEvent():
                return self._is_ours((CaseEvent, event.case))
            case JackpotEvent() | NetworkEvent() | RateSet():
                return not _casinos_of(event) or self._scope.meets(_casinos_of(event))
            case _:
                return self._scope.meets(_casinos_of(event))

    def _is_ours(self, what: Hashable) -> bool:
        return self._scope.meets(self._of.get(what, ()))

    def _left_out(self, event: Event) -> Iterable[tuple[str, Any]]:
        """The fields that have to be told in part, and what is left of them."""
        for field in fields(event):
            name, value = field.name, getattr(event, field.name)
            if isinstance(value, tuple) and any(hasattr(part, "casino") for part in value):
                yield name, tuple(part for part in value if self._ours(part))
            elif isinstance(event, RoundEvent) and name in _BY_SEAT and isinstance(value, Mapping):
                yield (
                    name,
                    {
                        seat: cards
                        for seat, cards in value.items()
                        if seat == SHARED or self._is_ours((event.round, seat))
                    },
                )

    def _ours(self, part: Any) -> bool:
        return part.casino == SEED or self._scope.covers(part.casino)


def postings_within(scope: Scope, event: Event) -> list[Posting]:
    """What a fact, as it was recorded, did in the books of a scope."""
    return [one for one in postings(event) if scope.whole or scope.covers(book_of(one.account))]


def _casinos_of(event: Event) -> tuple[str, ...]:
    """The casinos that a fact says it is of; none for what is the network's own, and everybody's."""
    if isinstance(event, RoundOpened | TableDefined):
        return event.terms.casinos
    casinos: tuple[str, ...] = getattr(event, "casinos", ())
    casino: str | None = getattr(event, "casino", None)
    return casinos if casino is None else (*casinos, casino)
