"""What a table asks of a round: the feed's own objects (FORMAT.md), one class an action."""

from typing import Annotated, Literal

from pydantic import Field

from backoffice.domain.event import AmountText, Card, Command, CurrencyCode, Hand, Id, Omittable, Reason
from backoffice.kernel.values import value


@value
class RoundCommand(Command):
    """An action on a round."""

    round: Id


@value
class SeatCommand(RoundCommand):
    """An action on one seat of a round."""

    seat: Id


@value
class Open(RoundCommand):
    """Begin a round at a table; betting starts."""

    do: Literal["open"]
    table: Id
    number: Id
    dealer: Omittable[Id] = None
    shift: Omittable[Id] = None


@value
class Ante(SeatCommand):
    """Take a seat with an ante, or add to it."""

    do: Literal["ante"]
    casino: Id
    player: Id
    amount: AmountText
    currency: CurrencyCode


@value
class Bonus(SeatCommand):
    """Stake the 5+1 or the fixed Bonus."""

    do: Literal["bonus"]
    amount: AmountText


@value
class Mark(SeatCommand):
    """Mark the jackpot box with the seat's chip."""

    do: Literal["mark"]


@value
class Blind(SeatCommand):
    """Play a vacant box blind: ante, bet and, if marked, the chip at once."""

    do: Literal["blind"]
    by: Id
    amount: AmountText
    mark: bool


@value
class Undo(SeatCommand):
    """Take back a seat's newest stake or addition."""

    do: Literal["undo"]


@value
class Leave(SeatCommand):
    """The player left while betting is open."""

    do: Literal["leave"]


@value
class Close(RoundCommand):
    """No more bets."""

    do: Literal["close"]


@value
class Deal(RoundCommand):
    """Cards on the table: `hands` and the dealer's open card `up`, or one street of a pot game, `down` and `up`."""

    do: Literal["deal"]
    hands: Omittable[dict[Id, Hand]] = None
    street: Omittable[int] = None
    down: Omittable[dict[Id, Card]] = None
    up: Omittable[Card | dict[Id, Card]] = None


@value
class Exchange(SeatCommand):
    """Change one card for the fee."""

    do: Literal["exchange"]
    discard: Card
    draw: Card


@value
class Call(SeatCommand):
    """Play on: twice the ante against the dealer, or the bet to match in a pot game."""

    do: Literal["call"]


@value
class Fold(SeatCommand):
    """Give the hand up."""

    do: Literal["fold"]


@value
class Timeout(SeatCommand):
    """No decision in time."""

    do: Literal["timeout"]


@value
class Void(SeatCommand):
    """Declare a hand void for breaking the rules."""

    do: Literal["void"]
    reason: Reason


@value
class Reveal(RoundCommand):
    """The dealer's five cards."""

    do: Literal["reveal"]
    dealer: Hand


@value
class Announce(SeatCommand):
    """A jackpot hand announced aloud."""

    do: Literal["announce"]


@value
class Settle(RoundCommand):
    """Pay the round; `payouts` as the table paid them, by seat and bet, where it says so."""

    do: Literal["settle"]
    payouts: Omittable[dict[Id, dict[Id, AmountText]]] = None


@value
class Suspend(RoundCommand):
    """Stop the round for the supervisor."""

    do: Literal["suspend"]
    reason: Reason


@value
class Resume(RoundCommand):
    """Go on as if nothing had happened."""

    do: Literal["resume"]
    reason: Reason


@value
class Cancel(RoundCommand):
    """Ask for the cancellation of an unsettled round."""

    do: Literal["cancel"]
    reason: Reason


@value
class Sit(SeatCommand):
    """Take a seat of a pot game with a stack from the wallet; the seat is its place left of the dealer."""

    do: Literal["sit"]
    casino: Id
    player: Id
    currency: CurrencyCode
    stack: AmountText


@value
class Post(SeatCommand):
    """Post the ante of a pot game."""

    do: Literal["post"]


@value
class BringIn(SeatCommand):
    """Post the bring-in."""

    do: Literal["bring_in"]


@value
class Complete(SeatCommand):
    """Complete the bring-in to one small bet."""

    do: Literal["complete"]


@value
class Check(SeatCommand):
    """Stay in without a bet."""

    do: Literal["check"]


@value
class Bet(SeatCommand):
    """Open the betting of a street."""

    do: Literal["bet"]
    units: Annotated[int, Field(ge=1, le=2)] = 1


@value
class Raise(SeatCommand):
    """Raise the bet."""

    do: Literal["raise"]
    units: Annotated[int, Field(ge=1, le=2)] = 1


@value
class Show(SeatCommand):
    """Show the hand at the showdown."""

    do: Literal["show"]


@value
class Muck(SeatCommand):
    """Throw the hand away unseen."""

    do: Literal["muck"]


TableAction = (
    Open
    | Ante
    | Bonus
    | Mark
    | Blind
    | Undo
    | Leave
    | Close
    | Deal
    | Exchange
    | Call
    | Fold
    | Timeout
    | Void
    | Reveal
    | Announce
    | Settle
    | Suspend
    | Resume
    | Cancel
    | Sit
    | Post
    | BringIn
    | Complete
    | Check
    | Bet
    | Raise
    | Show
    | Muck
)
"""Everything a table can do to a round."""


@value
class Refund(RoundCommand):
    """Carry out a requested cancellation: give every stake back. Asked by the reaction to the request."""

    round: str
    """As the request has it."""
