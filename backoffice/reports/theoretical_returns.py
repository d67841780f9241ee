"""What the bets that need no decision return by theory, hand by hand: every set of cards of a whole deck is counted.

One theory for each book that a table of the network runs, and for each chip of its jackpot: fixed prizes depend on what
the chip costs, and what goes into the pool comes back through it, sooner or later. Seeds are not counted.
"""

from collections.abc import Iterator
from fractions import Fraction
from typing import Any

from backoffice.domain.terms import ChipTerms, JackpotTerms
from backoffice.kernel.money import Money
from backoffice.reports.cells import hundredths
from backoffice.reports.jackpots_now import jackpots_now
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts
from backoffice.reports.returns import returning_stake
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.returns import Pay, Theory, bonus_theory, fixed_prizes_theory


def _rows(reading: Reading) -> Iterator[Row]:
    tables = [table for table in reading.network.tables.values() if set(table.casinos) & set(reading.casinos)]
    for name, returned in sorted({(table.ruleset, table.bonus_returns_stake) for table in tables}):
        book = SHELF[name]
        if isinstance(book, HouseBook):
            yield from _bonus(returning_stake(book) if returned else book)
    jackpots = jackpots_now(reading)
    for name, jackpot in sorted({(table.ruleset, table.jackpot) for table in tables if table.jackpot}):
        book = SHELF[name]
        if isinstance(book, HouseBook):
            yield from _jackpot(book, jackpot, jackpots[jackpot].terms)


def _bonus(book: HouseBook) -> Iterator[Row]:
    theory = bonus_theory(book)
    if theory is None:
        return
    stake = Money(book.bonus.stake, book.bonus.currency) if isinstance(book.bonus, FixedBonus) else None
    about = {
        **_about(book, "bonus"),
        "currency": stake.currency if stake else None,
        "stake": stake.minor if stake else None,
    }
    yield from _by_hand(about, theory, stake.minor if stake else 1)
    yield {**about, **_whole("all hands", theory.share(stake.minor if stake else 1))}


def _jackpot(book: HouseBook, jackpot: str, terms: JackpotTerms) -> Iterator[Row]:
    for currency, chip in terms.chip.items():
        theory = fixed_prizes_theory(book, currency)
        if theory is None:
            return
        about = {**_about(book, "jackpot"), "jackpot": jackpot, "currency": currency, "stake": chip.stake}
        yield from _chip(about, theory, chip, paid_by_pool=terms.fixed_prizes == "pool")


def _chip(about: dict[str, Any], theory: Theory, chip: ChipTerms, *, paid_by_pool: bool) -> Iterator[Row]:
    """Where the pool pays the fixed prizes, they are a part of what goes into it."""
    pool = Fraction(chip.pool, chip.stake)
    yield from _by_hand(about, theory, chip.stake)
    yield {**about, **_whole("into the pool", pool)}
    yield {**about, **_whole("all hands", pool if paid_by_pool else pool + theory.share(chip.stake))}


def _about(book: HouseBook, bet: str) -> dict[str, Any]:
    return {"book": book.id, "bet": bet, "jackpot": None}


def _by_hand(about: dict[str, Any], theory: Theory, stake: int) -> Iterator[Row]:
    for hand, pay in sorted(theory.pays.items(), reverse=True):
        part = Fraction(theory.ways[hand] * (pay.times * stake + pay.amount), theory.hands * stake)
        told = {
            "hand": hand.words,
            "ways": theory.ways[hand],
            "of": theory.hands,
            "pays": _pays(pay, about["currency"]),
        }
        yield {**about, **told, "return_percent": _percent(part)}


def _pays(pay: Pay, currency: str | None) -> str:
    times = [f"{pay.times} times the stake"] if pay.times else []
    amount = [str(Money(pay.amount, currency))] if pay.amount and currency else []
    return " and ".join(times + amount)


def _whole(hand: str, part: Fraction) -> dict[str, Any]:
    return {"hand": hand, "ways": None, "of": None, "pays": None, "return_percent": _percent(part)}


def _percent(part: Fraction) -> str:
    return hundredths(part.numerator, part.denominator, digits=4)


THEORETICAL_RETURNS = Report(
    name="theoretical-returns",
    title="Theoretical returns",
    about="what each hand adds to the return of 5+1, the fixed Bonus and the jackpot tables, by counting a whole deck",
    columns=(
        *texts("book", "bet", "jackpot", "currency"),
        *sums("stake", summed=False),
        *texts("hand"),
        *counts("ways", "of", summed=False),
        *texts("pays"),
        Column("return_percent", Kind.NUMBER),
    ),
    rows=_rows,
)
