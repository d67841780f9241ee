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
    hits: Mapping[str, tuple[JackpotHit, ...]] = field(default_factory=dict)
    """The hits by their round: a reversal gives each back exactly."""


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
            return replace(state, terms=terms, cycle=event.cycle, next_terms=None)
        case JackpotHit():
            return replace(state, hits={**state.hits, event.round: (*state.hits.get(event.round, ()), event)})
        case FixedPrizesDrawn() | FixedPrizesReturned() | JackpotHitReversed():
            return state
        case _:
            raise TypeError(f"{event!r} is no fact of a jackpot")
