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


@dataclass(frozen=True, slots=True)
class Jackpot:
    """One jackpot: its running pool's number and parameters, and the parameters of the next pool if they differ."""

    id: str
    terms: JackpotTerms
    cycle: int = 0
    next_terms: JackpotTerms | None = None
    held: frozenset[int] = frozenset()
    """The pools whose contributions are in the running one: its own, and those that reversed hits put back."""
    emptied: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """What was `held` when a pool was paid out, by that pool's number: a reversed hit puts it back."""


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
            held = frozenset({event.cycle})
            return replace(state, terms=terms, cycle=event.cycle, next_terms=None, held=held)
        case JackpotHit(percent=100):
            return replace(state, emptied={**state.emptied, event.cycle: state.held}, held=frozenset())
        case JackpotHitReversed(percent=100):
            return replace(state, held=state.held | state.emptied[event.cycle])
        case JackpotHit() | JackpotHitReversed() | FixedPrizesDrawn() | FixedPrizesReturned():
            return state
        case _:
            raise TypeError(f"{event!r} is no fact of a jackpot")
