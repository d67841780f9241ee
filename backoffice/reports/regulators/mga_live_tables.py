"""B2CTpLvGmSmryRpt: a UTC day's live tables in one currency, and the jackpots, for the Malta Gaming Authority.

Readings, for a house whose players stake from their accounts and whose tables have no chips of their own: the drop is
what was staked on the games; fills are what the house put in to pay the winners; on account is what lay in unfinished
rounds when the day ended; credits there are none. Drop less fills is the gross gaming revenue.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from itertools import chain

from backoffice.domain.filings.events import Authority
from backoffice.domain.terms import TableTerms
from backoffice.kernel.exchange import parse_rate
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document, Node, leaves
from backoffice.reports.regulators.pools import PoolTold, pools_told, rates_at
from backoffice.reports.regulators.scope import Scope
from backoffice.reports.regulators.tables_played import Table, tables_played
from backoffice.reports.regulators.values import exact, fitted, utc

MALTA: Authority = "mga"
LIVE_TABLES = "mga-live-tables"
RECORD = "LvTblSmryActvy"
TABLES_A_BLOCK, BLOCKS = 25, 2
TABLES_A_FILE = TABLES_A_BLOCK * BLOCKS
SHORT, LONG = 16, 35
"""Letters of a Max16Text and of a Max35Text."""
OTHER = "Other"
"""The house knows neither junkets nor who walked in."""
EURO = "EUR"
_DECIMALS = 8
_MOST = 10**15 - 1
_RATE_DIGITS = 8


@dataclass(frozen=True, slots=True)
class Sheet:
    """One of the files of a day in a currency: so many tables, and the jackpots where it is the casino's first."""

    currency: str
    number: int
    tables: Mapping[str, Table]
    with_jackpots: bool

    @property
    def part(self) -> str:
        """What tells it apart from the others of the day."""
        return self.currency if self.number == 1 else f"{self.currency} {self.number}"


def sheets(scope: Scope) -> Iterator[Sheet]:
    """The files of a day: each currency of the casino with every table that plays in it, also those that stood idle."""
    for currency in scope.currencies:
        played = tables_played(scope, currency)
        names = sorted({*_tables_for(scope, currency), *played})
        for start in range(0, max(len(names), 1), TABLES_A_FILE):
            first = start == 0
            yield Sheet(
                currency,
                start // TABLES_A_FILE + 1,
                {name: played.get(name, Table()) for name in names[start : start + TABLES_A_FILE]},
                with_jackpots=first and currency == scope.currencies[0],
            )


def live_tables_document(scope: Scope, sheet: Sheet, heading: Heading) -> Document:
    """One file. Raises ParticularMissing, RateMissing and, while it is written, Unwritable."""
    header = report_header(
        licence=scope.particular("licence"),
        website=scope.particular_if_any("website"),
        begin=scope.bounds.begin,
        made_at=heading.made_at,
        version=heading.version,
    )
    block = [_block(scope, sheet)] if sheet.tables else []
    root = Node("{MGA}B2CTpLvGmSmryRpt", [header, *block])
    return Document(root, scope.notice, {"mga": "MGA", "rri": "RRI"}, RECORD, within=None)


def report_header(
    licence: str, website: str | None, begin: datetime, made_at: datetime, version: int
) -> Node:
    """What the report is; its version goes up when the same day is handed in again."""
    return Node(
        "{MGA}Header",
        leaves(
            Tp="Report",
            PrdTp="Periodic",
            Ctgy="Summary",
            CrtDtTm=utc(made_at),
            RprtStrtDt=utc(begin),
            RptPrd="P1D",
            RprtToCntry="MT",
            RprtOprtr=licence,
            RprtURL=website,
            VrsNb=str(version),
        ),
    )


def table_record(name: str, table: Table, currency: str) -> Node:
    """One table's day."""
    return Node(
        RECORD,
        leaves(
            TblID=fitted(name, SHORT),
            TtlOnAccount=money(table.held_minor, currency),
            TtlDrop=money(table.stake_minor, currency),
            TtlFills=money(table.paid_minor, currency),
            TtlCredits=money(0, currency),
        ),
    )


def jackpot_record(pool: PoolTold) -> Node:
    """One pool: the running one, or one that was won that day."""
    said = leaves(
        JckptNm=fitted(pool.jackpot, LONG),
        JckptPrzTp="Progressive",
        JckptPlTp=_pool_type(pool),
        CCY=pool.currency,
        JckptAmnt=money(pool.worth_minor, pool.currency),
        JckptStrtDt=pool.began.isoformat(),
        JckptEndTp="Won" if pool.won else None,
    )
    return Node("Jackpot", (Node(f"{{RRI}}{node.name}", node.content) for node in said))


def money(minor: int, currency: str) -> str:
    """A sum of any currency. Raises Unwritable."""
    return exact(minor, currency, decimals=_DECIMALS, most=_MOST)


def base_rate(of_currency: str, of_euro: str) -> str:
    """Units of a currency for a euro, from those of either for one of the network's base currency."""
    digits = round(parse_rate(of_currency) / parse_rate(of_euro) * Fraction(10) ** _RATE_DIGITS)
    return f"{Decimal(digits).scaleb(-_RATE_DIGITS).normalize():f}"


def _block(scope: Scope, sheet: Sheet) -> Node:
    records = [table_record(name, table, sheet.currency) for name, table in sheet.tables.items()]
    starts = range(0, len(records), TABLES_A_BLOCK)
    blocks = (_tables(records[start : start + TABLES_A_BLOCK]) for start in starts)
    end = scope.bounds.end
    rate = base_rate(rates_at(scope, end, sheet.currency), rates_at(scope, end, EURO))
    jackpots = _jackpots(scope) if sheet.with_jackpots else ()
    return Node("{MGA}CCY", chain(blocks, jackpots), {"CCY": sheet.currency, "BaseRate": rate})


def _tables(records: Sequence[Node]) -> Node:
    return Node("{MGA}SmryCshFlwbyPlyrTp", chain([Node("PlyrTp", OTHER)], records))


def _jackpots(scope: Scope) -> Iterator[Node]:
    pools = [jackpot_record(pool) for pool in pools_told(scope)]
    if pools:
        yield Node("{MGA}B2CJckPtsSmry", pools)


def _pool_type(pool: PoolTold) -> str:
    if pool.casinos > 1:
        return "Wide Area"
    return "Proprietary" if pool.tables > 1 else "Standalone"


def _tables_for(scope: Scope, currency: str) -> Iterator[str]:
    for name, terms in scope.reading.network.tables.items():
        if scope.casino in terms.casinos and currency in _currencies(terms):
            yield name


def _currencies(terms: TableTerms) -> set[str]:
    return set(terms.limits.get("ante", {})) if terms.stud is None else {terms.stud.currency}
