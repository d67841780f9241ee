"""Actual against theoretical return, by book and bet (UKGC RTS 17A, GLI A.6.1)."""

from collections.abc import Iterator
from dataclasses import replace
from fractions import Fraction
from typing import Any

from backoffice.projections.round_lines import ROUND_LINES
from backoffice.projections.rounds import ROUNDS
from backoffice.reports.bands import band_of_observations, band_of_theory, is_rough
from backoffice.reports.cells import hundredths
from backoffice.reports.distinct_hands import PARTS, WHOLE, Played, played
from backoffice.reports.jackpots_now import jackpots_now
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.returns import Theory, bonus_theory, fixed_prizes_theory


def _rows(reading: Reading) -> Iterator[Row]:
    paid_by_pools = {
        name for name, pool in jackpots_now(reading).items() if pool.terms.fixed_prizes == "pool"
    }
    for bets in played(reading):
        theory = _theory(bets, from_pool=bets.jackpot in paid_by_pools)
        notes = "; ".join(_notes(bets, theory))
        yield {**_sums(bets), **_compared(bets, theory), "note": notes or None}


def _theory(bets: Played, *, from_pool: bool) -> Theory | None:
    """None for a bet that needs a decision. Where the pool pays the fixed prizes too, nothing is paid beside it."""
    book = SHELF[bets.book]
    if not isinstance(book, HouseBook):
        return None
    if bets.bet == "jackpot":
        theory = fixed_prizes_theory(book, bets.currency)
        return replace(theory, pays={}) if theory is not None and from_pool else theory
    if bets.bet == "bonus":
        return bonus_theory(returning_stake(book) if bets.stake_returned else book)
    return None


def returning_stake(book: HouseBook) -> HouseBook:
    """The book of a table that pays a fixed Bonus with its stake."""
    if not isinstance(book.bonus, FixedBonus):
        return book
    return replace(book, bonus=replace(book.bonus, returns_stake=True))


def _sums(bets: Played) -> dict[str, Any]:
    observed = bets.observed
    return {
        "book": bets.book,
        "bet": bets.bet,
        "jackpot": bets.jackpot,
        "currency": bets.currency,
        "part": bets.part,
        "bets": observed.staked.bets,
        "hands": bets.hands,
        "observations": observed.observations,
        "stake": observed.staked.stake,
        "payout": observed.paid,
        "pool_prizes": bets.pool_prizes,
        "contributed": bets.contributed,
        "cut": bets.cut,
    }


def _compared(bets: Played, theory: Theory | None) -> dict[str, str | None]:
    """A pool returns what it is given, sooner or later: its part of a chip counts on both sides, what it paid on neither."""
    observed = bets.observed
    pool = Fraction(bets.contributed, observed.staked.stake)
    actual = Fraction(observed.paid - bets.pool_prizes, observed.staked.stake)
    band = band_of_observations(observed) if theory is None else band_of_theory(theory, observed)
    told = {
        "actual_percent": _percent(actual + pool),
        "theoretical_percent": None,
        "band_around": None,
        "low_percent": None,
        "high_percent": None,
        "within": None,
    }
    if band is not None:
        low, high = band.edges
        told |= {
            "band_around": "actual",
            "low_percent": _percent(low + pool),
            "high_percent": _percent(high + pool),
        }
    if theory is not None and band is not None:
        within = "yes" if band.holds(actual) else "no"
        told |= {
            "band_around": "theory",
            "theoretical_percent": _percent(band.middle + pool),
            "within": within,
        }
    return told


def _percent(part: Fraction) -> str:
    return hundredths(part.numerator, part.denominator)


def _notes(bets: Played, theory: Theory | None) -> Iterator[str]:
    book = SHELF[bets.book]
    if isinstance(book, HouseBook) and book.return_percent_over_100 and bets.bet in {"ante", "call"}:
        yield "this book as printed returns more than 100%"
    if (
        theory is not None
        and theory.expected(bets.observed.staked) + bets.contributed > bets.observed.staked.stake
    ):
        yield "returns more than 100% by theory"
    if theory is not None and is_rough(theory, bets.observed.observations):
        yield "a rough band: the rarest prize has hardly been due"
    if bets.cut:
        yield "cut by the table's maximum payout, which the theory leaves out"
    if bets.stake_returned:
        yield "the table pays the Bonus with its stake"


RETURNS = Report(
    name="returns",
    title="Actual against theoretical return",
    about="what each bet of each book returned, beside what it should, with a band of 95% by distinct hands",
    columns=(
        *texts("book", "bet", "jackpot", "currency", "part"),
        *counts("bets", "hands", "observations", summed=False),
        *sums("stake", "payout", "pool_prizes", "contributed", "cut"),
        *(Column(f"{name}_percent", Kind.NUMBER) for name in ("actual", "theoretical", "low", "high")),
        *texts("band_around", "within", "note"),
    ),
    rows=_rows,
    needs=(ROUNDS, ROUND_LINES),
    filters={
        "by": f"{WHOLE} (by default): all bets of a book together; {', '.join(PARTS)}: told apart by it",
        "book": "of one book",
        "bet": "of one kind of bet",
        "table": "at one table",
        "dealer": "dealt by one dealer",
        "shift": "of one shift",
    },
    words={"by": (WHOLE, *PARTS)},
    totals_by=("currency",),
)
