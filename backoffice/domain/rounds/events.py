"""What became true of a round. Amounts are of the seat's own currency, in minor units."""

from dataclasses import dataclass
from typing import Literal

from backoffice.domain.claims import Discrepancy, Entitlement
from backoffice.domain.event import Event
from backoffice.domain.terms import TableTerms
from backoffice.kernel.ids import Wallet, the_wallet
from backoffice.kernel.money import Money
from backoffice.kernel.values import value
from backoffice.rules.settlement import Bet, Result

Bearer = Literal["pool", "house"]
"""Who gives a contribution back: the pool it went to, with its reserve, or the house once that pool has been paid out."""


@value
class TakenBack:
    """One stake given back while betting is open, or taken again for a correction.

    `contribution` is the part of it that had gone to the jackpot, `reserved` what of that had gone to the reserve.
    """

    seat: str
    casino: str
    player: str
    bet: Bet
    stake: Money
    contribution: int = 0
    borne_by: Bearer = "pool"
    reserved: int = 0


@value
class Withdrawal:
    """A mark's contribution leaving the jackpot because its round is cancelled or reversed; `reserved` of it the reserve."""

    seat: str
    casino: str
    currency: str
    contribution: int
    borne_by: Bearer
    reserved: int = 0


@value
class Line:
    """One bet as it was settled or refunded. `pooled` is the part of the stake that had gone to the jackpot."""

    seat: str
    casino: str
    player: str
    currency: str
    bet: Bet
    stake: int
    result: Result
    payout: int
    rule: str
    odds: int | None = None
    cut: int = 0
    pooled: int = 0
    paid_by: Bearer = "house"

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return the_wallet(self.casino, self.player, self.currency)


@value
class StackReturned:
    """What was left of a stack, going back to its player's wallet."""

    seat: str
    casino: str
    player: str
    amount: Money


@value
class Raked:
    """The house's part of a pot, booked to the house of the casino whose player won it."""

    casino: str
    amount: Money


@value
class Shortfall:
    """What a player cannot give back because it is spent: from now on a debt to the player's casino."""

    casino: str
    player: str
    amount: Money

    @property
    def wallet(self) -> Wallet:
        """Whose debt it is."""
        return the_wallet(self.casino, self.player, self.amount.currency)


@dataclass(frozen=True, slots=True)
class RoundEvent(Event):
    """A fact of one round."""

    round: str

    @property
    def stream(self) -> str:
        """`round/{id}`."""
        return f"round/{self.round}"


@dataclass(frozen=True, slots=True)
class SeatEvent(RoundEvent):
    """A fact about one seat of a round."""

    seat: str


@dataclass(frozen=True, slots=True)
class StakeTaken(SeatEvent):
    """A stake taken from a player's wallet."""

    casino: str
    player: str
    stake: Money

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return the_wallet(self.casino, self.player, self.stake.currency)


@dataclass(frozen=True, slots=True)
class RoundOpened(RoundEvent):
    """A round began at a table, under the book and the limits of that moment."""

    type_name = "round.opened"
    table: str
    number: str
    terms: TableTerms
    dealer: str | None = None
    shift: str | None = None


@dataclass(frozen=True, slots=True)
class AntePlaced(StakeTaken):
    """A player took a seat with an ante, or added to it."""

    type_name = "round.ante_placed"


@dataclass(frozen=True, slots=True)
class BonusPlaced(StakeTaken):
    """A player staked the Bonus, or added to it."""

    type_name = "round.bonus_placed"


@dataclass(frozen=True, slots=True)
class JackpotMarked(StakeTaken):
    """A seat marked the jackpot box before the deal; its chip is taken and part of it joins the pool.

    Of that part `reserved` goes to the jackpot's reserve, because the pool is full.
    """

    type_name = "round.jackpot_marked"
    jackpot: str
    cycle: int
    contribution: int
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class BlindPlaced(StakeTaken):
    """A seated player plays a vacant box blind; `stake` is its ante, the call (and the chip) were taken with it."""

    type_name = "round.blind_placed"
    by: str
    call: int
    jackpot: str | None = None
    cycle: int = 0
    chip: int = 0
    contribution: int = 0
    reserved: int = 0


@dataclass(frozen=True, slots=True)
class StakeUndone(SeatEvent):
    """A seat's newest stake went back to its player."""

    type_name = "round.stake_undone"
    stakes: tuple[TakenBack, ...]
    jackpot: str | None = None


