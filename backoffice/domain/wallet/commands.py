"""What a cashier asks: the feed's own objects (FORMAT.md)."""

from typing import Literal

from backoffice.domain.event import AmountText, Command, CurrencyCode, Id
from backoffice.domain.staff import Person
from backoffice.kernel.values import value


@value
class WalletCommand(Command):
    """An action on one wallet."""

    casino: Id
    player: Id
    currency: CurrencyCode
    amount: AmountText


@value
class Deposit(WalletCommand):
    """Bring money in."""

    do: Literal["deposit"]


@value
class Withdraw(WalletCommand):
    """Take money out."""

    do: Literal["withdraw"]


@value
class RepayDebt(WalletCommand):
    """Pay a debt from a reversed round out of the wallet. Asked by a person, not by a table."""

    by: Person
