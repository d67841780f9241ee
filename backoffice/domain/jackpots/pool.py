"""The running pool of a jackpot: what a mark costs, what claims on it are paid (FORMAT.md, shared jackpot, 1 to 6)."""

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple

from backoffice.domain.claims import Award, Claim
from backoffice.domain.event import Refused
from backoffice.domain.jackpots.ceiling import fitting, moved_in
from backoffice.domain.jackpots.decisions import seed_pool
from backoffice.domain.jackpots.division import divide_by_weight, divide_equally
from backoffice.domain.jackpots.events import (
    BucketTaken,
    FixedPrizesDrawn,
    JackpotHit,
    JackpotSeeded,
    PrizeDrawn,
    Share,
)
from backoffice.domain.jackpots.state import Buckets, Jackpot
from backoffice.domain.terms import SEED, ChipTerms
from backoffice.kernel.currencies import MAX_COUNTED
from backoffice.kernel.exchange import base_value, from_base, parse_rate, to_base
from backoffice.kernel.money import Money
from backoffice.rules.book import Amounts, Chips, Percent


class RunningPool(NamedTuple):
    """A jackpot with what is in its buckets and the rates in force: everything a hit is worked out from."""

    state: Jackpot
    buckets: Mapping[tuple[str, str], int]
    rate_of: Callable[[str], str]
    """The rate in force for a currency, as it was given; "1" for the base currency. Raises Refused where there is none."""
    reserve: Mapping[tuple[str, str], int] = MappingProxyType({})
    """What passed the ceiling and is kept for the next pool, by casino and currency."""

    @property
    def jackpot(self) -> str:
        """The jackpot's id."""
        return self.state.id

    @property
    def cycle(self) -> int:
        """Counts the pools of this jackpot."""
        return self.state.cycle

    def holds(self, cycle: int, *, overflow: bool = False) -> bool:
        """Whether what was contributed to pool number `cycle` is in this one: it is that one, or was put back into it;
        its `overflow`, if there was any, in the reserve."""
        contents = self.state.contents
        return cycle in (contents.kept if overflow else contents.held)

    def chip(self, currency: str) -> ChipTerms:
        """The chip in force. Raises Refused where the jackpot takes no marks in `currency`."""
        chip = self.state.terms.chip.get(currency)
        if chip is None:
            raise Refused(f"jackpot {self.jackpot} has no chip in {currency}", "mark")
        return chip

    def overflow(self, casino: str, currency: str) -> int:
        """What of the next mark's part for the pool would pass the ceiling, in minor units: it goes to the reserve."""
        part, ceiling = self.chip(currency).pool, self.state.terms.ceiling
        if ceiling is None:
            return 0
        return part - fitting(self.buckets, (casino, currency), part, ceiling, self._base)

    def value(self, buckets: Mapping[tuple[str, str], int]) -> int:
        """What `buckets` are worth together, each converted once, in minor units of the base currency; may be negative."""
        return sum(self._base(minor, currency) for (_, currency), minor in buckets.items())

    def worth(self, claims: Sequence[Claim]) -> Mapping[str, int]:
        """What `claims` would be paid now, by seat. Changes nothing."""
        return self.award("", claims).prizes

    def award(self, round_id: str, claims: Sequence[Claim], number: int = 1) -> Award:
        """What `claims`, in the order their marks were recorded, are paid: fixed prizes first, then the percentages,
        lowest first, each on the pool as the one before left it. `number` is that of the round's result."""
        awarded, buckets = Award(), dict(self.buckets)
        self._fixed(
            round_id, [claim for claim in claims if not isinstance(claim.prize, Percent)], awarded, buckets
        )
        shared = [(claim.prize.percent, claim) for claim in claims if isinstance(claim.prize, Percent)]
        for percent in sorted({percent for percent, _ in shared}):
            winners = [claim for its, claim in shared if its == percent]
            self._hit(round_id, number, percent, winners, awarded, buckets)
        self._check_counted(awarded)
        return awarded

    def _check_counted(self, awarded: Award) -> None:
        """Rates, and marks of years, may make more of a pool than the database's whole numbers hold."""
        hits = [fact for fact in awarded.facts if isinstance(fact, JackpotHit)]
        sums = [abs(bucket.base) for hit in hits for bucket in hit.buckets] + [abs(hit.pool) for hit in hits]
        if max([*sums, *awarded.prizes.values()], default=0) > MAX_COUNTED:
            raise Refused(f"jackpot {self.jackpot} is worth more than this house can count", "amount")

    def _fixed(self, round_id: str, claims: Sequence[Claim], awarded: Award, buckets: Buckets) -> None:
        awarded.prizes.update({claim.seat: fixed_prize(claim) for claim in claims})
        if self.state.terms.fixed_prizes == "house" or not claims:
            return
        for claim in claims:
            bucket = (claim.wallet.casino, claim.wallet.currency)
            buckets[bucket] = buckets.get(bucket, 0) - awarded.prizes[claim.seat]
        awarded.from_pool |= {claim.seat for claim in claims}
        prizes = tuple(
            PrizeDrawn(
                claim.seat,
                claim.wallet.casino,
                claim.wallet.player,
                Money(awarded.prizes[claim.seat], claim.wallet.currency),
            )
            for claim in claims
        )
        awarded.facts.append(
            FixedPrizesDrawn(jackpot=self.jackpot, round=round_id, cycle=self.cycle, prizes=prizes)
        )

    def _hit(
        self,
        round_id: str,
        number: int,
        percent: int,
        claims: Sequence[Claim],
        awarded: Award,
        buckets: Buckets,
    ) -> None:
        value = self.value(buckets)
        pool = max(value, 0)
        amount = round(Fraction(pool * percent, 100))
        shares = self._shares(amount, claims)
        taken = self._taken(buckets, amount, empties=percent == 100)
        hit = JackpotHit(
            jackpot=self.jackpot,
            round=round_id,
            cycle=self.cycle,
            percent=percent,
            base=self.state.terms.currency,
            pool=value,
            amount=amount,
            buckets=taken,
            shares=shares,
            rounding=self._rounding(taken, shares),
            shortfall=pool - value if percent == 100 else 0,
            number=number,
        )
        awarded.prizes.update({share.seat: share.amount for share in shares})
        awarded.from_pool |= {share.seat for share in shares}
        awarded.facts.append(hit)
        for bucket in taken:
            buckets[bucket.casino, bucket.currency] = bucket.before - bucket.taken
        if percent == 100:
            awarded.facts.append(self._next_pool())

    def _next_pool(self) -> JackpotSeeded:
        terms = self.state.next_terms or self.state.terms
        begun = {(SEED, terms.currency): terms.seed}
        from_reserve = moved_in(self.reserve, begun, terms.ceiling, self._base)
        return seed_pool(self.jackpot, self.cycle + 1, terms, from_reserve)

    def _shares(self, amount: int, claims: Sequence[Claim]) -> tuple[Share, ...]:
        base, over = self.state.terms.currency, self.state.terms.verify_over
        rates = [self.rate_of(claim.wallet.currency) for claim in claims]
        parts = self._divide(amount, claims, rates)
        return tuple(
            Share(
                claim.seat,
                *claim.wallet,
                part,
                rate,
                from_base(part, base, parse_rate(rate), claim.wallet.currency),
                held=over is not None and part > over,
            )
            for claim, part, rate in zip(claims, parts, rates, strict=True)
        )

    def _divide(self, amount: int, claims: Sequence[Claim], rates: Sequence[str]) -> list[int]:
        if self.state.terms.split == "equal":
            return divide_equally(amount, len(claims))
        base = self.state.terms.currency
        weights = [
            base_value(claim.chip, claim.wallet.currency, parse_rate(rate), base)
            for claim, rate in zip(claims, rates, strict=True)
        ]
        return divide_by_weight(amount, weights)

    def _taken(self, buckets: Buckets, amount: int, *, empties: bool) -> tuple[BucketTaken, ...]:
        """Of every bucket all that is in it, or the amount of a percentage prize of the seed's bucket alone."""
        seed = (SEED, self.state.terms.currency)
        taken = dict(buckets) if empties else {seed: amount}
        return tuple(
            BucketTaken(
                casino, currency, buckets.get((casino, currency), 0), minor, rate, self._base(minor, currency)
            )
            for (casino, currency), minor in sorted(taken.items())
            if (rate := self.rate_of(currency))
        )

    def _rounding(self, taken: Sequence[BucketTaken], shares: Sequence[Share]) -> int:
        """What the conversions of one hit leave in the exchange account, in minor units of base, rounded half to even."""
        base = self.state.terms.currency
        left = Fraction()
        for bucket in taken:
            left += base_value(bucket.taken, bucket.currency, parse_rate(bucket.rate), base) - bucket.base
        for share in shares:
            left += share.share_base - base_value(share.amount, share.currency, parse_rate(share.rate), base)
        return round(left)

    def _base(self, minor: int, currency: str) -> int:
        return to_base(minor, currency, parse_rate(self.rate_of(currency)), self.state.terms.currency)


def fixed_prize(claim: Claim) -> int:
    """What a prize in chips or in money is, in minor units of the winner's currency."""
    match claim.prize:
        case Chips(times):
            return times * claim.chip
        case Amounts(by_currency):
            return by_currency[claim.wallet.currency]
        case Percent():
            raise TypeError("a percentage is no fixed prize")
