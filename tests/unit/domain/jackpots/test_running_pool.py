"""The running pool against a naive reference written from FORMAT.md, on random pools, rates and winners."""

from decimal import Decimal
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from reference_jackpot import BASE, DIGITS, Hit, Winner, pay, worth

from backoffice.domain.claims import Award, Claim
from backoffice.domain.event import Refused
from backoffice.domain.jackpots.events import FixedPrizesDrawn, JackpotHit, JackpotSeeded
from backoffice.domain.jackpots.pool import RunningPool
from backoffice.domain.jackpots.state import Jackpot
from backoffice.domain.ledger import postings
from backoffice.domain.terms import SEED, ChipTerms, JackpotTerms
from backoffice.kernel.exchange import base_value
from backoffice.kernel.ids import Wallet
from backoffice.rules.book import Amounts, Chips, Percent

CASINOS = {"EUR": "tallinn", "SEK": "stockholm", "JPY": "stockholm", "KWD": "kuwait", "CHF": "lugano"}
RATES = {"EUR": "1", "SEK": "11.4210", "JPY": "163.05", "KWD": "0.3340", "CHF": "0.9387"}


def minor(amount: Decimal, currency: str) -> int:
    return int(amount.scaleb(DIGITS[currency]))


def major(units: int, currency: str) -> Decimal:
    return Decimal(units).scaleb(-DIGITS[currency])


def pool_of(
    buckets: dict[tuple[str, str], int], rates: dict[str, str] = RATES, seed: int = 100_00, **terms: Any
) -> RunningPool:
    chips = {currency: ChipTerms(100, 50) for currency in rates}
    state = Jackpot("royal", JackpotTerms(BASE, seed, chips, **terms), cycle=7)
    return RunningPool(state, buckets, rates.__getitem__)


def claim(seat: str, currency: str, percent: int = 100, chip: int = 100) -> Claim:
    return Claim(seat, Wallet(CASINOS[currency], f"p-{seat}", currency), chip, Percent(percent))


def hits(award: Award) -> list[JackpotHit]:
    return [fact for fact in award.facts if isinstance(fact, JackpotHit)]


# The reference


@st.composite
def situations(draw: st.DrawFn) -> tuple[dict[tuple[str, str], int], dict[str, str], list[Winner], str, str]:
    """Buckets, negative ones too, rates to six digits, and winners of one or two percentages and of fixed sums."""
    currencies = draw(st.lists(st.sampled_from(list(CASINOS)), min_size=1, unique=True))
    rate = st.decimals("0.0001", 500, places=draw(st.integers(1, 6))).filter(lambda value: value > 0)
    rates = {code: "1" if code == BASE else f"{draw(rate):f}" for code in [BASE, *currencies]}
    some = st.integers(-(10**5), 10**8)
    filled = [code for code in currencies if draw(st.integers(0, 4))]
    buckets = {(SEED, BASE): draw(some)} | {(CASINOS[code], code): draw(some) for code in filled}
    winners = [
        Winner(
            seat=f"s{number}",
            casino=CASINOS[code],
            currency=code,
            stake=major(draw(st.integers(1, 10_000)), code),
            percent=draw(st.sampled_from([0, 10, 33, 100])),
            fixed=major(draw(st.integers(1, 10**6)), code),
        )
        for number, code in enumerate(draw(st.lists(st.sampled_from(currencies), min_size=1, max_size=12)))
    ]
    return (
        buckets,
        rates,
        winners,
        draw(st.sampled_from(["equal", "by_stake"])),
        draw(st.sampled_from(["house", "pool"])),
    )


def as_claim(winner: Winner) -> Claim:
    wallet = Wallet(winner.casino, f"p-{winner.seat}", winner.currency)
    prize = (
        Percent(winner.percent)
        if winner.percent
        else Amounts({winner.currency: minor(winner.fixed, winner.currency)})
    )
    return Claim(winner.seat, wallet, minor(winner.stake, winner.currency), prize)


def as_hit(hit: JackpotHit) -> Hit:
    return Hit(
        hit.percent,
        major(hit.pool, hit.base),
        major(hit.amount, hit.base),
        {share.seat: major(share.share_base, hit.base) for share in hit.shares},
        {share.seat: major(share.amount, share.currency) for share in hit.shares},
    )


