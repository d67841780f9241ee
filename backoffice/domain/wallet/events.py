"""What became true of a wallet at the cashier."""

from backoffice.domain.event import Event
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money
from backoffice.kernel.values import value


@value
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


@value
class MoneyDeposited(WalletEvent):
    """A player brought money in."""

    type_name = "wallet.money_deposited"


@value
class MoneyWithdrawn(WalletEvent):
    """A player took money out."""

    type_name = "wallet.money_withdrawn"


@value
class DebtRepaid(WalletEvent):
    """A player paid (part of) a debt from a reversed round out of the wallet."""

    type_name = "wallet.debt_repaid"
