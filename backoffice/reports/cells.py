"""How the cells of a report are written: once, the same in every form."""

from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, date, datetime
from decimal import Decimal
from fractions import Fraction
from typing import Any

from backoffice.kernel.currencies import format_minor
from backoffice.reports.report import Column, Kind, Row

Written = tuple[str | None, ...]
"""A row as text, a cell a column; None for nothing."""


def write_row(columns: Sequence[Column], row: Row) -> Written:
    """Every cell of `row`, those that the frame works out too."""
    return tuple(_WRITERS[column.kind](column, row) for column in columns)


def moment(value: datetime) -> str:
    """`2026-03-01T20:00:00Z`; with the parts of a second that there are."""
    return value.astimezone(UTC).replace(tzinfo=None).isoformat() + "Z"


def hundredths(part: int, whole: int, digits: int = 2) -> str:
    """`part` of `whole` in percent, rounded half to even."""
    return f"{Decimal(round(Fraction(part, whole) * 10 ** (digits + 2))).scaleb(-digits):f}"


def _text(column: Column, row: Row) -> str | None:
    value = row[column.name]
    return None if value is None else str(value)


def _count(column: Column, row: Row) -> str | None:
    value = row[column.name]
    return None if value is None else str(int(value))


def _money(column: Column, row: Row) -> str | None:
    value, currency = row[column.name], row[column.currency]
    if value is None or (currency is None and not value):  # nothing, of no currency
        return None
    return format_minor(int(value), currency)


def _percent(column: Column, row: Row) -> str | None:
    part, whole = _divided(column, row)
    return hundredths(part, whole) if whole else None


def _mean(column: Column, row: Row) -> str | None:
    part, whole = _divided(column, row)
    return format_minor(round(Fraction(part, whole)), row[column.currency]) if whole else None


def _divided(column: Column, row: Row) -> tuple[int, int]:
    part, whole = column.ratio
    return int(row[part]), int(row[whole])


def _time(column: Column, row: Row) -> str | None:
    value: datetime | None = row[column.name]
    return None if value is None else moment(value)


def _day(column: Column, row: Row) -> str | None:
    value: date | None = row[column.name]
    return None if value is None else value.isoformat()


_WRITERS: Mapping[Kind, Callable[[Column, Mapping[str, Any]], str | None]] = {
    Kind.TEXT: _text,
    Kind.COUNT: _count,
    Kind.MONEY: _money,
    Kind.NUMBER: _text,
    Kind.PERCENT: _percent,
    Kind.MEAN: _mean,
    Kind.TIME: _time,
    Kind.DAY: _day,
}
