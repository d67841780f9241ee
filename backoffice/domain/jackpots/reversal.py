"""A round's hits and pool prizes taken back (FORMAT.md, end): exactly the facts of the hit, backwards."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesReturned, JackpotHit, JackpotHitReversed, PrizeDrawn
from backoffice.domain.jackpots.state import Jackpot


def reverse_hits(state: Jackpot, hits: Sequence[JackpotHit], held: Collection[str]) -> list[Event]:
    """The reversal of every hit of a round. `held` names the seats whose share has not gone to the winner yet.

    The seed of the pool that a hit began goes back to the network while that pool is the running one, or is in it again
    because its own hit was taken back; and what came from the reserve goes back there.
    """
    return [_reversed(state, hit, held) for hit in reversed(hits)]


def return_prizes(jackpot: str, round_id: str, prizes: Iterable[PrizeDrawn]) -> list[Event]:
    """The fixed prizes that the pool paid in a round, back to it; nothing where it paid none."""
    returned = tuple(prizes)
    return [FixedPrizesReturned(jackpot=jackpot, round=round_id, prizes=returned)] if returned else []


def _reversed(state: Jackpot, hit: JackpotHit, held: Collection[str]) -> JackpotHitReversed:
    begun = state.contents.begun.get(hit.cycle + 1) if hit.percent == 100 else None
    return JackpotHitReversed(
        jackpot=state.id,
        round=hit.round,
        cycle=hit.cycle,
        percent=hit.percent,
        base=hit.base,
        buckets=hit.buckets,
        shares=tuple(replace(share, held=share.seat in held) for share in hit.shares),
        rounding=hit.rounding,
        shortfall=hit.shortfall,
        number=hit.number,
        seed=begun.seed if begun else None,
        to_reserve=begun.from_reserve if begun else (),
    )
