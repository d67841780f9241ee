"""What accounts held at the end of each day, by another way than the journal: from the balances, debts and meters.

Those read models are written in the append's own transaction and never look at the written-out ledger. What they hold at
the reading's position is gone back from, day by day, by what they themselves make of the log's facts. So whoever checks
a journal against these figures finds a posting that the journal lacks, has twice, or has on another day.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping
from datetime import date, timedelta
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from sqlalchemy import Table, select

from backoffice.domain.accounts import Account, book_of
from backoffice.domain.terms import RESERVE, SEED
from backoffice.log.envelope import Recorded
from backoffice.projections.balances import BALANCES, balances
from backoffice.projections.changes import Add
from backoffice.projections.debts import DEBTS, debts
from backoffice.projections.fact import Fact
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.projections.projection import Projection
from backoffice.reports.books.chart import ChartAccount
from backoffice.reports.books.ledger import Ledger
from backoffice.reports.decoding import decoded

Key: TypeAlias = tuple[str, str, str]
"""Of a row of these read models; its last part is the currency."""
Amounts: TypeAlias = tuple[int, ...]
_KEY = 3
_DAY = timedelta(days=1)


class DayEnd(NamedTuple):
    """What an account of a book held at the end of a day, in minor units: a debit where above zero."""

    book: str
    day: date
    account: ChartAccount
    currency: str
    minor: int


def _wallet(key: Key, amounts: Amounts) -> tuple[Account, int]:
    return Account("player", key[0], key[1]), amounts[0]


def _debt(key: Key, amounts: Amounts) -> tuple[Account, int]:
    return Account("receivable", key[0], key[1]), -amounts[0]


def _bucket(key: Key, amounts: Amounts) -> tuple[Account, int]:
    jackpot, casino, _ = key
    if jackpot.startswith(RESERVE):
        return Account("reserve", jackpot.removeprefix(RESERVE), casino), amounts[-1]
    return Account("seed", jackpot) if casino == SEED else Account("pool", jackpot, casino), amounts[-1]


_READ: Mapping[Table, Callable[[Key, Amounts], tuple[Account, int]]] = MappingProxyType(
    {balances: _wallet, debts: _debt, jackpot_meters: _bucket}
)
KINDS = frozenset({"player", "receivable", "pool", "reserve", "seed"})
"""The kinds of accounts that they hold."""
NEEDS: tuple[Projection, ...] = (BALANCES, DEBTS, JACKPOT_METERS)

_Held: TypeAlias = Counter[tuple[str, str]]
"""By an account's number and the currency, as the house's ledger has it: what is added is above zero."""


def day_ends(ledger: Ledger) -> Iterator[DayEnd]:
    """In the order of days and books: the eve of the first day, every day on which anything moved, and the last day.

    Told are the accounts of the chart that hold nothing but what these read models know.
    """
    held, moved = _held(ledger), _moved(ledger)
    ends = (end for book in ledger.spans for end in _of_book(ledger, book, held[book], moved[book]))
    yield from sorted(ends, key=lambda end: (end.day, end.book, end.account.number, end.currency))


def _of_book(ledger: Ledger, book: str, held: _Held, moved: Mapping[date, _Held]) -> Iterator[DayEnd]:
    """From the last day back to the eve of the first."""
    span, accounts = ledger.spans[book], sorted(held)
    told = {span.first - _DAY, span.last, *(day for day in moved if day <= span.last)}
    for day in sorted(told | moved.keys(), reverse=True):
        if day in told:
            for number, currency in accounts:
                account = ledger.chart.by_number[number]
                yield DayEnd(book, day, account, currency, -held[number, currency])
        held.subtract(moved.get(day, {}))


def _held(ledger: Ledger) -> Mapping[str, _Held]:
    """What the stored rows hold, by book."""
    held: defaultdict[str, _Held] = defaultdict(Counter)
    for table in _READ:
        for row in ledger.reading.stream(select(table)):
            values: tuple[Any, ...] = tuple(row.values())
            for book, account, minor in _taken(ledger, table, values[:_KEY], values[_KEY:]):
                held[book][account] += minor
    return held


def _moved(ledger: Ledger) -> Mapping[str, Mapping[date, _Held]]:
    """What moved since the first day began, by book and day."""
    moved: defaultdict[str, defaultdict[date, _Held]] = defaultdict(lambda: defaultdict(Counter))
    for recorded in _facts(ledger):
        for table, key, amounts in _changes(ledger, recorded):
            for book, account, minor in _taken(ledger, table, key, amounts):
                day = ledger.bookings[book].day_of(recorded.position, recorded.happened_at)
                if day >= ledger.spans[book].first:
                    moved[book][day][account] += minor
    return moved


def _facts(ledger: Ledger) -> Iterator[Recorded]:
    types = {name for projection in NEEDS for name in projection.types}
    reading = ledger.reading
    return reading.log.read(upto=reading.place.position, types=types) if ledger.spans else iter(())


def _changes(ledger: Ledger, recorded: Recorded) -> Iterator[Add]:
    event = decoded(ledger.reading.codec, recorded)
    fact = Fact(recorded.position, recorded.happened_at, recorded.recorded_at, event)
    for projection in NEEDS:
        if isinstance(event, projection.wants):
            for change in projection.changes(fact):
                assert isinstance(change, Add)
                yield change


def _taken(
    ledger: Ledger, table: Table, key: Key, amounts: Amounts
) -> Iterator[tuple[str, tuple[str, str], int]]:
    """The book, the account of the chart with its currency, and the amount; nothing where that was not asked for."""
    account, minor = _READ[table](key, amounts)
    book, currency = book_of(account), key[-1]
    taker = ledger.chart.taker(account)
    if book in ledger.spans and taker is not None and ledger.asks_for(currency) and taker.kinds <= KINDS:
        yield book, (taker.number, currency), minor
