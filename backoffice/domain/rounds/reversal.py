"""A settled round taken back: malfunction voids all pays and plays. The original facts stay as they are."""

from collections.abc import Mapping

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
    if state.phase in {Phase.CANCELLING, Phase.CANCELLED}:
        raise Refused("the round is cancelled already", "phase")
    if state.phase is not Phase.SETTLED:
        raise Refused("the round is not settled: it can simply be cancelled", "phase")


def reverse_round(state: HouseRound | PotRound, around: Surroundings) -> RoundReversed:
    """Every payout of the rules back to the house, every stake back to its player, each as it was taken.

    `around` is how things stand once the round's own hits are taken back: a mark's contribution comes out of the pool
    that holds it then; once another hit has paid it out it is the house's to bear.
    """
    check_reversible(state)
    settled = state.settled
    assert settled is not None  # a settled round knows what settled it
    if isinstance(settled, PotSettled):
        return RoundReversed(
            round=settled.round, lines=settled.lines, raked=settled.raked, number=settled.number + 1
        )
    assert isinstance(state, HouseRound)
    return RoundReversed(
        round=settled.round,
        lines=settled.lines,
        jackpot=state.opened.terms.jackpot,
        contributions=_contributions(state, settled, around),
        number=settled.number + 1,
    )


def shortfalls(net: Mapping[Wallet, int], around: Surroundings) -> tuple[Shortfall, ...]:
    """What each player cannot give: it becomes a debt to the player's casino.

    `net` is what a reversal, or a correction, with all its facts does to each wallet, in minor units.
    """
    return tuple(
        Shortfall(wallet.casino, wallet.player, Money(-left, wallet.currency))
        for wallet, moved in net.items()
        if (left := around.balance(wallet) + moved) < 0
    )


def _contributions(state: HouseRound, settled: RoundSettled, around: Surroundings) -> tuple[Withdrawal, ...]:
    return tuple(_withdrawal(state, line, around) for line in settled.lines if line.pooled)


def _withdrawal(state: HouseRound, line: Line, around: Surroundings) -> Withdrawal:
    mark = state.seats[line.seat].mark
    assert mark is not None  # what is pooled was marked
    bearer = around.bearer(mark.cycle, mark.reserved)
    return Withdrawal(line.seat, line.casino, line.currency, line.pooled, bearer, mark.reserved)