@dataclass(frozen=True, slots=True)
class PlayerLeft(SeatEvent):
    """A player left while betting was open; every stake of the seat and of its blind boxes went back."""

    type_name = "round.player_left"
    stakes: tuple[TakenBack, ...]
    jackpot: str | None = None


@dataclass(frozen=True, slots=True)
class BettingClosed(RoundEvent):
    """No more bets were taken."""

    type_name = "round.betting_closed"


@dataclass(frozen=True, slots=True)
class HandsDealt(RoundEvent):
    """Hands were dealt, one a box or one for all under `shared`, and the dealer showed a card."""

    type_name = "round.hands_dealt"
    hands: dict[str, tuple[str, ...]]
    up: str


@dataclass(frozen=True, slots=True)
class CardExchanged(StakeTaken):
    """A player changed one card for a fee (`stake`) and gave up the jackpot for that hand, which is `hand` now.

    Facts from before this was told have no `hand`.
    """

    type_name = "round.card_exchanged"
    discard: str
    draw: str
    hand: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandCalled(StakeTaken):
    """A player played on for the call, or the system did so on a time-out."""

    type_name = "round.hand_called"
    automatic: bool = False

    @property
    def decided_by_system(self) -> bool:
        """True for an AUTO CALL."""
        return self.automatic


@dataclass(frozen=True, slots=True)
class HandFolded(SeatEvent):
    """A player gave the hand up, or the system did so on a time-out."""

    type_name = "round.hand_folded"
    automatic: bool = False
    reason: str | None = None

    @property
    def decided_by_system(self) -> bool:
        """True for an AUTO FOLD."""
        return self.automatic


@dataclass(frozen=True, slots=True)
class HandVoided(SeatEvent):
    """A hand was declared void for breaking the rules."""

    type_name = "round.hand_voided"
    reason: str


@dataclass(frozen=True, slots=True)
class DealerRevealed(RoundEvent):
    """The dealer turned his five cards."""

    type_name = "round.dealer_revealed"
    dealer: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HandAnnounced(SeatEvent):
    """A player announced a jackpot hand before the cards were collected."""

    type_name = "round.hand_announced"


@dataclass(frozen=True, slots=True)
class RoundSettled(RoundEvent):
    """Every bet of the round was paid by the rules; a table's claims that differ are listed.

    `number` counts the results of a round: its reversal is the second one, its correction the third.
    """

    type_name = "round.settled"
    lines: tuple[Line, ...]
    discrepancies: tuple[Discrepancy, ...] = ()
    number: int = 1


@dataclass(frozen=True, slots=True)
class RoundSuspended(RoundEvent):
    """The round was stopped for the supervisor."""

    type_name = "round.suspended"
    reason: str


@dataclass(frozen=True, slots=True)
class RoundResumed(RoundEvent):
    """The round went on as if nothing had happened."""

    type_name = "round.resumed"
    reason: str


@dataclass(frozen=True, slots=True)
class CancellationRequested(RoundEvent):
    """The round is to be cancelled: it takes no more actions and its marks have left the jackpot."""

    type_name = "round.cancellation_requested"
    reason: str
    jackpot: str | None = None
    withdrawals: tuple[Withdrawal, ...] = ()
    entitlements: tuple[Entitlement, ...] = ()


@dataclass(frozen=True, slots=True)
class RoundCancelled(RoundEvent):
    """Every stake of a cancelled round went back to whoever placed it, all at once."""

    type_name = "round.cancelled"
    lines: tuple[Line, ...]
    stacks: tuple[StackReturned, ...] = ()


@dataclass(frozen=True, slots=True)
class SeatTaken(SeatEvent):
    """A player sat down in a pot game with a stack from the wallet."""

    type_name = "round.seat_taken"
    casino: str
    player: str
    stack: Money

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return the_wallet(self.casino, self.player, self.stack.currency)


@dataclass(frozen=True, slots=True)
class ChipsPut(SeatEvent):
    """A seat of a pot game put chips of its stack into the pot."""

    amount: int
    all_in: bool = False


@dataclass(frozen=True, slots=True)
class AntePosted(ChipsPut):
    """A seat posted its ante."""

    type_name = "round.ante_posted"


