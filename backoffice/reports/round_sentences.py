"""The facts of a round in words: one entry for each kind of fact."""

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from typing import Any

from backoffice.domain.event import Event
from backoffice.domain.rounds import events as rounds
from backoffice.kernel.cards import pretty
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.money import Money


def counted(number: int, what: str) -> str:
    """`1 bet`, `2 bets`."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def when(moment: datetime | str) -> str:
    """A moment, or one in ISO 8601, for a person to read, to the thousandth of a second: `2026-03-01 20:15:00.125 UTC`."""
    at = datetime.fromisoformat(moment) if isinstance(moment, str) else moment
    return at.astimezone(UTC).replace(tzinfo=None).isoformat(" ", "milliseconds") + " UTC"


def _marked(event: rounds.JackpotMarked) -> str:
    part = format_minor(event.contribution, event.stake.currency)
    over = format_minor(event.reserved, event.stake.currency)
    reserve = f", {over} of that for the reserve" if event.reserved else ""
    return f"marks jackpot {event.jackpot} with a chip of {event.stake}, {part} of it for the pool{reserve}"


def _blind(event: rounds.BlindPlaced) -> str:
    call = Money(event.call, event.stake.currency)
    chip = f" and a chip of {Money(event.chip, event.stake.currency)}" if event.chip else ""
    return f"is played blind by seat {event.by}: an ante of {event.stake}, a bet of {call}{chip}"


def _exchanged(event: rounds.CardExchanged) -> str:
    return f"changes {pretty([event.discard])} for {pretty([event.draw])}, for a fee of {event.stake}"


def _folded(event: rounds.HandFolded) -> str:
    why = f" ({event.reason})" if event.reason else ""
    return f"{'AUTO FOLD' if event.automatic else 'folds'}{why}"


def _taken_back(stakes: Iterable[rounds.TakenBack]) -> str:
    return ", ".join(f"{back.bet} {back.stake}" for back in stakes)


def _dealt(event: rounds.HandsDealt) -> str:
    hands = "; ".join(f"{name}: {pretty(cards)}" for name, cards in event.hands.items())
    return f"dealt {hands}; the dealer shows {pretty([event.up])}"


def _street(event: rounds.StreetDealt) -> str:
    hidden = [f"{seat}: ({pretty([card])})" for seat, card in event.down.items()]
    shown = [f"{seat}: {pretty([card])}" for seat, card in event.up.items()]
    return f"street {event.street} dealt {'; '.join(hidden + shown)}"


def _settled(event: rounds.RoundSettled | rounds.PotSettled) -> str:
    differing = len(event.discrepancies)
    claims = f"; the table says it paid otherwise in {counted(differing, 'place')}" if differing else ""
    return f"settled, {counted(len(event.lines), 'bet')}{claims}"


def _cancelling(event: rounds.CancellationRequested) -> str:
    marks = f"; {counted(len(event.withdrawals), 'mark')} out of the jackpot" if event.withdrawals else ""
    return f"cancellation requested: {event.reason}{marks}"


def _reversed(event: rounds.RoundReversed) -> str:
    return f"taken back after settling, {counted(len(event.lines), 'bet')}{_owing(event.shortfalls)}"


def _corrected(event: rounds.RoundCorrected) -> str:
    """All the cards as they are now, whichever were corrected."""
    dealer = f"; the dealer holds {pretty(event.dealer)}, {pretty([event.up])} open" if event.dealer else ""
    hands = "; ".join(f"{name}: {pretty(cards)}" for name, cards in event.hands.items())
    taken = counted(len(event.stakes), "stake")
    return f"to be settled anew with {hands}{dealer}; {taken} taken again{_owing(event.shortfalls)}"


def _owing(shortfalls: Iterable[rounds.Shortfall]) -> str:
    return "".join(f"; {short.player} of {short.casino} owes {short.amount}" for short in shortfalls)


def _by_itself(verb: str, automatic: str) -> Callable[[Any], str]:
    return lambda event: automatic if event.automatic else verb


CHIP_VERBS: Mapping[type[Event], Callable[[Any], str]] = {
    rounds.AntePosted: lambda _: "posts an ante of",
    rounds.BetCalled: lambda _: "calls with",
    rounds.BetCompleted: lambda _: "completes the bet with",
    rounds.BetMade: lambda _: "bets",
    rounds.BetRaised: lambda _: "raises with",
    rounds.BringInPosted: _by_itself("posts the bring-in of", "AUTO BRING-IN of"),
}
"""What a seat does with its chips; the amount follows."""

SEAT_SENTENCES: Mapping[type[Event], Callable[[Any], str]] = {
    rounds.AntePlaced: lambda event: f"places an ante of {event.stake}",
    rounds.BlindPlaced: _blind,
    rounds.BonusPlaced: lambda event: f"places a Bonus of {event.stake}",
    rounds.CardExchanged: _exchanged,
    rounds.HandAnnounced: lambda _: "announces a jackpot hand",
    rounds.HandCalled: lambda event: f"{'AUTO CALL' if event.automatic else 'calls'} with {event.stake}",
    rounds.HandFolded: _folded,
    rounds.HandMucked: lambda _: "mucks",
    rounds.HandShown: lambda event: f"{'AUTO SHOW' if event.automatic else 'shows'} {pretty(event.cards)}",
    rounds.HandVoided: lambda event: f"holds a void hand: {event.reason}",
    rounds.JackpotMarked: _marked,
    rounds.PlayerLeft: lambda event: f"left; {_taken_back(event.stakes)} went back",
    rounds.SeatChecked: _by_itself("checks", "AUTO CHECK"),
    rounds.SeatTaken: lambda event: f"sits down with {event.stack}",
    rounds.StakeUndone: lambda event: f"takes back {_taken_back(event.stakes)}",
}
"""What a seat does; who it is comes before."""

ROUND_SENTENCES: Mapping[type[Event], Callable[[Any], str]] = {
    rounds.BettingClosed: lambda _: "betting is closed",
    rounds.CancellationRequested: _cancelling,
    rounds.DealerRevealed: lambda event: f"the dealer holds {pretty(event.dealer)}",
    rounds.HandsDealt: _dealt,
    rounds.PotSettled: _settled,
    rounds.RoundCancelled: lambda event: f"cancelled, {counted(len(event.lines), 'bet')} refunded",
    rounds.RoundCorrected: _corrected,
    rounds.RoundOpened: lambda event: (
        f"round {event.number} opens at table {event.table} under {event.terms.ruleset}"
    ),
    rounds.RoundResumed: lambda event: f"resumed: {event.reason}",
    rounds.RoundReversed: _reversed,
    rounds.RoundSettled: _settled,
    rounds.RoundSuspended: lambda event: f"suspended: {event.reason}",
    rounds.StreetDealt: _street,
}
