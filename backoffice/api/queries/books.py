"""`/v1/balances`, `/v1/debts` and `/v1/entries`: what wallets hold and owe, and the ledger of an account."""

from functools import partial
from typing import Annotated

from fastapi import APIRouter, Query

from backoffice.api.asking import demands
from backoffice.api.principals import Principal
from backoffice.api.queries.parameters import ANSWERS, TheAsked, TheScope, named
from backoffice.api.reading import TheReading
from backoffice.api.rights import Right
from backoffice.domain.accounts import Account
from backoffice.domain.event import PRINTABLE
from backoffice.projections.balances import BALANCES
from backoffice.projections.debts import DEBTS
from backoffice.projections.entries import ENTRIES
from backoffice.reports.queries.ledger import LedgerEntry, account_entries
from backoffice.reports.queries.paging import Page
from backoffice.reports.queries.wallets import Balance, Debt, read_balances, read_debts

router = APIRouter(tags=["books"])
Reader = Annotated[Principal, demands(Right.READ_BOOKS)]
Player = Annotated[str | None, named("p-1")]


@router.get("/v1/balances", responses=ANSWERS)
async def list_balances(
    _: Reader, reading: TheReading, scope: TheScope, asked: TheAsked, player: Player = None
) -> Page[Balance]:
    """List what wallets hold, by casino, player and currency."""
    return await reading.read(partial(read_balances, scope=scope, player=player, asked=asked), BALANCES)


@router.get("/v1/debts", responses=ANSWERS)
async def list_debts(
    _: Reader, reading: TheReading, scope: TheScope, asked: TheAsked, player: Player = None
) -> Page[Debt]:
    """List what players owe since a reversal, by casino, player and currency."""
    return await reading.read(partial(read_debts, scope=scope, player=player, asked=asked), DEBTS)


@router.get("/v1/entries", responses=ANSWERS)
async def list_entries(
    _: Reader,
    reading: TheReading,
    asked: TheAsked,
    kind: Annotated[
        str,
        Query(
            pattern="^[a-z]{1,32}$",
            description="By the chart of accounts: player, stakes, house, cashier, pool and so on.",
            examples=["player"],
        ),
    ],
    owner: Annotated[
        str,
        Query(
            max_length=64,
            pattern=PRINTABLE,
            description="Whose: mostly a casino, of stakes a round, of pools a jackpot.",
            examples=["tallinn"],
        ),
    ] = "",
    holder: Annotated[
        str,
        Query(
            max_length=64,
            pattern=PRINTABLE,
            description="Of whom there: a player, or of stakes and pools a casino.",
            examples=["p-1"],
        ),
    ] = "",
) -> Page[LedgerEntry]:
    """List an account's entries, oldest first."""
    account = Account(kind, owner, holder)
    return await reading.read(
        partial(account_entries, scope=reading.scope, account=account, asked=asked), ENTRIES
    )
