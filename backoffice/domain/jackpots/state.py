"""A jackpot as its facts leave it. What is in its buckets is kept in the meters, written with every append."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import (
    BucketMoved,
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
class Jackpot:
    """One jackpot: its running pool's number and parameters, and the parameters of the next pool if they differ."""

    id: str
    terms: JackpotTerms
    cycle: int = 0
    next_terms: JackpotTerms | None = None
    held: frozenset[int] = frozenset()
    """The pools whose contributions are in the running one: its own, and those that reversed hits put back."""
    kept: frozenset[int] = frozenset()
    """Those of them whose overflow is in the reserve still."""
    emptied: Mapping[int, tuple[frozenset[int], frozenset[int]]] = field(default_factory=dict)
    """What was `held` and `kept` when a pool was paid out, by that pool's number: a reversed hit puts it back."""
    from_reserve: tuple[BucketMoved, ...] = ()
    """What the running pool had from the reserve when it began."""


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
            return replace(
                state,
                terms=terms,
                cycle=event.cycle,
                next_terms=None,
                held=own,
                kept=own,
                from_reserve=event.from_reserve,
            )
        case JackpotHit(percent=100):
            emptied = {**state.emptied, event.cycle: (state.held, state.kept)}
            return replace(state, emptied=emptied, held=frozenset(), kept=frozenset())
        case JackpotHitReversed(percent=100):
            return _put_back(state, event)
        case JackpotHit() | JackpotHitReversed() | FixedPrizesDrawn() | FixedPrizesReturned():
            return state
        case _:
            raise TypeError(f"{event!r} is no fact of a jackpot")


def _put_back(state: Jackpot, event: JackpotHitReversed) -> Jackpot:
    """The contributions of a pool are in the running one; their overflow only where the reserve had it back, too."""
    held, kept = state.emptied[event.cycle]
    if event.seed is None:
        return replace(state, held=state.held | held)
    return replace(state, held=state.held | held, kept=state.kept | kept, from_reserve=())
