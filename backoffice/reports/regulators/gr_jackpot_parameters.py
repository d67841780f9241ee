"""Online_Jackpot_Parameters: the jackpots of the casino's tables, their parameters, and what was in them at the day's end."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import chain

from backoffice.domain.terms import ChipTerms, JackpotTerms
from backoffice.reports.regulators.greek import LETTERS, batch, euros
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.pools import (
    Before,
    began_at,
    contributed,
    jackpot_as_known,
    jackpots_of,
    worth,
)
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.values import fitted, utc
from backoffice.rules.book import HouseBook, Percent
from backoffice.rules.books import SHELF

PARAMETERS = "gr-jackpot-parameters"
RECORD = "Online_Jackpot_Parameters"
STAND_ALONE, LINKED = "1", "2"
ACTIVE = "1"
LONG = 200
"""Letters of a LongString."""
_RATE_DIGITS = 7
WHOLE = 100


@dataclass(frozen=True, slots=True)
class Pool:
    """One jackpot as a record tells it; sums are in minor units of its own currency."""

    jackpot: str
    network: str
    began_at: datetime
    tables: int
    books: Sequence[str]
    terms: JackpotTerms
    worth_minor: int
    contributed_minor: int


def parameters_document(scope: Scope, heading: Heading) -> Document:
    """All jackpots of the casino. Raises ParticularMissing and, while it is written, RateMissing, Unwritable."""
    return batch(scope, heading, RECORD, _records(scope, heading))


def parameters_record(pool: Pool, record_id: str, before: str | None) -> Node:
    """A jackpot's parameters; a percentage of the pool that a hand wins is a level of it."""
    currency = pool.terms.currency
    head = leaves(RecordID=record_id, ReplacedRecordID=before)
    return Node(RECORD, chain(head, [Node("JackpotData", _data(pool)), Node("Currency", currency)]))


def _data(pool: Pool) -> Iterator[Node]:
    levels = _levels(pool.books)
    yield from leaves(
        JackpotID=fitted(pool.jackpot, LETTERS),
        JackpotProviderID=fitted(f"{pool.network}/{pool.jackpot}", LETTERS),
        JackpotName=fitted(pool.jackpot, LONG),
        JackpotType=LINKED if pool.tables > 1 else STAND_ALONE,
        JackpotStartDate=utc(pool.began_at),
        JackpotStatus=ACTIVE,
        ProfitDistributionLevelCount=str(len(levels)),
    )
    yield from (Node("ProfitDistributionLevelData", _level(pool, percent)) for percent in levels)
    yield Node("PaytableIDCount", str(len(pool.books)))
    yield from (Node("PaytableID", fitted(book, LETTERS)) for book in pool.books)


def _level(pool: Pool, percent: int) -> Iterator[Node]:
    terms, currency = pool.terms, pool.terms.currency
    chip = terms.chip.get(currency) or next(iter(terms.chip.values()), None)
    own_chip = terms.chip.get(currency)
    return leaves(
        ProfitDistributionLevelID=f"{percent}%",
        IncreaseRate=None if chip is None else _rate(chip),
        MinimumWagerAmount=None if own_chip is None else euros(own_chip.stake, currency),
        StartUpAmount=euros(terms.seed, currency),
        AmountJackpotLimitCeiling=None if terms.ceiling is None else euros(terms.ceiling, currency),
        TotalJackpotAmount=euros(round(Fraction(pool.worth_minor * percent, WHOLE)), currency),
        TotalJackpotRake=euros(pool.contributed_minor, currency),
    )


def _rate(chip: ChipTerms) -> str | None:
    """What part of a mark feeds the pool; nothing where none does."""
    digits = round(Fraction(chip.pool, chip.stake) * 10**_RATE_DIGITS)
    return f"{Decimal(digits).scaleb(-_RATE_DIGITS):f}" if digits else None


def _levels(books: Sequence[str]) -> Sequence[int]:
    """The percentages of the pool that hands win by any of the books."""
    found = set()
    for name in books:
        book = SHELF[name]
        assert isinstance(book, HouseBook)  # no other has a jackpot
        assert book.jackpot is not None  # its table has one
        found |= {prize.percent for prize in book.jackpot.prizes.values() if isinstance(prize, Percent)}
    return sorted(found)


def _records(scope: Scope, heading: Heading) -> Iterator[Node]:
    before = scope.replaced(heading.replaces)
    known_before = [] if before is None else jackpots_of(before)
    for jackpot in jackpots_of(scope):
        replaced = _record_id(scope, heading.replaces, jackpot) if jackpot in known_before else None
        yield parameters_record(
            pool_at_end(scope, jackpot), _record_id(scope, heading.number, jackpot), replaced
        )


def pool_at_end(scope: Scope, jackpot: str) -> Pool:
    """A jackpot at the end of the scope's day. Raises RateMissing."""
    network = scope.reading.network
    tables = [terms for terms in network.tables.values() if terms.jackpot == jackpot]
    end = Before(scope.bounds.end)
    return Pool(
        jackpot=jackpot,
        network=network.id,
        began_at=began_at(scope, jackpot),
        tables=len(tables),
        books=sorted({terms.ruleset for terms in tables}),
        terms=jackpot_as_known(scope, jackpot).terms,
        worth_minor=worth(scope, jackpot, end),
        contributed_minor=contributed(scope, jackpot, end),
    )


def _record_id(scope: Scope, number: int | None, jackpot: str) -> str:
    return scope.identify("parameters", number, jackpot)
