"""What fits under a pool's ceiling, and what the next pool has from the reserve."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.domain.event import Refused
from backoffice.domain.jackpots.ceiling import fitting, moved_in
from backoffice.domain.jackpots.decisions import define_jackpot
from backoffice.domain.jackpots.events import BucketMoved
from backoffice.domain.jackpots.pool import RunningPool
from backoffice.domain.jackpots.state import Buckets, Jackpot
from backoffice.domain.terms import SEED, ChipTerms, JackpotTerms
from backoffice.kernel.exchange import parse_rate, to_base

RATES = {"EUR": "1", "SEK": "11.4210", "JPY": "163.05", "KWD": "0.3340"}
KEYS = [(SEED, "EUR"), ("tallinn", "EUR"), ("stockholm", "SEK"), ("stockholm", "JPY"), ("kuwait", "KWD")]
AMOUNTS = st.integers(-3_000, 100_000)
BUCKETS = st.dictionaries(st.sampled_from(KEYS), AMOUNTS)


def base(minor: int, currency: str) -> int:
    return to_base(minor, currency, parse_rate(RATES[currency]), "EUR")


def worth(buckets: Buckets) -> int:
    return sum(base(minor, currency) for (_, currency), minor in buckets.items())


def added(buckets: Buckets, key: tuple[str, str], minor: int) -> Buckets:
    return {**buckets, key: buckets.get(key, 0) + minor}


@given(BUCKETS, st.sampled_from(KEYS), st.integers(0, 5_000), st.integers(0, 50_000))
def test_the_most_that_fits_goes_in_and_not_a_minor_unit_more(buckets, key, minor, ceiling):
    part = fitting(buckets, key, minor, ceiling, base)
    assert 0 <= part <= minor
    assert worth(added(buckets, key, part)) <= max(ceiling, worth(buckets))
    assert part == minor or worth(added(buckets, key, part + 1)) > ceiling


@given(
    BUCKETS.map(lambda buckets: {key: abs(minor) for key, minor in buckets.items()}),
    st.integers(0, 20_000),
    st.none() | st.integers(0, 50_000),
)
def test_a_pool_begins_with_as_much_of_the_reserve_as_fits(reserve, seed, over):
    ceiling = None if over is None else seed + over
    begun = {(SEED, "EUR"): seed}
    moved = moved_in(reserve, begun, ceiling, base)
    filled = dict(begun)
    for part in moved:
        assert 0 < part.minor <= reserve[part.casino, part.currency]
        filled = added(filled, (part.casino, part.currency), part.minor)
    stays = Fraction(sum(reserve.values()) - sum(part.minor for part in moved))
    assert ceiling is None or worth(filled) <= ceiling
    assert not stays if ceiling is None else not stays or worth(filled) > ceiling - 4  # a yen is half a cent


def pool_of(buckets: Buckets, reserve: Buckets, ceiling: int | None) -> RunningPool:
    terms = JackpotTerms("EUR", 100, {code: ChipTerms(100, 50) for code in RATES}, ceiling=ceiling)
    return RunningPool(Jackpot("royal", terms, cycle=3), buckets, RATES.__getitem__, reserve)


@pytest.mark.parametrize(("ceiling", "over"), [(None, 0), (1050, 0), (1049, 1), (1000, 50), (999, 50)])
def test_a_mark_goes_to_the_reserve_from_the_ceiling_on(ceiling, over):
    assert pool_of({(SEED, "EUR"): 1000}, {}, ceiling).overflow("tallinn", "EUR") == over


def test_where_rounding_to_even_hides_half_a_cent_it_fits():
    # SEK 0.05 is EUR 0.00437..., SEK 0.06 is EUR 0.0052...
    assert fitting({(SEED, "EUR"): 1000}, ("stockholm", "SEK"), 50, 1000, base) == 5


def test_a_reserve_stays_behind_where_the_next_pool_is_full():
    next_pool = pool_of({}, {("stockholm", "SEK"): 1142, ("tallinn", "EUR"): 30}, 150)._next_pool()
    assert next_pool.from_reserve == (BucketMoved("stockholm", "SEK", 576),)
    assert worth({(SEED, "EUR"): 100, ("stockholm", "SEK"): 576}) == 150


def test_a_new_ceiling_below_what_the_pool_holds_is_refused():
    state, terms = Jackpot("royal", JackpotTerms("EUR", 100, {})), JackpotTerms("EUR", 100, {}, ceiling=1049)
    with pytest.raises(
        Refused, match=r"the ceiling of 10\.49 EUR is below what jackpot royal holds, 10\.50 EUR"
    ):
        define_jackpot(state, "royal", terms, lambda: 1050)
    assert define_jackpot(state, "royal", terms, lambda: 1049)


def test_what_a_pool_holds_is_asked_only_for_a_new_ceiling():
    def asked() -> int:
        raise AssertionError("asked")

    kept = JackpotTerms("EUR", 100, {}, ceiling=500)
    assert define_jackpot(None, "royal", kept, asked)
    assert define_jackpot(Jackpot("royal", kept), "royal", kept, asked) == []
    assert define_jackpot(Jackpot("royal", kept), "royal", JackpotTerms("EUR", 100, {}), asked)
