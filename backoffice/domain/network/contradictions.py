"""What cannot be so in a network file. Each finding names its place, so that a person can be shown the line."""

from collections.abc import Callable, Generator, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import partial

from backoffice.domain.network.commands import JackpotSection, NetworkFile, StudSection, TableSection
from backoffice.domain.network.legal import legal_contradictions
from backoffice.domain.terms import RESERVE, SEED
from backoffice.kernel.calendar import UnknownZone, refuse_unknown_zone
from backoffice.kernel.currencies import MAX_STAKE_MINOR, BadAmount, exponent, format_minor, parse_minor
from backoffice.kernel.exchange import BadRate, parse_rate
from backoffice.rules.book import Book, FixedBonus, HouseBook, PotBook
from backoffice.rules.books import SHELF

Place = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Contradiction:
    """Where (keys and indices from the top) and why."""

    place: Place
    reason: str


def contradictions(file: NetworkFile) -> Iterator[Contradiction]:
    """Everything in `file` that contradicts itself, ISO 4217 or a book."""
    base = file.network.base_currency
    yield from _bad(("network", "base_currency"), partial(exponent, base))
    for quote, rate in file.rates.items():
        yield from _rate(("rates", quote), quote, rate, base)
    for role, limits in file.approval.limits.items():
        for currency, limit in limits.items():
            yield from _amount(("approval", "limits", role, currency), limit, currency)
    yield from _twice("casino", [casino.id for casino in file.casino])
    yield from _twice("jackpot", [jackpot.id for jackpot in file.jackpot])
    yield from _twice("table", [table.id for table in file.table])
    for index, casino in enumerate(file.casino):
        if casino.id == SEED:
            yield Contradiction(
                ("casino", index, "id"), f"{SEED} is no casino: the seeds of jackpots stand under it"
            )
        if not casino.currencies:
            yield Contradiction(("casino", index, "currencies"), f"{casino.id} plays in no currency")
        for currency in casino.currencies:
            yield from _bad(("casino", index, "currencies"), partial(exponent, currency))
        yield from _bad(("casino", index, "timezone"), partial(refuse_unknown_zone, casino.timezone))
        for place, reason in legal_contradictions(casino.legal):
            yield Contradiction(("casino", index, "legal", *place), reason)
    for index, jackpot in enumerate(file.jackpot):
        yield from _jackpot(("jackpot", index), jackpot, file)
    for index, table in enumerate(file.table):
        yield from _table(("table", index), table, file)


def _rate(place: Place, quote: str, rate: str, base: str) -> Iterator[Contradiction]:
    yield from _bad(place, lambda: (exponent(quote), parse_rate(rate)))
    if quote == base:
        yield Contradiction(place, f"{quote} is the base currency: it has no rate to itself")


def _jackpot(place: Place, jackpot: JackpotSection, file: NetworkFile) -> Iterator[Contradiction]:
    base = file.network.base_currency
    if jackpot.id.startswith(RESERVE):
        yield Contradiction((*place, "id"), f"{RESERVE} begins the names of reserves, not of jackpots")
    if jackpot.currency != base:
        yield Contradiction(
            (*place, "currency"), f"jackpot {jackpot.id} is kept in the network's base currency, {base}"
        )
        return
    seed = yield from _amount((*place, "seed"), jackpot.seed, base)
    if jackpot.ceiling is not None:
        ceiling = yield from _amount((*place, "ceiling"), jackpot.ceiling, base)
        if seed is not None and ceiling is not None and ceiling < seed:
            yield Contradiction(
                (*place, "ceiling"), f"the ceiling {jackpot.ceiling} is below the seed {jackpot.seed}"
            )
    if jackpot.verify_over is not None:
        yield from _amount((*place, "verify_over"), jackpot.verify_over, base)
    for currency, chip in jackpot.chip.items():
        where = (*place, "chip", currency)
        stake = yield from _stake(where, chip.stake, currency)
        pool = yield from _amount(where, chip.pool, currency)
        if stake is not None and pool is not None and pool > stake:
            yield Contradiction(
                where, f"a part of {chip.pool} for the pool is more than the chip of {chip.stake}"
            )
        yield from _prizes(where, jackpot.id, currency, file)


