"""What a table plays by: its book, limits and options, as the network file gives them and a round keeps them."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

Limits = tuple[int, int]
"""Smallest and largest total, in minor units."""


@dataclass(frozen=True, slots=True)
class StudTerms:
    """The stakes of a Five Card Stud table, in minor units of `currency`; the rake in percent as it was written."""

    currency: str
    small: int
    big: int
    ante: int
    bring_in: int
    rake_percent: str = "0"
    last_card: Literal["up", "down"] = "up"


@dataclass(frozen=True, slots=True)
class TableTerms:
    """The book a table runs and the table's own numbers; limits are by bet and currency."""

    ruleset: str
    casinos: tuple[str, ...]
    jackpot: str | None = None
    seats: int | None = None
    """Boxes at this table, where it has fewer than the book allows."""
    limits: Mapping[str, Mapping[str, Limits]] = field(default_factory=dict)
    """`ante`, `bonus` and `total`, each by currency."""
    max_payout: Mapping[str, int] = field(default_factory=dict)
    bonus_returns_stake: bool = False
    stud: StudTerms | None = None
