"""Whose money: a wallet is a player of a casino in one currency. A player id is the casino's own pseudonym."""

from typing import NamedTuple


class Wallet(NamedTuple):
    """One player's money in one currency."""

    casino: str
    player: str
    currency: str
