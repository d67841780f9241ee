"""Cross-footing: details against totals, months against the year, reports against each other and against the ledger."""

from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from functools import reduce
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from lxml import etree
from sqlalchemy import ColumnElement, Connection, func, select

from backoffice.bootstrap import House
from backoffice.domain.terms import SEED
from backoffice.kernel.currencies import units
from backoffice.projections.balances import balances
from backoffice.projections.entries import entries
from backoffice.projections.jackpot_meters import jackpot_meters
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.report import Report
from ops.twelvemonth.books import book_sums
from ops.twelvemonth.calendar import MONTHS
from ops.twelvemonth.reading import Read, Sums, add, read_report

OF_STATES = frozenset({"compensations", "discrepancies", "large-wins", "reversals", "write-offs"})
"""A case is told in the month it opened and in the one it closed: their months do not add up to the year."""
_LEVELS = frozenset({"opening", "closing", "shown"})
"""What was there at the begin or at the end, and not what came and went."""
_SPANS = frozenset({"period"})
_TOLD = 5
_PAYOUTS = ("ante_payouts", "call_payouts", "bonus_payouts", "pot_payouts", "fixed_prizes", "pool_prizes")


class Footing(NamedTuple):
    """Two ways to one figure."""

    what: str
    one: Any
    other: Any

    @property
    def difference(self) -> str | None:
        """In words, if there is one; of tables only what differs."""
        if self.one == self.other:
            return None
        if not (isinstance(self.one, Mapping) and isinstance(self.other, Mapping)):
            return f"{self.one} is not {self.other}"
        differing = [key for key in {**self.one, **self.other} if self.one.get(key) != self.other.get(key)]
        told = [f"{key}: {self.one.get(key)} is not {self.other.get(key)}" for key in differing[:_TOLD]]
        return "; ".join(told) + (f"; {len(differing) - _TOLD} more" if len(differing) > _TOLD else "")


def footings(house: House, folder: Path) -> Iterator[Footing]:
    """Every comparison there is to make of the year's files and the house they are of."""
    year: dict[str, Read] = {}
    for report in REPORTS.values():
        if not (report.pinned or report.wants):
            year[report.name] = read_report(report, folder / f"{report.name}.year.csv")
            yield from _by_itself(report, year[report.name], folder)
    yield from _against_each_other(year)
    yield from _against_the_ledger(house, year["revenue"].totals)
    yield from _books(folder)


def _books(folder: Path) -> Iterator[Footing]:
    """Every accounting file against the journal as a table; a file of one company by what it has of it."""
    books = dict(book_sums(folder))
    journal = books["books-journal.csv"]
    debit, credit = zip(*journal.values(), strict=True)
    yield Footing("books: debits and credits", debit, credit)
    for name, sums in books.items():
        yield Footing(
            f"{name} and journal",
            sums,
            {key: journal[key] for key in journal if key in sums or "saft" not in name},
        )


def _by_itself(report: Report, year: Read, folder: Path) -> Iterator[Footing]:
    if not any(column.summed for column in report.columns):
        return
    yield Footing(f"{report.name}: rows and totals", year.added, year.totals)
    if report.name not in OF_STATES:
        months = [
            read_report(report, folder / f"{report.name}.{first:%Y-%m}.csv").totals for first, _ in MONTHS
        ]
        yield Footing(
            f"{report.name}: months and year", flows(report, reduce(add, months)), flows(report, year.totals)
        )


def flows(report: Report, sums: Sums) -> Sums:
    """Of what a report adds up, that of which months make a year: no levels, and whichever span of days it stands under."""
    kept = [place for place, name in enumerate(report.totals_by) if name not in _SPANS]
    flowing: dict[tuple[str, ...], Decimal] = {}
    for key, amount in sums.items():
        if key[-1] not in _LEVELS:
            whose = (*(key[place] for place in kept), key[-1])
            flowing[whose] = flowing.get(whose, Decimal()) + amount
    return {key: amount for key, amount in flowing.items() if amount}


