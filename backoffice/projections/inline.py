"""Balances and meters, which must never be wrong: written and read in the append's own transaction.

Whoever appends holds the head row's lock, so nobody else writes these rows and what is read is true.
"""

from collections.abc import Collection, Iterable, Mapping
from types import MappingProxyType

from sqlalchemy import Connection

from backoffice.domain.meters import MeterMove
from backoffice.kernel.ids import Wallet
from backoffice.log.statements import raw
from backoffice.projections.balances import balances as balances_table
from backoffice.projections.debts import debts as debts_table
from backoffice.projections.jackpot_meters import jackpot_meters, moved
from backoffice.projections.projection import SCHEMA
from backoffice.projections.statements import add_up

_ADD_BALANCES = add_up(balances_table, SCHEMA).encode()
_ADD_DEBTS = add_up(debts_table, SCHEMA).encode()
_ADD_METERS = add_up(jackpot_meters, SCHEMA).encode()
_BALANCES = b"""
    select casino, player, currency, balance_minor
    from unnest(%s::text[], %s::text[], %s::text[]) as asked (casino, player, currency)
    join read.balances using (casino, player, currency)
"""
_DEBTS = b"select casino, player, currency, owed_minor from read.debts where owed_minor <> 0"
_BUCKETS = b"select jackpot, casino, currency, balance_minor from read.jackpot_meters where jackpot = any(%s)"


def apply_inline(
    connection: Connection,
    balances: Mapping[Wallet, int],
    meters: Iterable[MeterMove] = (),
    debts: Mapping[Wallet, int] = MappingProxyType({}),
) -> None:
    """Write what one append moves, under its head lock: at most one statement a table.

    `balances` holds every wallet that was moved, with the sum in minor units, also where that sum is zero: a
    wallet that ever moved has a row. `meters` are the moves as they came; they are summed here.
    """
    for statement, moved_minor in ((_ADD_BALANCES, balances), (_ADD_DEBTS, debts)):
        if moved_minor:
            wallets = zip(*moved_minor, strict=True)
            raw(connection).execute(statement, [*map(list, wallets), list(moved_minor.values())])
    sums = _summed(meters)
    if sums:
        keys, amounts = zip(*sums, strict=True), zip(*sums.values(), strict=True)
        raw(connection).execute(_ADD_METERS, [*map(list, keys), *map(list, amounts)])


def balances_of(connection: Connection, wallets: Collection[Wallet]) -> dict[Wallet, int]:
    """What these wallets hold, in minor units; one that never moved is missing."""
    if not wallets:
        return {}
    rows = raw(connection).execute(_BALANCES, [list(part) for part in zip(*wallets, strict=True)])
    return {Wallet(casino, player, currency): minor for casino, player, currency, minor in rows}


def debts_owed(connection: Connection) -> dict[Wallet, int]:
    """What everybody owes who owes anything, in minor units."""
    rows = raw(connection).execute(_DEBTS)
    return {Wallet(casino, player, currency): minor for casino, player, currency, minor in rows}


def buckets_of(connection: Connection, jackpots: Collection[str]) -> dict[str, dict[tuple[str, str], int]]:
    """What the pools of these jackpots hold, by casino and currency; one that never moved is empty."""
    buckets: dict[str, dict[tuple[str, str], int]] = {jackpot: {} for jackpot in jackpots}
    if buckets:
        for jackpot, casino, currency, minor in raw(connection).execute(_BUCKETS, [list(buckets)]):
            buckets[jackpot][casino, currency] = minor
    return buckets


def _summed(meters: Iterable[MeterMove]) -> dict[tuple[str, ...], tuple[int, ...]]:
    sums: dict[tuple[str, ...], tuple[int, ...]] = {}
    for _, key, amounts in map(moved, meters):
        known = sums.get(key)
        sums[key] = amounts if known is None else tuple(map(int.__add__, known, amounts))
    return sums
