"""The pot paid out: a line for every seat that put chips in, and every stack back to its wallet.

Readings: each pot is raked by the table's percentage, rounded down, before it is split. The uncalled part is
in no pot and so not raked; a pot that everyone else folded is raked too. The rake is booked to the casinos of
the pot's winners, split as the pot is. An uncalled part coming back is a payout, but wins nothing; the last hand left
wins, also where nobody has matched a chip of it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence

from backoffice.domain.event import Event, Refused
from backoffice.domain.rounds.commands import Settle
from backoffice.domain.rounds.discrepancies import discrepancies
from backoffice.domain.rounds.events import Line, PotSettled, Raked
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import Hand, PotRound, Seat, stacks_left
from backoffice.kernel.hands import HandValue, hand_value
from backoffice.kernel.money import Money
from backoffice.rules.pots import Award, award, form_pots, uncalled


def settle_pot(state: PotRound, command: Settle) -> list[Event]:
    """The pot by the rules, whatever the table says it paid. Raises Refused while a hand is undecided."""
    _check_over(state)
    lines = _lines(state, awards := _awards(state))
    return [
        PotSettled(
            round=state.opened.round,
            lines=tuple(line for line in lines if line.stake),
            stacks=stacks_left(state),
            raked=_raked(state, awards),
            # A seat that put nothing in has no line, and yet a table may say that it was paid nothing.
            discrepancies=discrepancies(command.payouts, lines),
            number=state.result_number,
        )
    ]


def _check_over(state: PotRound) -> None:
    if state.phase is not Phase.SHOWDOWN:
        raise Refused("the pot is not settled before the last betting round is over", "phase")
    if state.to_act:
        raise Refused(f"seat {state.to_act[0]} has neither shown nor mucked", "showdown")


def _awards(state: PotRound) -> Sequence[Award]:
    put = {name: seat.put for name, seat in state.seats.items()}
    hands = _shown_hands(state)
    return [award(pot, hands, state.stud.rake_percent) for pot in form_pots(put, state.in_play)]


def _shown_hands(state: PotRound) -> Mapping[str, HandValue]:
    return {
        name: hand_value(seat.down + seat.up) for name, seat in state.seats.items() if seat.hand is Hand.SHOWN
    }


def _lines(state: PotRound, awards: Sequence[Award]) -> Sequence[Line]:
    back = uncalled({name: seat.put for name, seat in state.seats.items()})
    alone = len(state.in_play) == 1
    return [
        _line(name, seat, awards, back.get(name, 0), last=alone and seat.contends)
        for name, seat in state.seats.items()
    ]


def _line(name: str, seat: Seat, awards: Sequence[Award], back: int, *, last: bool) -> Line:
    won = sum(each.shares.get(name, 0) for each in awards)
    wins = last or any(name in each.shares for each in awards)
    reasons = _won(name, seat, awards) if wins else [_lost(seat)]
    if back:
        reasons.append("uncalled part returned")
    return Line(
        name, *seat.wallet, "pot", seat.put, "win" if wins else "lose", won + back, ", ".join(reasons)
    )


def _won(name: str, seat: Seat, awards: Sequence[Award]) -> list[str]:
    """`["two pairs takes the main pot", "two pairs splits side pot 1"]`; who, where there is no pot."""
    who = hand_value(seat.down + seat.up).category.words if seat.hand is Hand.SHOWN else "the last hand left"
    return [
        f"{who} {'takes' if len(each.shares) == 1 else 'splits'} {_pot_name(number)}"
        for number, each in enumerate(awards)
        if name in each.shares
    ] or [who]


def _pot_name(number: int) -> str:
    return f"side pot {number}" if number else "the main pot"


def _lost(seat: Seat) -> str:
    if seat.hand is Hand.SHOWN:
        return f"{hand_value(seat.down + seat.up).category.words} is beaten"
    return str(seat.hand)


def _raked(state: PotRound, awards: Sequence[Award]) -> tuple[Raked, ...]:
    by_casino: Counter[str] = Counter()
    for each in awards:
        for name, part in each.rake_from.items():
            by_casino[state.seats[name].wallet.casino] += part
    currency = state.stud.currency
    return tuple(
        Raked(casino, Money(minor, currency)) for casino, minor in sorted(by_casino.items()) if minor
    )
