"""The books as tables, by a chart: every posting in the order of the days, every account on its own, and what they come to.

Debits and credits are of the accountant's own accounts; a balance is a debit where it is above zero.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import date
from itertools import groupby
from operator import itemgetter
from typing import Any, TypeAlias

from sqlalchemy import (
    BigInteger,
    ColumnElement,
    RowMapping,
    Select,
    Text,
    cast,
    func,
    literal,
    select,
    union_all,
)

from backoffice.domain.accounts import Account
from backoffice.reports.books.booking import Span
from backoffice.reports.books.chart import Chart
from backoffice.reports.books.ledger import FILTERS, NEEDS, Ledger
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import Reading
from backoffice.reports.report import Column, Kind, Report, Row, counts, sums, texts

_PLACE = (*counts("position", "line", summed=False), *texts("type", "round"))
_TIMES = (Column("happened_at", Kind.TIME), Column("recorded_at", Kind.TIME))
_ACCOUNT = texts("number", "name")
_Key: TypeAlias = tuple[str, str, str]
_KEY = itemgetter("casino", "number", "currency")
_PERIODS = {"day": "YYYY-MM-DD", "month": "YYYY-MM"}


def tables(chart: Chart) -> tuple[Report, ...]:
    """The three tables by a chart."""
    return (
        Report(
            name="journal",
            title="Journal",
            about="every posting of the books, day by day in the order of the log",
            columns=(
                *texts("casino"),
                Column("day", Kind.DAY),
                *_PLACE,
                *_ACCOUNT,
                *texts("account", "currency"),
                *sums("debit", "credit"),
                *_TIMES,
            ),
            rows=_by(chart, _journal),
            needs=NEEDS,
            filters=FILTERS,
            totals_by=("casino", "currency"),
        ),
        Report(
            name="general-ledger",
            title="General ledger",
            about="every account of the books with its movements and its balance after each",
            columns=(
                *texts("casino"),
                *_ACCOUNT,
                *texts("currency"),
                Column("day", Kind.DAY),
                *_PLACE,
                *texts("account"),
                *sums("debit", "credit"),
                *sums("balance", summed=False),
                *_TIMES,
            ),
            rows=_by(chart, _general_ledger),
            needs=NEEDS,
            filters=FILTERS,
            totals_by=("casino", "currency"),
        ),
        Report(
            name="trial-balance",
            title="Trial balance",
            about="what every account of the books held, took and gave; each book comes to nought in each currency",
            columns=(
                *texts("casino", "period"),
                *_ACCOUNT,
                *texts("account_type", "currency"),
                *sums("opening", "debit", "credit", "closing"),
            ),
            rows=_by(chart, trial_balance),
            needs=NEEDS,
            filters={
                **FILTERS,
                "by": "a balance for each day or month (day, month), without it one of all days",
            },
            totals_by=("casino", "period", "currency"),
        ),
    )


def _by(chart: Chart, rows: Callable[[Ledger], Iterable[Row]]) -> Callable[[Reading], Iterator[Row]]:
    def made(reading: Reading) -> Iterator[Row]:
        ledger = Ledger(reading, chart)
        ledger.refuse_unmapped()
        yield from rows(ledger)

    return made


def _journal(ledger: Ledger) -> Iterator[Row]:
    lines = ledger.lines().subquery()
    order = lines.c.day, lines.c.position, lines.c.casino, lines.c.line
    for line in ledger.reading.stream(select(lines).order_by(*order)):
        yield _told(ledger.chart, line)


def _general_ledger(ledger: Ledger) -> Iterator[Row]:
    lines = union_all(ledger.opening(), ledger.lines()).subquery()
    order = lines.c.casino, lines.c.number, lines.c.currency, lines.c.day, lines.c.position, lines.c.line
    account = itemgetter("casino", "number", "currency")
    stream = ledger.reading.stream(select(lines).order_by(*order))
    for _, movements in groupby(stream, account):
        balance = 0
        for line in movements:
            balance -= line["amount_minor"]
            yield {**_told(ledger.chart, line), "balance": balance}


def _told(chart: Chart, line: RowMapping) -> Row:
    """A line with its debit or credit; what an account held before is neither."""
    minor = line["amount_minor"] if line["position"] else 0
    return {
        **line,
        "name": chart.by_number[line["number"]].name,
        "account": str(Account(line["kind"], line["owner"], line["holder"])),
        "debit": -minor if minor < 0 else None,
        "credit": minor if minor > 0 else None,
    }


def trial_balance(ledger: Ledger) -> Iterator[Row]:
    """One for every period of a book in which anything moved, or for all its days; of whatever held or moved anything."""
    opening = ledger.reading.stream(select(ledger.opening().subquery()))
    balances = {_KEY(row): -row["amount_minor"] for row in opening}
    for book, span in ledger.spans.items():
        held = {key: balance for key, balance in balances.items() if key[0] == book}
        nothing_moved = True
        for period, rows in groupby(ledger.reading.stream(_moved(ledger, book)), itemgetter("period")):
            nothing_moved = False
            yield from _balanced(ledger.chart, held, period, {_KEY(row): row for row in rows})
        if nothing_moved:
            yield from _balanced(ledger.chart, held, _all_days(span), {})


def _balanced(
    chart: Chart, held: dict[_Key, int], period: str, moved: Mapping[_Key, RowMapping]
) -> Iterator[Row]:
    """The accounts of one period in order; `held` is brought to its end."""
    for key in sorted(held.keys() | moved.keys()):
        book, number, currency = key
        debit, credit = (moved[key]["debit"], moved[key]["credit"]) if key in moved else (0, 0)
        opening = held.get(key, 0)
        held[key] = opening + debit - credit
        account = chart.by_number[number]
        yield {
            "casino": book,
            "period": period,
            "number": number,
            "name": account.name,
            "account_type": account.type,
            "currency": currency,
            "opening": opening,
            "debit": debit,
            "credit": credit,
            "closing": held[key],
        }


def _moved(ledger: Ledger, book: str) -> Select[Any]:
    """Debits and credits of one book by period, account and currency; in that order."""
    lines = ledger.lines().subquery()
    period = _period(ledger, ledger.spans[book], lines.c.day).label("period")
    debit, credit = (func.sum(func.greatest(sign * lines.c.amount_minor, 0)) for sign in (-1, 1))
    by = period, lines.c.casino, lines.c.number, lines.c.currency
    query = select(*by, cast(debit, BigInteger).label("debit"), cast(credit, BigInteger).label("credit"))
    return query.where(lines.c.casino == book).group_by(*by).order_by(*by)


def _period(ledger: Ledger, span: Span, day: ColumnElement[date]) -> ColumnElement[str]:
    by = ledger.reading.asked.only.get("by")
    if by is None:
        return literal(_all_days(span), Text(collation="C"))
    if by not in _PERIODS:
        raise UnknownReport(f"a trial balance is by {' or '.join(_PERIODS)}, not by {by}", "by")
    return cast(func.to_char(day, _PERIODS[by]), Text(collation="C"))


def _all_days(span: Span) -> str:
    first, last = span.first.isoformat(), span.last.isoformat()
    return first if first == last else f"{first}/{last}"
