"""What a round's decision needs from outside the round: balances, currencies, and the jackpot its marks play for."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from backoffice.domain.claims import Award, Claim
from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import Bearer
from backoffice.domain.terms import ChipTerms
from backoffice.kernel.currencies import BadAmount, format_minor, parse_minor
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


class Pool(Protocol):
    """The running pool of one jackpot, as it stands now."""

    @property
    def jackpot(self) -> str:
        """The jackpot's id."""

    @property
    def cycle(self) -> int:
        """Counts the pools of this jackpot."""

    def holds(self, cycle: int, *, overflow: bool = False) -> bool:
        """Whether a contribution to pool number `cycle`, or its `overflow`, is still there; else it has been paid out."""

    def chip(self, currency: str) -> ChipTerms:
        """The chip in force. Raises Refused where the jackpot takes no marks in `currency`."""

    def overflow(self, casino: str, currency: str) -> int:
        """What of the next mark's part for the pool goes to the reserve, in minor units."""

    def award(self, round_id: str, claims: Sequence[Claim], number: int = 1) -> Award:
        """What `claims`, in the order their marks were recorded, are paid, and the facts that pay them.

        `number` is that of the round's result.
        """

    def worth(self, claims: Sequence[Claim]) -> Mapping[str, int]:
        """What `claims` would be paid if the round were settled now, by seat. Changes nothing."""


class Surroundings(NamedTuple):
    """Everything outside the round that a decision may look at."""

    balance: Callable[[Wallet], int]
    """What a wallet holds, in minor units."""
    currencies: Mapping[str, Sequence[str]]
    """The currencies each casino plays in."""
    running: Callable[[], Pool | None] = lambda: None
    """The pool that the round's marks play for; asked only where it matters, for most actions do not touch it."""
    debts: Callable[[Wallet], Sequence[Money]] = lambda _: ()
    """What a wallet's owner owes the casino, in whatever currency."""

    @property
    def pool(self) -> Pool | None:
        """The jackpot's running pool as it stands now; None at a table without one."""
        return self.running()

    def bearer(self, cycle: int, reserved: int) -> Bearer:
        """Who gives a contribution of `cycle` back: the pool that holds it, the house once it has been paid out."""
        pool = self.pool
        return "pool" if pool is not None and pool.holds(cycle, overflow=reserved > 0) else "house"


def amount_in(text: str, currency: str, who: str) -> int:
    """A positive amount in minor units. Raises Refused with the reason, beginning with `who`."""
    try:
        minor = parse_minor(text, currency)
    except BadAmount as bad:
        raise Refused(f"{who}: {bad}", "amount") from bad
    if not minor:
        raise Refused(f"{who}: an amount is greater than zero", "amount")
    return minor


def check_cover(around: Surroundings, wallet: Wallet, minor: int, who: str) -> None:
    """Raises Refused unless `wallet` holds `minor` units and its owner owes nothing."""
    if debts := around.debts(wallet):
        owes = " and ".join(map(str, debts))
        raise Refused(f"{who}: the player owes {owes}, to be settled before the next stake", "debt")
    held = around.balance(wallet)
    if held < minor:
        wanted = format_minor(minor, wallet.currency)
        has = format_minor(held, wallet.currency)
        raise Refused(f"{who}: {wanted} {wallet.currency} is not covered by the balance of {has}", "cover")


def check_player(around: Surroundings, casinos: Sequence[str], wallet: Wallet, who: str) -> None:
    """Raises Refused unless the wallet's casino plays at this table and in that currency."""
    if wallet.casino not in casinos:
        raise Refused(f"{who}: this table takes no players of {wallet.casino}", "casino")
    if wallet.currency not in around.currencies.get(wallet.casino, ()):
        raise Refused(f"{who}: {wallet.casino} does not play in {wallet.currency}", "currency")
