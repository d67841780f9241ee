"""What became true of a wallet at the cashier."""

from dataclasses import dataclass

from backoffice.domain.event import Event
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


@dataclass(frozen=True, slots=True)
class WalletEvent(Event):
    """Money moved between the cashier and a wallet."""

    casino: str
    player: str
    amount: Money

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return Wallet(self.casino, self.player, self.amount.currency)

    @property
    def stream(self) -> str:
        """`wallet/{casino}`: all that happened at one casino's cashier, in order."""
        return f"wallet/{self.casino}"


@dataclass(frozen=True, slots=True)
class MoneyDeposited(WalletEvent):
    """A player brought money in."""

    type_name = "wallet.money_deposited"


@dataclass(frozen=True, slots=True)
class MoneyWithdrawn(WalletEvent):
    """A player took money out."""

    type_name = "wallet.money_withdrawn"


@dataclass(frozen=True, slots=True)
class DebtRepaid(WalletEvent):
    """A player paid (part of) a debt from a reversed round out of the wallet."""

    type_name = "wallet.debt_repaid"