def _against_each_other(year: Mapping[str, Read]) -> Iterator[Footing]:
    revenue, returns = year["revenue"].totals, year["returns"].totals
    details = year["revenue-rounds"].totals
    yield Footing("revenue: days and rounds", revenue, details)
    for name, of_revenue in {
        "stake": ("stakes",),
        "payout": _PAYOUTS,
        "contributed": ("contributions",),
    }.items():
        yield Footing(
            f"revenue and returns: {name}", by_currency(revenue, *of_revenue), by_currency(returns, name)
        )
    cancelled = by_currency(year["cancelled-rounds"].totals, "refunded")
    yield Footing("revenue and cancelled rounds: refunds", by_currency(revenue, "refunds"), cancelled)


def files_footed(folder: Path) -> Iterator[Footing]:
    """A year of files for authorities against the revenue, and against each other. None of this year is replaced, so all
    of them count."""
    revenue = read_report(REPORTS["revenue"], folder / "revenue.year.csv").totals
    kinds = {kind for kind, _, _, _ in _TOLD_TO_AUTHORITIES} | {kind for kind, _ in _PAIRS}
    found = {kind: _in_files(folder / kind) for kind in kinds}
    for kind, casino, elements, columns in _TOLD_TO_AUTHORITIES:
        told = sum((found[kind][element] for element in elements), Decimal())
        of_casino = (sum_ for (of, _, name), sum_ in revenue.items() if of == casino and name in columns)
        yield Footing(f"{kind} and revenue: {elements[0]}", told, sum(of_casino, Decimal()))
    for (kind, element), details in _ADDED_UP.items():
        detailed = sum((found[detail][name] for detail, name in details), Decimal())
        yield Footing(f"{kind} and its details: {element}", found[kind][element], detailed)


_BY_THE_HOUSE = tuple(name for name in _PAYOUTS if name != "pool_prizes")
_DANISH_STAKES = tuple(
    f"EndOfDayRapport{name}" for name in ("IndskudSpil", "IndskudJackpot", "KommissionRake")
)
_TOLD_TO_AUTHORITIES = (
    ("dk-end-of-day", "copenhagen", _DANISH_STAKES, ("stakes",)),
    ("dk-end-of-day", "copenhagen", ("EndOfDayRapportGevinster",), _BY_THE_HOUSE),
    ("gr-end-of-day-games", "athens", ("TotalAmountWagered",), ("turnover",)),
    ("gr-end-of-day-games", "athens", ("TotalAmountJackpotRake",), ("contributions",)),
    ("gr-end-of-day-games", "athens", ("TotalAmountWon",), _BY_THE_HOUSE),
    ("gr-end-of-day-games", "athens", ("TotalAmountWonJackpots",), ("pool_prizes",)),
    ("mga-live-tables", "valletta", ("TtlDrop",), ("turnover",)),
    ("mga-live-tables", "valletta", ("TtlFills",), _BY_THE_HOUSE),
)
"""Kind, casino, the elements of its files together, and the columns of the revenue that they are; all currencies."""
_DANISH_SESSIONS = ("dk-single-player-sessions", "dk-multi-player-sessions")
_ADDED_UP: Mapping[tuple[str, str], Sequence[tuple[str, str]]] = {
    **{
        ("dk-end-of-day", f"EndOfDayRapport{total}"): [
            (kind, f"Kasinospil{each}") for kind in _DANISH_SESSIONS
        ]
        for total, each in {
            "IndskudSpil": "IndskudSpil",
            "IndskudJackpot": "IndskudJackpot",
            "Gevinster": "GevinstSpil",
            "KommissionRake": "Kommission",
        }.items()
    },
    ("gr-end-of-day-games", "TotalAmountWagered"): [
        ("gr-games", "GameSessionAmountWagered"),
        ("gr-peer-to-peer-games", "PtPGameSessionAmountWagered"),
    ],
    ("gr-end-of-day-games", "TotalAmountJackpotRake"): [("gr-games", "GameSessionJackpotRake")],
    ("gr-end-of-day-games", "TotalAmountWon"): [
        ("gr-games", "GameSessionAmountWon"),
        ("gr-peer-to-peer-games", "PtPGameSessionAmountWon"),
    ],
}
"""A kind of file of whole days and an element of it, and where what it adds up is told session by session."""
_PAIRS = (*_ADDED_UP, *chain(*_ADDED_UP.values()))
_NAMES = sorted(
    {name for _, _, names, _ in _TOLD_TO_AUTHORITIES for name in names} | {name for _, name in _PAIRS}
)
"""Every element that is added up."""


