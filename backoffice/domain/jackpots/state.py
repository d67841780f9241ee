"""A jackpot as its facts leave it. What is in its buckets is kept in the meters, written with every append."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import (
    FixedPrizesDrawn,
    FixedPrizesReturned,
    JackpotDefined,
    JackpotHit,
    JackpotHitReversed,
    JackpotSeeded,
    JackpotTermsChanged,
)
from backoffice.domain.terms import JackpotTerms

Buckets = dict[tuple[str, str], int]
"""What a pool holds, in minor units, by casino (SEED for the seed) and currency."""

SHAPING = tuple(
    kind.type_name
    for kind in (JackpotDefined, JackpotTermsChanged, JackpotSeeded, JackpotHit, JackpotHitReversed)
)
"""The types of the facts that a jackpot is told by. Fixed prizes move buckets and nothing else, and there are many."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What a pool is made of, by the numbers of the pools it stems from: its own, and those that reversed hits put back."""

    held: frozenset[int] = frozenset()
    """Those whose contributions are in it."""
    kept: frozenset[int] = frozenset()
    """Those of them whose overflow is in the reserve still."""
    begun: Mapping[int, JackpotSeeded] = field(default_factory=dict)
    """Those of them whose seed is in it, and how they began."""


@dataclass(frozen=True, slots=True)
class Jackpot:
    """One jackpot: its running pool's number and parameters, and the parameters of the next pool if they differ."""

    id: str
    terms: JackpotTerms
    cycle: int = 0
    next_terms: JackpotTerms | None = None
    contents: Contents = Contents()
    """Those of the running pool."""
    emptied: Mapping[int, Contents] = field(default_factory=dict)
    """Those of the pools that were paid out, by number: a reversed hit puts them back."""


def evolve_jackpot(state: Jackpot | None, event: Event) -> Jackpot:
    """`state` after `event`; never validates."""
    if state is None:
        assert isinstance(event, JackpotDefined)
        return Jackpot(event.jackpot, event.terms)
    match event:
        case JackpotTermsChanged():
            return replace(state, next_terms=event.terms)
        case JackpotSeeded():
            terms = state.next_terms or state.terms
            own = frozenset({event.cycle})
            contents = Contents(own, own, {event.cycle: event})
            return replace(state, terms=terms, cycle=event.cycle, next_terms=None, contents=contents)
        case JackpotHit(percent=100):
            emptied = {**state.emptied, event.cycle: state.contents}
            return replace(state, emptied=emptied, contents=Contents())
        case JackpotHitReversed(percent=100):
            return _put_back(state, event)
        case JackpotHit() | JackpotHitReversed() | FixedPrizesDrawn() | FixedPrizesReturned():
            return state
        case _:
            raise TypeError(f"{event!r} is no fact of a jackpot")


def _put_back(state: Jackpot, event: JackpotHitReversed) -> Jackpot:
    """What a pool was made of is in the running one; its overflow only where the reserve had it back, too."""
    now, back = state.contents, state.emptied[event.cycle]
    held, begun = now.held | back.held, {**now.begun, **back.begun}
    if event.seed is None:
        return replace(state, contents=Contents(held, now.kept, begun))
    del begun[event.cycle + 1]
    return replace(state, contents=Contents(held, now.kept | back.kept, begun))