@settings(max_examples=250)
@given(situations())
def test_a_hit_is_worked_out_as_the_format_says(situation):
    buckets, rates, winners, split, fixed_prizes = situation
    award = pool_of(buckets, rates, split=split, fixed_prizes=fixed_prizes).award(
        "r", list(map(as_claim, winners))
    )
    decimals = {code: Decimal(rate) for code, rate in rates.items()}
    exact = {bucket: major(held, bucket[1]) for bucket, held in buckets.items()}
    expected, left = pay(exact, decimals, winners, split=split, fixed_prizes=fixed_prizes)
    assert [as_hit(hit) for hit in hits(award)] == expected
    assert left_in(buckets, award) == {bucket: minor(held, bucket[1]) for bucket, held in left.items()}


def left_in(buckets: dict[tuple[str, str], int], award: Award) -> dict[tuple[str, str], int]:
    """The buckets as the award's own facts leave them, the next pool's seed apart."""
    left = dict(buckets)
    for fact in award.facts:
        match fact:
            case FixedPrizesDrawn(prizes=prizes):
                for prize in prizes:
                    bucket = (prize.casino, prize.amount.currency)
                    left[bucket] = left.get(bucket, 0) - prize.amount.minor
            case JackpotHit(buckets=taken):
                for bucket_taken in taken:
                    bucket = (bucket_taken.casino, bucket_taken.currency)
                    assert left.get(bucket, 0) == bucket_taken.before
                    left[bucket] = bucket_taken.before - bucket_taken.taken
    return left


@given(situations())
def test_every_winner_is_paid_and_the_seats_paid_by_the_pool_are_named(situation):
    buckets, rates, winners, split, fixed_prizes = situation
    award = pool_of(buckets, rates, split=split, fixed_prizes=fixed_prizes).award(
        "r", list(map(as_claim, winners))
    )
    assert set(award.prizes) == {winner.seat for winner in winners}
    fixed = {winner.seat for winner in winners if not winner.percent}
    assert award.from_pool == set(award.prizes) - (fixed if fixed_prizes == "house" else set())
    for winner in winners:
        if not winner.percent:
            assert award.prizes[winner.seat] == minor(winner.fixed, winner.currency)


@given(situations())
def test_what_it_is_worth_is_what_it_would_be_paid_and_changes_nothing(situation):
    buckets, rates, winners, split, fixed_prizes = situation
    before = dict(buckets)
    pool = pool_of(buckets, rates, split=split, fixed_prizes=fixed_prizes)
    claims = list(map(as_claim, winners))
    assert pool.worth(claims) == pool.award("r", claims).prizes
    assert buckets == before


@given(situations(), st.data())
def test_the_order_of_the_marks_decides_nothing_but_who_gets_the_odd_unit(situation, data):
    buckets, rates, winners, split, fixed_prizes = situation
    pool = pool_of(buckets, rates, split=split, fixed_prizes=fixed_prizes)
    claims = list(map(as_claim, winners))
    shuffled = data.draw(st.permutations(claims))
    for one, other in zip(hits(pool.award("r", claims)), hits(pool.award("r", shuffled)), strict=True):
        assert (one.pool, one.amount, one.buckets) == (other.pool, other.amount, other.buckets)
        parts = {share.seat: share.share_base for share in one.shares}
        assert sum(parts.values()) == sum(share.share_base for share in other.shares)
        assert all(abs(parts[share.seat] - share.share_base) <= 1 for share in other.shares)


@given(situations())
def test_after_a_hit_the_exchange_account_is_worth_nothing(situation):
    buckets, rates, winners, split, fixed_prizes = situation
    pool = pool_of(buckets, rates, split=split, fixed_prizes=fixed_prizes)
    for hit in hits(pool.award("r", list(map(as_claim, winners)))):
        left = sum(
            base_value(posting.minor, posting.currency, Fraction(rates[posting.currency]), BASE)
            for posting in postings(hit)
            if posting.account.kind == "exchange"
        )
        assert abs(left) <= Fraction(1, 2)


# By hand


