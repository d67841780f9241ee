"""Deposits and withdrawals."""

from collections.abc import Callable, Mapping, Sequence

from backoffice.domain.event import Event, Refused
from backoffice.domain.staff import Role
from backoffice.domain.wallet.commands import Deposit, RepayDebt, WalletCommand
from backoffice.domain.wallet.events import DebtRepaid, MoneyDeposited, MoneyWithdrawn
from backoffice.kernel.currencies import BadAmount
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money

MAX_HELD_MINOR = 10**17
"""Up to where a wallet takes deposits; what is won on top of that can be counted still."""


def decide_wallet(
    command: WalletCommand,
    balance: Callable[[Wallet], int],
    currencies: Mapping[str, Sequence[str]],
    debts: Callable[[Wallet], Sequence[Money]] = lambda _: (),
) -> list[Event]:
    """Money in, or out as far as the balance goes; nothing goes out to who owes the casino.

    `currencies` are those each casino plays in.
    """
    if command.casino not in currencies:
        raise Refused(f"there is no casino {command.casino}", "casino")
    if command.currency not in currencies[command.casino]:
        raise Refused(f"{command.casino} does not play in {command.currency}", "currency")
    amount = _amount(command)
    wallet = Wallet(command.casino, command.player, command.currency)
    held = balance(wallet)
    if isinstance(command, Deposit):
        if held + amount.minor > MAX_HELD_MINOR:
            most = Money(MAX_HELD_MINOR, command.currency)
            raise Refused(f"{command.player}: would have more than {most}, the most a wallet takes", "amount")
        return [MoneyDeposited(casino=command.casino, player=command.player, amount=amount)]
    if owed := debts(wallet):
        owes = " and ".join(map(str, owed))
        raise Refused(f"{command.player}: owes {owes}, to be settled before money is taken out", "debt")
    if held < amount.minor:
        has = Money(held, command.currency)
        raise Refused(
            f"{command.player}: a withdrawal of {amount} is not covered by the balance of {has}", "cover"
        )
    return [MoneyWithdrawn(casino=command.casino, player=command.player, amount=amount)]


def repay_debt(command: RepayDebt, held: int, owed: int) -> list[Event]:
    """A debt paid from the wallet, as far as it is owed and the balance goes; both in minor units."""
    if command.by.role not in _CASHIERS or not command.by.works_at(command.casino):
        raise Refused(f"{command.by.name} takes no money at {command.casino}", "role")
    amount = _amount(command)
    if amount.minor > owed:
        raise Refused(f"{command.player} owes {Money(owed, command.currency)}, not {amount}", "debt")
    if amount.minor > held:
        has = Money(held, command.currency)
        raise Refused(f"{command.player}: {amount} is not covered by the balance of {has}", "cover")
    return [DebtRepaid(casino=command.casino, player=command.player, amount=amount)]


_CASHIERS = {Role.CASHIER, Role.SHIFT_MANAGER, Role.ADMINISTRATOR}


def _amount(command: WalletCommand) -> Money:
    try:
        amount = Money.parse(command.amount, command.currency)
    except BadAmount as bad:
        raise Refused(str(bad), "amount") from bad
    if not amount.minor:
        raise Refused("an amount is greater than zero", "amount")
    return amount
