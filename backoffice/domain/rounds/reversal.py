"""A settled round taken back: malfunction voids all pays and plays. The original facts stay as they are."""

from collections.abc import Mapping
from dataclasses import replace

from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import (
    Line,
    PotSettled,
    RoundReversed,
    RoundSettled,
    Shortfall,
    Withdrawal,
)
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import PotRound
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


def check_reversible(state: HouseRound | PotRound) -> None:
    """Raises Refused unless the round is settled, and not reversed yet."""
    if state.phase is Phase.REVERSED:
        raise Refused("the round is reversed already", "phase")
    if state.phase is not Phase.SETTLED:
        raise Refused("the round is not settled: it can simply be cancelled", "phase")


def reverse_round(state: HouseRound | PotRound, around: Surroundings, *, hit_reversed: bool) -> RoundReversed:
    """Every payout of the rules back to the house, every stake back to its player, each as it was taken.

    A mark's contribution comes out of the pool it went to, which runs again where its own hit is reversed with it
    (`hit_reversed`); once another hit has paid that pool out it is the house's to bear.
    """
    check_reversible(state)
    settled = state.settled
    assert settled is not None  # a settled round knows what settled it
    if isinstance(settled, PotSettled):
        return RoundReversed(round=settled.round, lines=settled.lines, raked=settled.raked)
    assert isinstance(state, HouseRound)
    return RoundReversed(
        round=settled.round,
        lines=settled.lines,
        jackpot=state.opened.terms.jackpot,
        contributions=_contributions(state, settled, around, hit_reversed=hit_reversed),
    )


def with_shortfalls(
    reversed_round: RoundReversed, net: Mapping[Wallet, int], around: Surroundings
) -> RoundReversed:
    """The reversal, with what each player can no longer give back: it becomes a debt to the player's casino.

    `net` is what the reversal with all its facts does to each wallet, in minor units.
    """
    shortfalls = tuple(
        Shortfall(wallet.casino, wallet.player, Money(-left, wallet.currency))
        for wallet, moved in net.items()
        if moved < 0 and (left := around.balance(wallet) + moved) < 0
    )
    return reversed_round.model_copy(update={"shortfalls": shortfalls})


def _contributions(
    state: HouseRound, settled: RoundSettled, around: Surroundings, *, hit_reversed: bool
) -> tuple[Withdrawal, ...]:
    return tuple(
        _withdrawal(state, line, around, hit_reversed=hit_reversed) for line in settled.lines if line.pooled
    )


def _withdrawal(state: HouseRound, line: Line, around: Surroundings, *, hit_reversed: bool) -> Withdrawal:
    mark = state.seats[line.seat].mark
    assert mark is not None  # what is pooled was marked
    withdrawal = Withdrawal(line.seat, line.casino, line.currency, line.pooled, around.bearer(mark.cycle))
    return replace(withdrawal, borne_by="pool") if hit_reversed else withdrawal
