"""What tables and jackpots play by, as the network file gives it: a round keeps its table's terms, a pool keeps its own."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

SEED = "-"
"""The casino under which a jackpot's seed stands among its buckets: the network's own money. No casino has this id."""

RESERVE = "reserve:"
"""Begins the name under which a jackpot's reserve has meters of its own. No jackpot's id begins so."""


def reserve_of(jackpot: str) -> str:
    """The name under which what passed a jackpot's ceiling is metered, kept for its next pool."""
    return RESERVE + jackpot


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


@dataclass(frozen=True, slots=True)
class ChipTerms:
    """What a mark costs in one currency and how much of it feeds the pool, in minor units."""

    stake: int
    pool: int


@dataclass(frozen=True, slots=True)
class JackpotTerms:
    """The parameters of a jackpot. They hold for a whole pool: a change counts from the next one on."""

    currency: str
    """The network's base currency, in which the seed is kept and the pool is worth something."""
    seed: int
    chip: Mapping[str, ChipTerms]
    fixed_prizes: Literal["house", "pool"] = "house"
    split: Literal["equal", "by_stake"] = "equal"
    ceiling: int | None = None
    """Up to where marks fill the pool, in the base currency; what would pass it goes to the reserve."""
    verify_over: int | None = None
    """A share above this, in the base currency, is held until a second person confirms it."""


@dataclass(frozen=True, slots=True)
class ApprovalTerms:
    """How proposals are approved: how long one stands, and what a role may approve alone, in minor units by currency.

    A role without limits may approve any sum; a currency a limited role has none for needs a third person.
    """

    expires_seconds: int = 72 * 3600
    limits: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
