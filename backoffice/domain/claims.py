"""What passes between the rooms: claims on a pool and what they are paid, what a round leaves a person to decide, and what
a person says of its cards."""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field

from backoffice.domain.event import Event
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money
from backoffice.rules.book import JackpotPrize


@dataclass(frozen=True, slots=True)
class Claim:
    """A marked hand that wins `prize`; `chip` is its mark's stake in minor units of the wallet's currency."""

    seat: str
    wallet: Wallet
    chip: int
    prize: JackpotPrize


@dataclass(slots=True)
class Award:
    """What claims are paid, by seat, in minor units of each winner's currency, and the jackpot's own facts about it.

    `from_pool` names the seats whose prize those facts pay; the others are paid by the round.
    """

    prizes: dict[str, int] = field(default_factory=dict)
    from_pool: AbstractSet[str] = frozenset()
    facts: list[Event] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Entitlement:
    """A hand of a cancelled round that would have won from the jackpot table, and what: a person decides about it."""

    seat: str
    casino: str
    player: str
    hand: str
    cards: tuple[str, ...]
    suggested: Money


@dataclass(frozen=True, slots=True)
class Discrepancy:
    """A payout that the table claims and the rules do not give."""

    seat: str
    casino: str
    player: str
    bet: str
    claimed: Money
    due: Money


@dataclass(frozen=True, slots=True)
class CorrectedCards:
    """The cards of a round as they really were: `hands` by seat, the dealer's five, his open card; unnamed ones stay."""

    hands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    dealer: tuple[str, ...] | None = None
    up: str | None = None