def _in_files(folder: Path) -> Mapping[str, Decimal]:
    """The sums of all elements that are added up anywhere, by their names, in one pass over a folder's files."""
    tags = [f"{{*}}{name}" for name in _NAMES]
    sums = dict.fromkeys(_NAMES, Decimal())
    for path in sorted(folder.iterdir()):
        for _, element in etree.iterparse(path, tag=tags):
            if element.text:
                sums[etree.QName(element).localname] += Decimal(element.text)
    return sums


def by_currency(sums: Sums, *names: str) -> Mapping[str, Decimal]:
    """Some columns together; the currency is the last that totals are by."""
    found: dict[str, Decimal] = {}
    for key, amount in sums.items():
        if key[-1] in names:
            found[key[-2]] = found.get(key[-2], Decimal()) + amount
    return {currency: amount for currency, amount in found.items() if amount}


def _against_the_ledger(house: House, revenue: Sums) -> Iterator[Footing]:
    with house.engine.connect() as connection:
        yield Footing("ledger: every casino's book in every currency", _not_nought(connection), [])
        yield Footing("ledger and balances: wallets", *_wallets(connection))
        yield Footing("ledger and meters: pools", *_pools(connection))
        house_accounts = _accounts(connection, "house")
        paid_by_hand = _accounts(connection, "compensation")
    won = {
        key: sum_
        for key, sum_ in _by_drawer(revenue, {"ggr": 1, "borne": -1, "written_off": -1}).items()
        if sum_
    }
    yield Footing("ledger and revenue: the houses' accounts", house_accounts, won)
    yield Footing("ledger and revenue: compensation", paid_by_hand, _by_drawer(revenue, {"compensation": -1}))


def _by_drawer(revenue: Sums, signs: Mapping[str, int]) -> Mapping[tuple[str, ...], Decimal]:
    """Columns of the revenue together, by casino and currency."""
    found: dict[tuple[str, ...], Decimal] = {}
    for (*drawer, name), amount in revenue.items():
        if name in signs:
            found[tuple(drawer)] = found.get(tuple(drawer), Decimal()) + signs[name] * amount
    return {drawer: amount for drawer, amount in found.items() if amount}


def _accounts(connection: Connection, kind: str) -> Mapping[tuple[str, ...], Decimal]:
    """What the accounts of a kind hold, by casino and currency."""
    whose = (entries.c.owner, entries.c.currency)
    query = select(*whose, func.sum(entries.c.amount_minor)).where(entries.c.kind == kind).group_by(*whose)
    return {
        (owner, currency): Decimal(int(minor)) / units(currency)
        for owner, currency, minor in connection.execute(query)
        if minor
    }


def _not_nought(connection: Connection) -> list[Any]:
    """Books that do not balance."""
    book = (entries.c.casino, entries.c.currency)
    total = func.sum(entries.c.amount_minor)
    return list(connection.execute(select(*book, total).group_by(*book).having(total != 0)))


def _wallets(connection: Connection) -> tuple[Any, Any]:
    posted = _sums(connection, "player", entries.c.owner, entries.c.holder, entries.c.currency)
    return posted, _kept(connection, *balances.c)


def _pools(connection: Connection) -> tuple[Any, Any]:
    posted = _sums(connection, "pool", entries.c.owner, entries.c.holder, entries.c.currency)
    meters = jackpot_meters.c
    kept = _kept(connection, meters.jackpot, meters.casino, meters.currency, meters.balance_minor)
    return posted, {key: held for key, held in kept.items() if key[1] != SEED}


def _sums(connection: Connection, kind: str, *whose: ColumnElement[str]) -> Mapping[tuple[str, ...], int]:
    query = select(*whose, func.sum(entries.c.amount_minor)).where(entries.c.kind == kind).group_by(*whose)
    return {tuple(key): int(minor) for *key, minor in connection.execute(query) if minor}


def _kept(connection: Connection, *columns: ColumnElement[Any]) -> Mapping[tuple[str, ...], int]:
    return {tuple(key): int(minor) for *key, minor in connection.execute(select(*columns)) if minor}
