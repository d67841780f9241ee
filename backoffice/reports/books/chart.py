"""The accountant's chart of accounts, and which account of it takes which accounts of the house's ledger."""

import tomllib
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from functools import cached_property, lru_cache
from importlib.resources import files
from itertools import combinations
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, ValidationError
from sqlalchemy import ColumnElement, Table, and_, case, false, or_

from backoffice.domain.accounts import Account
from backoffice.domain.event import PRINTABLE

ANY = "*"
_MOST_PARTS = 3
Pattern = tuple[str, ...]
"""The parts of an account's name, `*` for whatever there is: `("player", "*", "*")`."""


class BadChart(Exception):
    """A chart that is none, or that takes an account of the ledger twice or not at all; the message names it."""


class AccountType(StrEnum):
    """What an account is to the accountant."""

    ASSET = "asset"
    LIABILITY = "liability"
    EQUITY = "equity"
    INCOME = "income"
    EXPENSE = "expense"


class ChartAccount(BaseModel):
    """One account of the accountant's: `takes` are names of ledger accounts, a part that is `*` stands for any."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    number: Annotated[str, StringConstraints(pattern=r"^[0-9]{1,20}$")]
    name: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]
    type: Annotated[AccountType, Field(strict=False)]
    takes: Annotated[list[str], Field(min_length=1)]
    grouping_category: Annotated[str, StringConstraints(min_length=1, max_length=256)] | None = None
    grouping_code: Annotated[str, StringConstraints(min_length=1, max_length=35)] | None = None

    @property
    def patterns(self) -> Iterator[Pattern]:
        """What it takes, part by part."""
        return (tuple(name.split(":", _MOST_PARTS - 1)) for name in self.takes)

    @cached_property
    def kinds(self) -> frozenset[str]:
        """The kinds of accounts that it takes."""
        return frozenset(kind for kind, *_ in self.patterns)


class Chart(BaseModel):
    """A whole chart. Takes no ledger account twice; whether it takes all can be seen from a ledger only."""

    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")

    title: Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]
    account: Annotated[list[ChartAccount], Field(min_length=1)]

    @cached_property
    def by_number(self) -> dict[str, ChartAccount]:
        """The accounts in the order of their numbers, as text."""
        return {account.number: account for account in sorted(self.account, key=lambda each: each.number)}

    @cached_property
    def taker(self) -> Callable[[Account], ChartAccount | None]:
        """The account that takes one of the ledger; None where none does."""
        return lru_cache(maxsize=8192)(self._taker)

    def _taker(self, account: Account) -> ChartAccount | None:
        parts = tuple(part for part in account if part)
        fitting = (each for each in self.account if any(_fits(parts, pattern) for pattern in each.patterns))
        return next(fitting, None)

    def number_of(self, table: Table) -> ColumnElement[str | None]:
        """The number of the account that takes a row of `table` (`kind`, `owner`, `holder`); null where none does."""
        whens = [
            (or_(false(), *(_matches(table, pattern) for pattern in account.patterns)), account.number)
            for account in self.account
        ]
        return case(*whens, else_=None)


def default_chart() -> str:
    """The chart to begin with, as the text of a file."""
    return files(__package__).joinpath("default_chart.toml").read_text(encoding="utf-8")


def chart_text(path: Path | None = None) -> str:
    """The chart of a file, or the default one, as it is written. Raises OSError, or BadChart where it is no text."""
    try:
        return default_chart() if path is None else path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as unreadable:
        raise BadChart(f"{path}: {unreadable}") from unreadable


def read_chart(path: Path | None = None) -> Chart:
    """The chart of a file, or the default one. Raises OSError, or BadChart with everything that is wrong with it."""
    return parse_chart(chart_text(path), "the default chart" if path is None else str(path))


def parse_chart(text: str, name: str = "the chart") -> Chart:
    """The chart that is written so. Raises BadChart, beginning with `name`."""
    try:
        chart = Chart.model_validate(tomllib.loads(text))
    except tomllib.TOMLDecodeError as unreadable:
        raise BadChart(f"{name}: {unreadable}") from unreadable
    except ValidationError as invalid:
        told = (f"{_place(error['loc'])}: {error['msg']}" for error in invalid.errors(include_url=False))
        raise BadChart(f"{name}: {'; '.join(told)}") from invalid
    for reason in _contradictions(chart.account):
        raise BadChart(f"{name}: {reason}")
    return chart


def _place(loc: Sequence[int | str]) -> str:
    return ".".join(str(part + 1) if isinstance(part, int) else part for part in loc)


def _contradictions(accounts: Sequence[ChartAccount]) -> Iterator[str]:
    for one, other in combinations(accounts, 2):
        if one.number == other.number:
            yield f"two accounts have the number {one.number}"
    taken = [(account, pattern) for account in accounts for pattern in account.patterns]
    for account, pattern in taken:
        if ANY in pattern[:1] or not all(pattern):
            yield f"{account.number} takes {':'.join(pattern)}: that is no name of an account"
    for (one, mine), (other, yours) in combinations(taken, 2):
        if len(mine) == len(yours) and all(a == b or ANY in {a, b} for a, b in zip(mine, yours, strict=True)):
            both = ":".join(a if b == ANY else b for a, b in zip(mine, yours, strict=True))
            yield f"{both} is taken by both {one.number} {one.name} and {other.number} {other.name}"


def _fits(parts: Sequence[str], pattern: Pattern) -> bool:
    return len(parts) == len(pattern) and all(
        wanted in {ANY, part} for part, wanted in zip(parts, pattern, strict=True)
    )


def _matches(table: Table, pattern: Pattern) -> ColumnElement[bool]:
    """Whether a row is of an account of that name: a part that is not named is not there."""
    columns = (table.c.kind, table.c.owner, table.c.holder)
    parts = (*pattern, *("" for _ in range(_MOST_PARTS - len(pattern))))
    return and_(
        *(
            column != "" if part == ANY else column == part
            for column, part in zip(columns, parts, strict=True)
        )
    )
