"""A report's file read back: its rows and its totals added up, in flat memory."""

import csv
from collections.abc import Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple, TypeAlias

from backoffice.reports.rendering.as_csv import NO_ACTIVITY
from backoffice.reports.report import Report

Sums: TypeAlias = Mapping[tuple[str, ...], Decimal]
"""By whose it is (the columns that the report's totals are by) and, last, the column it stands in; no zeroes."""


class Read(NamedTuple):
    """What a file's rows come to, and what its own totals say."""

    rows: int
    added: Sums
    totals: Sums


def read_report(report: Report, path: Path) -> Read:
    """The file of a report as CSV, read back."""
    with path.open(encoding="utf-8", newline="") as stream:
        lines = csv.reader(stream)
        for _ in takewhile(bool, lines):  # what it says about itself
            pass
        columns = next(lines)
        rows, added = _add_up(report, columns, takewhile(bool, lines))
        next(lines, None)  # the word
        _, totals = _add_up(report, columns, takewhile(bool, lines))
    return Read(rows, added, totals)


def add(one: Sums, other: Sums) -> Sums:
    """Both together."""
    both = {key: one.get(key, Decimal()) + other.get(key, Decimal()) for key in {**one, **other}}
    return {key: sum_ for key, sum_ in both.items() if sum_}


def _add_up(report: Report, columns: Sequence[str], lines: Iterator[list[str]]) -> tuple[int, Sums]:
    summed = [column.name for column in report.columns if column.summed]
    sums: dict[tuple[str, ...], Decimal] = {}
    rows = 0
    for line in lines:
        if line == [NO_ACTIVITY]:
            continue
        rows += 1
        cells = dict(zip(columns, line, strict=True))
        whose = tuple(cells[name] for name in report.totals_by)
        for name in summed:
            if cells[name]:
                sums[*whose, name] = sums.get((*whose, name), Decimal()) + Decimal(cells[name])
    return rows, {key: sum_ for key, sum_ in sums.items() if sum_}