@dataclass(frozen=True, slots=True)
class StreetDealt(RoundEvent):
    """One street of a pot game was dealt."""

    type_name = "round.street_dealt"
    street: int
    down: dict[str, str]
    up: dict[str, str]


@dataclass(frozen=True, slots=True)
class BringInPosted(ChipsPut):
    """The seat with the lowest open card posted the bring-in, or the system did so on a time-out."""

    type_name = "round.bring_in_posted"
    automatic: bool = False

    @property
    def decided_by_system(self) -> bool:
        """True for an AUTO BRING-IN."""
        return self.automatic


@dataclass(frozen=True, slots=True)
class BetCompleted(ChipsPut):
    """A seat completed the bring-in to one small bet."""

    type_name = "round.bet_completed"


@dataclass(frozen=True, slots=True)
class SeatChecked(SeatEvent):
    """A seat stayed in without a bet, or the system did so on a time-out."""

    type_name = "round.seat_checked"
    automatic: bool = False

    @property
    def decided_by_system(self) -> bool:
        """True for an AUTO CHECK."""
        return self.automatic


@dataclass(frozen=True, slots=True)
class BetMade(ChipsPut):
    """A seat opened the betting of a street."""

    type_name = "round.bet_made"
    units: int = 1


@dataclass(frozen=True, slots=True)
class BetCalled(ChipsPut):
    """A seat matched the bet."""

    type_name = "round.bet_called"


@dataclass(frozen=True, slots=True)
class BetRaised(ChipsPut):
    """A seat raised the bet."""

    type_name = "round.bet_raised"
    units: int = 1


@dataclass(frozen=True, slots=True)
class HandShown(SeatEvent):
    """A hand was shown at the showdown, or the system did so on a time-out."""

    type_name = "round.hand_shown"
    cards: tuple[str, ...]
    automatic: bool = False

    @property
    def decided_by_system(self) -> bool:
        """True for an AUTO SHOW."""
        return self.automatic


@dataclass(frozen=True, slots=True)
class HandMucked(SeatEvent):
    """A hand was thrown away unseen; it cannot win."""

    type_name = "round.hand_mucked"


@dataclass(frozen=True, slots=True)
class PotSettled(RoundEvent):
    """The pot was paid out and every stack went back to its wallet. `number` counts the results of a round."""

    type_name = "round.pot_settled"
    lines: tuple[Line, ...]
    stacks: tuple[StackReturned, ...]
    raked: tuple[Raked, ...] = ()
    discrepancies: tuple[Discrepancy, ...] = ()
    number: int = 1


@dataclass(frozen=True, slots=True)
class RoundReversed(RoundEvent):
    """A settled round was taken back: `lines` and `raked` are those of its settlement, each undone as it was done.

    Stakes went back, payouts came back; shares and pool prizes are the jackpot's own facts. Contributions left the
    pool, or the house where the pool has been paid out since. What a player had spent is a debt now (`shortfalls`).
    `number` counts the results of a round.
    """

    type_name = "round.reversed"
    lines: tuple[Line, ...]
    jackpot: str | None = None
    contributions: tuple[Withdrawal, ...] = ()
    raked: tuple[Raked, ...] = ()
    shortfalls: tuple[Shortfall, ...] = ()
    number: int = 2

    @property
    def refunds(self) -> tuple[Line, ...]:
        """What each bet has come to: its stake is back."""
        return tuple(_refunded(line) for line in self.lines)


def _refunded(line: Line) -> Line:
    return Line(
        line.seat,
        line.casino,
        line.player,
        line.currency,
        line.bet,
        line.stake,
        "refund",
        line.stake,
        "the round was reversed",
    )


@dataclass(frozen=True, slots=True)
class RoundCorrected(RoundEvent):
    """A reversed round is to be settled anew: its cards as they really were, every stake taken again as it was.

    Contributions went to the running pool (number `cycle`), or to the house that had borne them. A game against the
    dealer has all its `hands`, `dealer` and `up`, a pot game the cards of each seat. What a player could not pay, with
    what the new result brings, is a debt now (`shortfalls`). `number` is that of the result it replaces.
    """

    type_name = "round.corrected"
    number: int
    stakes: tuple[TakenBack, ...]
    hands: dict[str, tuple[str, ...]]
    dealer: tuple[str, ...] = ()
    up: str = ""
    jackpot: str | None = None
    cycle: int = 0
    shortfalls: tuple[Shortfall, ...] = ()
