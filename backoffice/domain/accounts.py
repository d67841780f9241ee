"""The chart of accounts of the ledger, and in whose book each account stands.

An account is a name and a currency; a posting adds to it or takes from it. Read an account's balance as what it holds:
a player's is what the casino owes the player, a pool's what the pool has, the house's what the house has won.

`player:{casino}:{player}`  `stakes:{round}:{casino}`  `house:{casino}`  `cashier:{casino}`  `network`
`pool:{jackpot}:{casino}`  `reserve:{jackpot}:{casino}` (beyond a ceiling, for the next pool)
`seed:{jackpot}`  `exchange:{jackpot}`  `rounding:{jackpot}`
`compensation:{casino}`  `held:{casino}:{player}` (large wins to be confirmed)
`receivable:{casino}:{player}` (below zero by what a player owes since a reversal)
`settlement:{casino}` (what the casino owes the network) and `settlement:-:{casino}`, the same in the network's book
"""

from collections import Counter
from collections.abc import Callable, Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from backoffice.domain.terms import SEED
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money
from backoffice.kernel.values import packing


class Account(NamedTuple):
    """`kind` of the chart, and whose it is."""

    kind: str
    owner: str = ""
    holder: str = ""

    def __str__(self) -> str:
        return ":".join(part for part in self if part)


class Posting(NamedTuple):
    """`minor` units of `currency` onto an account, or off it when negative."""

    account: Account
    currency: str
    minor: int


Postings = Iterable[Posting]
NETWORK = Account("network")
NETWORK_BOOK = SEED
"""The network's own book among those of the casinos."""

_OF_THE_HOLDER = frozenset({"stakes", "pool", "reserve"})
_OF_THE_NETWORK = frozenset({"seed", "exchange", "rounding", "network"})


@lru_cache(maxsize=8192)
def book_of(account: Account) -> str:
    """The casino in whose book `account` stands; `-` for the network's own."""
    if account.kind in _OF_THE_HOLDER:
        return account.holder
    return NETWORK_BOOK if account.kind in _OF_THE_NETWORK else account.owner


@lru_cache(maxsize=8192)
def wallet_of(account: Account, currency: str) -> Wallet:
    """The wallet behind a player's account."""
    return Wallet(account.owner, account.holder, currency)


_account = lru_cache(maxsize=8192)(Account)
"""Accounts come again and again while a round is played: looking one up is a third of the price of making it."""
_posting = packing(Posting)


def player_posting(casino: str, player: str, currency: str, minor: int) -> Posting:
    """Onto a player's wallet."""
    return _posting((_account("player", casino, player), currency, minor))


def stakes_posting(round_id: str, casino: str, currency: str, minor: int) -> Posting:
    """Onto what a round holds of the players of one casino."""
    return _posting((_account("stakes", round_id, casino), currency, minor))


def house_posting(casino: str, currency: str, minor: int) -> Posting:
    """Onto what a casino's house has won."""
    return _posting((_account("house", casino), currency, minor))


def pool_posting(jackpot: str, casino: str, currency: str, minor: int) -> Posting:
    """Onto a casino's bucket of a pool."""
    return _posting((_account("pool", jackpot, casino), currency, minor))


def reserve_posting(jackpot: str, casino: str, currency: str, minor: int) -> Posting:
    """Onto what a casino's marks put in beyond a jackpot's ceiling, kept for its next pool."""
    return _posting((_account("reserve", jackpot, casino), currency, minor))


def move(source: Account, target: Account, money: Money) -> Postings:
    """From one account to another."""
    yield _posting((source, money.currency, -money.minor))
    yield _posting((target, money.currency, money.minor))


def across_books(post: Callable[[Any], Postings]) -> Callable[[Any], Postings]:
    """`post`, and what casinos and the network owe each other by it: so every book balances by itself."""

    def posted(event: object) -> Postings:
        between: Counter[tuple[str, str]] = Counter()
        for posting in post(event):
            between[book_of(posting.account), posting.currency] += posting.minor
            yield posting
        for (casino, currency), minor in between.items():
            if casino != NETWORK_BOOK:
                yield Posting(Account("settlement", casino), currency, -minor)
                yield Posting(Account("settlement", NETWORK_BOOK, casino), currency, minor)

    return posted