def _prizes(place: Place, jackpot: str, currency: str, file: NetworkFile) -> Iterator[Contradiction]:
    """A chip must be able to win: every table that takes its currency pays every prize in it, and some table does."""
    tables = [(table, SHELF.get(table.ruleset)) for table in file.table if table.jackpot == jackpot]
    pays = [
        (table, bool(book.jackpot and not book.jackpot.lacks(currency)))
        for table, book in tables
        if isinstance(book, HouseBook)
    ]
    for table, payable in pays:
        if not payable and currency in table.limits.ante:
            yield Contradiction(
                place, f"{table.ruleset} of table {table.id} has no prize table in {currency}"
            )
            return
    if pays and not any(payable for _, payable in pays):
        yield Contradiction(place, f"no table of jackpot {jackpot} has a prize table in {currency}")


def _table(place: Place, table: TableSection, file: NetworkFile) -> Iterator[Contradiction]:
    book = SHELF.get(table.ruleset)
    if book is None:
        yield Contradiction((*place, "ruleset"), f"there is no book {table.ruleset}")
        return
    casinos = {casino.id: casino for casino in file.casino}
    if not table.casinos:
        yield Contradiction((*place, "casinos"), f"table {table.id} has no casino")
    for name in table.casinos:
        if name not in casinos:
            yield Contradiction((*place, "casinos"), f"there is no casino {name}")
    played = {code for name in table.casinos if name in casinos for code in casinos[name].currencies}
    yield from _seats(place, table, book)
    if isinstance(book, PotBook):
        yield from _pot_table(place, table, played)
    else:
        yield from _house_table(place, table, book, played, {jackpot.id for jackpot in file.jackpot})


def _seats(place: Place, table: TableSection, book: Book) -> Iterator[Contradiction]:
    if table.seats is not None and (book.seats is None or table.seats > book.seats):
        has = "no numbered seats" if book.seats is None else f"{book.seats} seats at most"
        yield Contradiction((*place, "seats"), f"{book.id} has {has}")


def _house_table(
    place: Place, table: TableSection, book: HouseBook, played: set[str], jackpots: set[str]
) -> Iterator[Contradiction]:
    if table.stud is not None:
        yield Contradiction((*place, "stud"), f"{book.id} is no stud for a pot")
    if table.jackpot is not None and table.jackpot not in jackpots:
        yield Contradiction((*place, "jackpot"), f"there is no jackpot {table.jackpot}")
    if table.jackpot is not None and book.jackpot is None:
        yield Contradiction((*place, "jackpot"), f"{book.id} has no prize table for a jackpot")
    if not table.limits.ante:
        yield Contradiction((*place, "limits"), f"table {table.id} has no limits for the ante")
    if table.limits.bonus and (book.bonus is None or isinstance(book.bonus, FixedBonus)):
        why = "has no Bonus" if book.bonus is None else "has a Bonus of one exact stake"
        yield Contradiction((*place, "limits", "bonus"), f"{book.id} {why}")
    for bet in ("ante", "bonus", "total"):
        for currency, limits in getattr(table.limits, bet).items():
            yield from _range((*place, "limits", bet, currency), limits, currency, played)
    if table.max_payout and not book.capped:
        yield Contradiction((*place, "max_payout"), f"{book.id} knows no maximum payout")
    if table.bonus_returns_stake and not isinstance(book.bonus, FixedBonus):
        yield Contradiction((*place, "bonus_returns_stake"), f"{book.id} has no fixed Bonus")
    for currency, amount in table.max_payout.items():
        yield from _played((*place, "max_payout"), currency, played)
        yield from _amount((*place, "max_payout"), amount, currency, positive=True)