def test_a_pool_is_worth_each_bucket_converted_once():
    buckets = {(SEED, "EUR"): 50_000_00, ("stockholm", "SEK"): 500, ("stockholm", "JPY"): 80}
    pool = pool_of(buckets)
    assert pool.value(buckets) == 50_000_93
    exact = {bucket: major(held, bucket[1]) for bucket, held in buckets.items()}
    assert worth(exact, {code: Decimal(rate) for code, rate in RATES.items()}) == Decimal("50000.93")


def test_two_half_cents_are_rounded_bucket_by_bucket():
    buckets = {(SEED, "EUR"): 0, ("a", "SEK"): 1, ("b", "SEK"): 1, ("c", "SEK"): 3}
    assert pool_of(buckets, {"EUR": "1", "SEK": "2"}).value(buckets) == 0 + 0 + 2


@pytest.mark.parametrize("winners", [1, 2, 3, 999])
def test_shares_sum_to_the_pool_for_one_two_three_and_999_winners(winners):
    claims = [claim(f"s{number}", ["EUR", "SEK", "JPY"][number % 3]) for number in range(winners)]
    (hit,) = hits(pool_of({(SEED, "EUR"): 50_000_01}).award("r", claims))
    assert sum(share.share_base for share in hit.shares) == 50_000_01


def test_fewer_units_than_winners_leave_shares_of_zero():
    (hit,) = hits(pool_of({(SEED, "EUR"): 2}).award("r", [claim(seat, "EUR") for seat in "abc"]))
    assert [share.amount for share in hit.shares] == [1, 1, 0]


def test_a_full_hit_begins_the_next_pool_with_its_seed():
    award = pool_of({(SEED, "EUR"): 5}, seed=77).award("r", [claim("a", "EUR")])
    seeded = award.facts[-1]
    assert isinstance(seeded, JackpotSeeded)
    assert (seeded.cycle, seeded.seed.minor) == (8, 77)


def test_a_percentage_begins_no_pool():
    award = pool_of({(SEED, "EUR"): 5}).award("r", [claim("a", "EUR", percent=10)])
    assert not any(isinstance(fact, JackpotSeeded) for fact in award.facts)


def test_a_pool_whose_seed_has_no_bucket_yet_pays_a_percentage():
    buckets = {("stockholm", "SEK"): 1_142_10}
    award = pool_of(buckets).award("r", [claim("a", "EUR", percent=10), claim("b", "EUR")])
    assert award.prizes == {"a": 10_00, "b": 90_00}


@pytest.mark.parametrize(
    ("over", "held"), [(None, [False, False]), (50_00, [True, False]), (50_01, [False, False])]
)
def test_a_share_is_held_above_the_limit_and_not_at_it(over, held):
    pool = pool_of({(SEED, "EUR"): 100_01}, verify_over=over)
    (hit,) = hits(pool.award("r", [claim("a", "EUR"), claim("b", "SEK")]))
    assert [(share.share_base, share.held) for share in hit.shares] == [(50_01, held[0]), (50_00, held[1])]


def test_chips_are_multiplied_in_the_chips_own_currency():
    claims = [
        Claim("a", Wallet("stockholm", "p", "SEK"), 10_00, Chips(2500)),
        Claim("b", Wallet("t", "p", "EUR"), 1_00, Chips(2500)),
    ]
    assert pool_of({}).award("r", claims).prizes == {"a": 25_000_00, "b": 2_500_00}


def test_nobody_claims_nothing_happens():
    award = pool_of({(SEED, "EUR"): 5}, fixed_prizes="pool").award("r", [])
    assert (award.prizes, award.facts) == ({}, [])


def test_without_a_rate_for_a_bucket_a_hit_is_refused():
    def rate_of(currency: str) -> str:
        raise Refused(f"no rate for {currency} is in force", "rate")

    pool = RunningPool(pool_of({}).state, {("stockholm", "SEK"): 5}, rate_of)
    with pytest.raises(Refused, match="no rate for SEK is in force"):
        pool.award("r", [claim("a", "SEK")])


def test_a_currency_without_a_chip_takes_no_marks():
    with pytest.raises(Refused, match="jackpot royal has no chip in USD"):
        pool_of({}).chip("USD")
