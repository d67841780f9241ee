"""What may be asked, and which roles may: one table. Where they may is a matter of casinos, and of the endpoint."""

from collections.abc import Mapping
from enum import StrEnum

from backoffice.domain.staff import Role


class Right(StrEnum):
    """Something that can be demanded of who is asking."""

    SEND_ACTIONS = "send actions"
    READ_BOOKS = "read rounds, players, balances, ledger, meters and cases"
    READ_REPORTS = "read reports, dispute packs and what was produced for authorities"
    READ_SUSPICIONS = "read of players who may launder money"
    READ_EVENTS = "follow the log's events"
    READ_EVIDENCE = "read significant events"
    READ_STATE = "read how the program stands"
    CANCEL_ROUNDS = "cancel rounds, and ask for reversals and corrections"
    DECIDE_CASES = "open, propose, approve and refuse"
    MOVE_MONEY = "deposit, withdraw and settle debts out of wallets"
    WRITE_OFF = "ask for debts to be written off"
    SET_RATES = "set rates"
    CLOSE_DAYS = "close gaming days"
    CHANGE_NETWORK = "change casinos, tables, jackpots and limits"


_AUDITOR, _CASHIER, _SHIFT = Role.AUDITOR, Role.CASHIER, Role.SHIFT_MANAGER
_COMPLIANCE, _ACCOUNTANT, _ADMINISTRATOR = Role.COMPLIANCE, Role.ACCOUNTANT, Role.ADMINISTRATOR
_PEOPLE = (_ADMINISTRATOR, _COMPLIANCE, _SHIFT, _ACCOUNTANT, _CASHIER, _AUDITOR)

HOLDERS: Mapping[Right, tuple[Role, ...]] = {
    Right.SEND_ACTIONS: (Role.TABLE_FEED,),
    Right.READ_BOOKS: _PEOPLE,
    Right.READ_REPORTS: _PEOPLE,
    # Not for those who deal with the player: nobody may be tipped off (directive (EU) 2015/849, article 39).
    Right.READ_SUSPICIONS: (_ADMINISTRATOR, _COMPLIANCE, _AUDITOR),
    Right.READ_EVENTS: (_ADMINISTRATOR, _COMPLIANCE, _ACCOUNTANT, _AUDITOR),
    Right.READ_EVIDENCE: (_ADMINISTRATOR, _COMPLIANCE, _SHIFT, _AUDITOR),
    Right.READ_STATE: _PEOPLE,
    Right.CANCEL_ROUNDS: (_ADMINISTRATOR, _COMPLIANCE, _SHIFT),
    Right.DECIDE_CASES: (_ADMINISTRATOR, _COMPLIANCE, _SHIFT),
    Right.MOVE_MONEY: (_SHIFT, _CASHIER),
    Right.WRITE_OFF: (_ADMINISTRATOR, _COMPLIANCE, _SHIFT),
    Right.SET_RATES: (_ADMINISTRATOR, _ACCOUNTANT),
    Right.CLOSE_DAYS: (_ADMINISTRATOR, _SHIFT, _ACCOUNTANT),
    Right.CHANGE_NETWORK: (_ADMINISTRATOR,),
}
"""Who holds a right. Somebody with several of these roles acts in the first of them."""

OPEN = frozenset({"/health/live", "/health/ready", "/problems/{name}", "/openapi.json"})
"""The paths that need no right: nothing of the house is told there."""
