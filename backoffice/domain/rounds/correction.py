"""A reversed round settled anew with the cards as they really were. Stakes and decisions stay as they are.

The round is put back to where it stood before its settling, stakes taken again, and the rules settle it as any other:
with the pool and the rates as they are now.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from backoffice.domain.claims import CorrectedCards
from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import RoundCorrected, RoundReversed, TakenBack
from backoffice.domain.rounds.house_state import HouseRound
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import PotRound
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.kernel.cards import pretty, repeated
from backoffice.kernel.money import Money

Hands = Mapping[str, tuple[str, ...]]


def correct_round(
    state: HouseRound | PotRound, cards: CorrectedCards, around: Surroundings
) -> RoundCorrected:
    """The round as it stood before it was settled, with the right cards. Raises Refused for cards that cannot be."""
    if state.phase is not Phase.REVERSED or state.reversal is None:
        raise Refused("the round is not reversed: only a reversed round is settled anew", "phase")
    pool = around.pool
    corrected = RoundCorrected(
        round=state.opened.round,
        number=state.reversal.number,
        stakes=tuple(_taken_again(state.reversal)),
        hands=dict(_hands(_dealt(state), cards.hands)),
        jackpot=state.reversal.jackpot,
        cycle=0 if pool is None else pool.cycle,
    )
    if isinstance(state, HouseRound):
        return _with_dealer(corrected, state, cards)
    if cards.dealer is not None or cards.up is not None:
        raise Refused("Five Card Stud has no dealer's hand", "cards")
    _check_once(corrected.hands, ())
    return corrected


def _taken_again(reversal: RoundReversed) -> Iterable[TakenBack]:
    """Each stake as the reversal gave it back; a contribution goes back to who gave it."""
    given = {(mark.seat, "jackpot"): mark for mark in reversal.contributions}
    for line in reversal.lines:
        mark = given.get((line.seat, line.bet))
        yield TakenBack(
            seat=line.seat,
            casino=line.casino,
            player=line.player,
            bet=line.bet,
            stake=Money(line.stake, line.currency),
            contribution=mark.contribution if mark else 0,
            borne_by=mark.borne_by if mark else "pool",
            reserved=mark.reserved if mark else 0,
        )


def _dealt(state: HouseRound | PotRound) -> Hands:
    if isinstance(state, HouseRound):
        return state.hands or {}
    return {name: seat.down + seat.up for name, seat in state.seats.items()}


def _hands(dealt: Hands, corrected: Hands) -> Hands:
    for name, hand in corrected.items():
        if name not in dealt:
            raise Refused(f"seat {name}: was dealt no hand", "cards")
        if len(hand) != len(dealt[name]):
            raise Refused(f"seat {name}: was dealt {len(dealt[name])} cards, not {len(hand)}", "cards")
    return {**dealt, **corrected}


def _with_dealer(corrected: RoundCorrected, state: HouseRound, cards: CorrectedCards) -> RoundCorrected:
    dealer, up = cards.dealer or state.dealer, cards.up or state.up
    if len(dealer) != 5:
        raise Refused(f"the dealer shows {len(dealer)} cards instead of five", "cards")
    if up not in dealer:
        raise Refused(f"the dealer's open card {pretty([up])} is not among his five", "cards")
    _check_once(corrected.hands, [*dealer, *state.discarded])
    return replace(corrected, dealer=dealer, up=up)


def _check_once(hands: Hands, others: Iterable[str]) -> None:
    twice = repeated([*(card for hand in hands.values() for card in hand), *others])
    if twice:
        raise Refused(f"{pretty([twice])} is on the table twice: a dealing error", "cards")
