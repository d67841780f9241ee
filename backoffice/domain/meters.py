"""Event -> movements of jackpot meters: what each casino and currency put into a pool, took back, and had paid out."""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import (
    BucketMoved,
    FixedPrizesDrawn,
    FixedPrizesReturned,
    JackpotHit,
    JackpotHitReversed,
    JackpotSeeded,
)
from backoffice.domain.rounds.events import (
    BlindPlaced,
    CancellationRequested,
    JackpotMarked,
    PlayerLeft,
    RoundCorrected,
    RoundReversed,
    StakeUndone,
    Withdrawal,
)
from backoffice.domain.terms import SEED, reserve_of


class MeterMove(NamedTuple):
    """What one fact adds to one bucket's meter, in minor units of its currency.

    A jackpot's reserve is metered like a pool, under a name of its own: see `reserve_of`.
    """

    jackpot: str
    casino: str
    currency: str
    contributed: int = 0
    refunded: int = 0
    paid_out: int = 0

    @property
    def balance(self) -> int:
        """What it does to the bucket."""
        return self.contributed - self.refunded - self.paid_out


Moves = Iterator[MeterMove]


def meter_moves(event: Event) -> list[MeterMove]:
    """What `event` does to meters; empty for a fact that touches none."""
    move = _MOVES.get(type(event))
    return [] if move is None else list(move(event))


def _seeded(event: JackpotSeeded) -> Moves:
    yield MeterMove(event.jackpot, SEED, event.seed.currency, contributed=event.seed.minor)
    yield from _into_pool(event.jackpot, event.from_reserve, 1)


def _into_pool(jackpot: str, moved: Iterable[BucketMoved], sign: int) -> Moves:
    """What was contributed to the reserve counts as contributed to the pool from now on, or the other way round."""
    for part in moved:
        minor = sign * part.minor
        yield MeterMove(reserve_of(jackpot), part.casino, part.currency, contributed=-minor)
        yield MeterMove(jackpot, part.casino, part.currency, contributed=minor)


def _marked(event: JackpotMarked) -> Moves:
    return _contributed(event.jackpot, event.casino, event.stake.currency, event.contribution, event.reserved)


def _blind(event: BlindPlaced) -> Moves:
    if event.jackpot is not None:
        yield from _contributed(
            event.jackpot, event.casino, event.stake.currency, event.contribution, event.reserved
        )


def _contributed(jackpot: str, casino: str, currency: str, minor: int, reserved: int) -> Moves:
    yield MeterMove(jackpot, casino, currency, contributed=minor - reserved)
    if reserved:
        yield MeterMove(reserve_of(jackpot), casino, currency, contributed=reserved)


def _refunded(jackpot: str, casino: str, currency: str, minor: int, reserved: int) -> Moves:
    yield MeterMove(jackpot, casino, currency, refunded=minor - reserved)
    if reserved:
        yield MeterMove(reserve_of(jackpot), casino, currency, refunded=reserved)


def _taken_back(event: StakeUndone | PlayerLeft) -> Moves:
    for back in event.stakes:
        if event.jackpot is not None and back.bet == "jackpot" and back.borne_by == "pool":
            yield from _refunded(
                event.jackpot, back.casino, back.stake.currency, back.contribution, back.reserved
            )


def _requested(event: CancellationRequested) -> Moves:
    return _withdrawn(event.jackpot, event.withdrawals)


def _withdrawn(jackpot: str | None, marks: Iterable[Withdrawal]) -> Moves:
    for mark in marks:
        if jackpot is not None and mark.borne_by == "pool":
            yield from _refunded(jackpot, mark.casino, mark.currency, mark.contribution, mark.reserved)


def _fixed_drawn(event: FixedPrizesDrawn) -> Moves:
    for prize in event.prizes:
        yield MeterMove(event.jackpot, prize.casino, prize.amount.currency, paid_out=prize.amount.minor)


def _hit(event: JackpotHit) -> Moves:
    for bucket in event.buckets:
        yield MeterMove(event.jackpot, bucket.casino, bucket.currency, paid_out=bucket.taken)


def _hit_reversed(event: JackpotHitReversed) -> Moves:
    """What the hit took is in the running pool again; what the pool it began had begun with was taken out."""
    for bucket in event.buckets:
        yield MeterMove(event.jackpot, bucket.casino, bucket.currency, paid_out=-bucket.taken)
    if event.seed is not None:
        yield MeterMove(event.jackpot, SEED, event.seed.currency, refunded=event.seed.minor)
    yield from _into_pool(event.jackpot, event.to_reserve, -1)


def _prizes_returned(event: FixedPrizesReturned) -> Moves:
    for prize in event.prizes:
        yield MeterMove(event.jackpot, prize.casino, prize.amount.currency, paid_out=-prize.amount.minor)


def _reversed(event: RoundReversed) -> Moves:
    return _withdrawn(event.jackpot, event.contributions)


def _corrected(event: RoundCorrected) -> Moves:
    for again in event.stakes:
        if event.jackpot is not None and again.bet == "jackpot" and again.borne_by == "pool":
            currency = again.stake.currency
            yield from _contributed(event.jackpot, again.casino, currency, again.contribution, again.reserved)


_MOVES: dict[type[Event], Callable[[Any], Moves]] = {
    JackpotSeeded: _seeded,
    JackpotMarked: _marked,
    BlindPlaced: _blind,
    StakeUndone: _taken_back,
    PlayerLeft: _taken_back,
    CancellationRequested: _requested,
    FixedPrizesDrawn: _fixed_drawn,
    JackpotHit: _hit,
    JackpotHitReversed: _hit_reversed,
    FixedPrizesReturned: _prizes_returned,
    RoundReversed: _reversed,
    RoundCorrected: _corrected,
}

METERED: tuple[type[Event], ...] = tuple(_MOVES)
"""The kinds of facts that touch a meter."""
