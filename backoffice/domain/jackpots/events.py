"""What became true of a jackpot."""

from dataclasses import dataclass, field

from backoffice.domain.event import Event
from backoffice.domain.terms import JackpotTerms
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money


@dataclass(frozen=True, slots=True)
class BucketTaken:
    """What a hit took of one bucket: `before` and `taken` in its own currency, `base` what `taken` is worth at `rate`."""

    casino: str
    currency: str
    before: int
    taken: int
    rate: str
    base: int


@dataclass(frozen=True, slots=True)
class BucketMoved:
    """What moved of one casino and currency between a jackpot's reserve and its pool, in minor units."""

    casino: str
    currency: str
    minor: int


@dataclass(frozen=True, slots=True)
class Share:
    """One winner's part of a hit: `share_base` of the base currency, converted at `rate` to `amount` of the player's."""

    seat: str
    casino: str
    player: str
    currency: str
    share_base: int
    rate: str
    amount: int
    held: bool = False
    """Whether it waits for a second person before it goes to the winner."""

    @property
    def wallet(self) -> Wallet:
        """Whose money it is."""
        return Wallet(self.casino, self.player, self.currency)


@dataclass(frozen=True, slots=True)
class PrizeDrawn:
    """A fixed prize paid by the pool, from the winner's own casino and currency bucket."""

    seat: str
    casino: str
    player: str
    amount: Money


@dataclass(frozen=True, slots=True)
class JackpotEvent(Event):
    """A fact of one jackpot."""

    jackpot: str

    @property
    def stream(self) -> str:
        """`jackpot/{id}`."""
        return f"jackpot/{self.jackpot}"


@dataclass(frozen=True, slots=True)
class JackpotDefined(JackpotEvent):
    """A jackpot came into being with its parameters; its first pool begins."""

    type_name = "jackpot.defined"
    terms: JackpotTerms


@dataclass(frozen=True, slots=True)
class JackpotTermsChanged(JackpotEvent):
    """New parameters were given; they count from the next pool on."""

    type_name = "jackpot.terms_changed"
    terms: JackpotTerms


@dataclass(frozen=True, slots=True)
class JackpotSeeded(JackpotEvent):
    """A pool began with the network's seed, and with what the reserve had for it up to the ceiling."""

    type_name = "jackpot.seeded"
    cycle: int
    seed: Money
    from_reserve: tuple[BucketMoved, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedPrizesDrawn(JackpotEvent):
    """Fixed prizes of one round were paid by the pool."""

    type_name = "jackpot.fixed_prizes_drawn"
    round: str
    cycle: int
    prizes: tuple[PrizeDrawn, ...]


@dataclass(frozen=True, slots=True)
class JackpotHit(JackpotEvent):
    """A percentage of the pool was won in a round and shared; a hundred percent empties every bucket.

    `pool` is what all buckets together were worth in the base currency, `amount` what of it was won; a pool below zero
    counts as zero, and `shortfall` is what the network then puts in to bring the buckets to zero. `rounding` is the
    difference of the conversions, in minor units of the base currency. `number` is that of the round's result.
    """

    type_name = "jackpot.hit"
    round: str
    cycle: int
    percent: int
    base: str
    pool: int
    amount: int
    buckets: tuple[BucketTaken, ...]
    shares: tuple[Share, ...]
    rounding: int
    shortfall: int = 0
    number: int = 1


@dataclass(frozen=True, slots=True)
class JackpotHitReversed(JackpotEvent):
    """A hit was taken back with its round: shares came back, what it took of the buckets is in the running pool again.

    A share marked as held had not gone to its winner yet. `seed` is what the pool that the hit
    began gave back to the network, where that pool was in the running one, and `to_reserve` what it gave back to the reserve.
    """

    type_name = "jackpot.hit_reversed"
    round: str
    cycle: int
    percent: int = field(default=100, kw_only=True)
    base: str
    buckets: tuple[BucketTaken, ...]
    shares: tuple[Share, ...]
    rounding: int
    shortfall: int = 0
    seed: Money | None = None
    number: int = 1
    to_reserve: tuple[BucketMoved, ...] = ()


@dataclass(frozen=True, slots=True)
class FixedPrizesReturned(JackpotEvent):
    """Fixed prizes that the pool had paid came back to it with their round."""

    type_name = "jackpot.fixed_prizes_returned"
    round: str
    prizes: tuple[PrizeDrawn, ...]
