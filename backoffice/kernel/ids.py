"""Whose money: a wallet is a player of a casino in one currency. A player id is the casino's own pseudonym."""

from functools import lru_cache
from typing import NamedTuple


class Wallet(NamedTuple):
    """One player's money in one currency."""

    casino: str
    player: str
    currency: str


the_wallet = lru_cache(maxsize=8192)(Wallet)
"""A wallet by its parts. The same ones come again and again: looking one up is a third of the price of making it."""
