"""A fact in words, as a shift manager would tell it."""

from collections.abc import Iterable

from backoffice.domain.cases.events import CompensationOpened, DisputeOpened
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesDrawn, JackpotHit, JackpotSeeded
from backoffice.domain.rounds import events as rounds
from backoffice.kernel.cards import pretty
from backoffice.kernel.currencies import format_minor
from backoffice.kernel.money import Money


def sentence(event: Event) -> str:
    """What `event` says, in one sentence. An event of another room is told by its name."""
    match event:
        case rounds.StakeTaken():
            return f"seat {event.seat} ({event.player} of {event.casino}) {_stake(event)}"
        case rounds.ChipsPut():
            return f"seat {event.seat} {_chips(event)}"
        case rounds.SeatEvent():
            return f"seat {event.seat} {_seat(event)}"
        case rounds.RoundEvent():
            return _round(event)
        case JackpotHit() | FixedPrizesDrawn() | JackpotSeeded():
            return _jackpot(event)
        case CompensationOpened():
            return f"case {event.case}: {event.hand} at seat {event.seat}, {event.suggested} suggested as compensation"
        case DisputeOpened():
            return f"case {event.case}: the table claims {event.claimed} for the {event.bet}, the rules pay {event.due}"
        case _:
            return event.type_name


def _stake(event: rounds.StakeTaken) -> str:
    match event:
        case rounds.AntePlaced():
            return f"places an ante of {event.stake}"
        case rounds.BonusPlaced():
            return f"places a Bonus of {event.stake}"
        case rounds.JackpotMarked():
            part = format_minor(event.contribution, event.stake.currency)
            return f"marks jackpot {event.jackpot} with a chip of {event.stake}, {part} of it for the pool"
        case rounds.BlindPlaced():
            marked = f" and a chip of {_minor(event.chip, event.stake)}" if event.chip else ""
            return (
                f"is played blind by seat {event.by}: an ante of {event.stake}, "
                f"a bet of {_minor(event.call, event.stake)}{marked}"
            )
        case rounds.CardExchanged():
            return f"changes {pretty([event.discard])} for {pretty([event.draw])}, for a fee of {event.stake}"
        case rounds.HandCalled():
            return f"AUTO CALL with {event.stake}" if event.automatic else f"calls with {event.stake}"
        case _:
            return f"stakes {event.stake}"


def _chips(event: rounds.ChipsPut) -> str:
    verb = {
        rounds.AntePosted: "posts an ante",
        rounds.BringInPosted: "posts the bring-in",
        rounds.BetCompleted: "completes the bet",
        rounds.BetMade: "bets",
        rounds.BetCalled: "calls",
        rounds.BetRaised: "raises",
    }[type(event)]
    return f"{verb}: {event.amount} minor units{', all-in' if event.all_in else ''}"


def _seat(event: rounds.SeatEvent) -> str:
    match event:
        case rounds.StakeUndone():
            return f"takes back {_taken_back(event.stakes)}"
        case rounds.PlayerLeft():
            return f"left; {_taken_back(event.stakes)} went back"
        case rounds.HandFolded():
            why = f" ({event.reason})" if event.reason else ""
            return f"{'AUTO FOLD' if event.automatic else 'folds'}{why}"
        case rounds.HandVoided():
            return f"holds a void hand: {event.reason}"
        case rounds.HandAnnounced():
            return "announces a jackpot hand"
        case rounds.SeatTaken():
            return f"({event.player} of {event.casino}) sits down with {event.stack}"
        case rounds.SeatChecked():
            return "AUTO CHECK" if event.automatic else "checks"
        case rounds.HandShown():
            return f"shows {pretty(event.cards)}"
        case rounds.HandMucked():
            return "mucks"
        case _:
            return event.type_name


def _taken_back(stakes: Iterable[rounds.TakenBack]) -> str:
    return ", ".join(f"{back.bet} {back.stake}" for back in stakes)


def _round(event: rounds.RoundEvent) -> str:
    match event:
        case rounds.RoundOpened():
            return f"round {event.number} opens at table {event.table} under {event.terms.ruleset}"
        case rounds.BettingClosed():
            return "betting is closed"
        case rounds.HandsDealt():
            hands = "; ".join(f"{name}: {pretty(cards)}" for name, cards in event.hands.items())
            return f"dealt {hands}; the dealer shows {pretty([event.up])}"
        case rounds.StreetDealt():
            cards = [f"{seat}: {pretty([card])}" for seat, card in event.up.items()]
            hidden = [f"{seat}: ({pretty([card])})" for seat, card in event.down.items()]
            return f"street {event.street} dealt {'; '.join(hidden + cards)}"
        case rounds.DealerRevealed():
            return f"the dealer holds {pretty(event.dealer)}"
        case rounds.RoundSuspended():
            return f"suspended: {event.reason}"
        case rounds.RoundResumed():
            return f"resumed: {event.reason}"
        case rounds.CancellationRequested():
            return f"cancellation requested: {event.reason}"
        case rounds.RoundSettled() | rounds.PotSettled():
            return f"settled, {len(event.lines)} bets{_differences(event)}"
        case rounds.RoundCancelled():
            return f"cancelled, {len(event.lines)} bets refunded"
        case _:
            return event.type_name


def _differences(event: rounds.RoundSettled | rounds.PotSettled) -> str:
    if not event.discrepancies:
        return ""
    return f", {len(event.discrepancies)} payouts as the table claims them differ"


def _jackpot(event: JackpotHit | FixedPrizesDrawn | JackpotSeeded) -> str:
    match event:
        case JackpotHit():
            pool, amount = Money(event.pool, event.base), Money(event.amount, event.base)
            return f"jackpot {event.jackpot} is hit: {event.percent}% of {pool}, {amount}, in {len(event.shares)} shares"
        case FixedPrizesDrawn():
            return f"jackpot {event.jackpot} pays {len(event.prizes)} fixed prizes"
        case JackpotSeeded():
            return f"pool {event.cycle} of jackpot {event.jackpot} begins with a seed of {event.seed}"


def _minor(minor: int, like: Money) -> Money:
    return Money(minor, like.currency)