def _pot_table(place: Place, table: TableSection, played: set[str]) -> Iterator[Contradiction]:
    for name in ("jackpot", "max_payout", "bonus_returns_stake"):
        if getattr(table, name):
            yield Contradiction((*place, name), f"{table.ruleset} knows no {name}")
    if table.limits.model_fields_set:
        yield Contradiction((*place, "limits"), f"{table.ruleset} takes its limits from its stud section")
    if table.stud is None:
        yield Contradiction((*place, "ruleset"), f"table {table.id} has no stud section")
        return
    yield from _stud((*place, "stud"), table.stud, played)


def _stud(place: Place, stud: StudSection, played: set[str]) -> Iterator[Contradiction]:
    yield from _played((*place, "currency"), stud.currency, played)
    small = yield from _amount((*place, "small"), stud.small, stud.currency, positive=True)
    big = yield from _stake((*place, "big"), stud.big, stud.currency)
    bring_in = yield from _amount((*place, "bring_in"), stud.bring_in, stud.currency, positive=True)
    ante = yield from _amount((*place, "ante"), stud.ante, stud.currency)
    yield from _too_much((*place, "ante"), ante, stud.currency)
    if small is not None and big is not None and big < small:
        yield Contradiction((*place, "big"), f"the big limit {stud.big} is below the small one {stud.small}")
    if small is not None and bring_in is not None and bring_in >= small:
        yield Contradiction(
            (*place, "bring_in"), f"a bring-in of {stud.bring_in} is not below {stud.small}, the small limit"
        )
    if Fraction(stud.rake_percent) > 100:
        yield Contradiction((*place, "rake_percent"), f"a rake of {stud.rake_percent}% is more than the pot")


def _range(place: Place, limits: Sequence[str], currency: str, played: set[str]) -> Iterator[Contradiction]:
    yield from _played(place, currency, played)
    low = yield from _amount(place, limits[0], currency, positive=True)
    high = yield from _stake(place, limits[1], currency)
    if low is not None and high is not None and high < low:
        yield Contradiction(place, f"the maximum {limits[1]} is below the minimum {limits[0]}")


def _played(place: Place, currency: str, played: set[str]) -> Iterator[Contradiction]:
    if currency not in played:
        yield Contradiction(place, f"no casino of this table plays in {currency}")


def _twice(section: str, ids: list[str]) -> Iterator[Contradiction]:
    for index, name in enumerate(ids):
        if name in ids[:index]:
            yield Contradiction((section, index, "id"), f"{section} {name} stands there twice")


def _amount(
    place: Place, text: str, currency: str, *, positive: bool = False
) -> Generator[Contradiction, None, int | None]:
    """Yields what is wrong with an amount; returns its minor units, or None where they cannot be told."""
    try:
        minor = parse_minor(text, currency)
    except BadAmount as bad:
        yield Contradiction(place, str(bad))
        return None
    if positive and not minor:
        yield Contradiction(place, "an amount is greater than zero")
    return minor


def _stake(place: Place, text: str, currency: str) -> Generator[Contradiction, None, int | None]:
    """As `_amount`, of what is staked at once."""
    minor = yield from _amount(place, text, currency, positive=True)
    yield from _too_much(place, minor, currency)
    return minor


def _too_much(place: Place, minor: int | None, currency: str) -> Iterator[Contradiction]:
    if minor is not None and minor > MAX_STAKE_MINOR:
        stake, most = (format_minor(one, currency) for one in (minor, MAX_STAKE_MINOR))
        yield Contradiction(place, f"a stake of {stake} {currency} is more than a table may take, {most}")


def _bad(place: Place, check: Callable[[], object]) -> Iterator[Contradiction]:
    try:
        check()
    except (BadAmount, BadRate, UnknownZone) as bad:
        yield Contradiction(place, str(bad))
