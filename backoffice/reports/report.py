"""What a report is: a name, columns with their kinds, and rows as a stream. Frozen data; how to add one stands in the package.

A row is a mapping from column names to plain values: text, whole numbers, minor units of money, moments in UTC, days.
Nothing is written here: the forms (`rendering`) write all reports alike.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from backoffice.projections.projection import Projection
from backoffice.reports.reading import Reading

Row: TypeAlias = Mapping[str, Any]


class Kind(StrEnum):
    """What stands in a column."""

    TEXT = "text"
    """Anything; in a table calculator's file it cannot start a formula."""
    COUNT = "count"
    """A whole number."""
    MONEY = "money"
    """Minor units of the currency that another column names; written with all its digits."""
    NUMBER = "number"
    """A decimal number, given as it is to be written."""
    PERCENT = "percent"
    """One summed column in hundredths of another, worked out by the frame; nothing where that is zero."""
    MEAN = "mean"
    """Money of one summed column for each of another, worked out by the frame; nothing where that is zero."""
    TIME = "time"
    """A moment in UTC."""
    DAY = "day"
    """A date."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name (small letters and `_`), its kind, and what makes it more than a cell."""

    name: str
    kind: Kind = Kind.TEXT
    currency: str = "currency"
    """The column that says in which currency the money is."""
    summed: bool = False
    """Whether it stands in the totals."""
    ratio: tuple[str, str] = ("", "")
    """What is divided by what, for a percent or a mean: two summed columns."""


def texts(*names: str) -> tuple[Column, ...]:
    """Columns of text."""
    return tuple(map(Column, names))


def counts(*names: str, summed: bool = True) -> tuple[Column, ...]:
    """Columns of whole numbers."""
    return tuple(Column(name, Kind.COUNT, summed=summed) for name in names)


def sums(*names: str, currency: str = "currency", summed: bool = True) -> tuple[Column, ...]:
    """Columns of money."""
    return tuple(Column(name, Kind.MONEY, currency, summed) for name in names)


@dataclass(frozen=True, slots=True)
class Report:
    """A report: what it is called, what it needs, what stands in it."""

    name: str
    """As it is asked for: `revenue`."""
    title: str
    about: str
    """What it tells, in a sentence."""
    columns: tuple[Column, ...]
    rows: Callable[[Reading], Iterable[Row]]
    """Its rows in their order, always the same for the same log; read in flat memory where there may be many."""
    needs: tuple[Projection, ...] = ()
    """The read models it is made from: all at one position, in one snapshot."""
    version: int = 1
    """Goes up by one when the same log is to give other bytes."""
    filters: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    """What else can be asked for (`--only NAME=VALUE`), and what that means."""
    words: Mapping[str, tuple[str, ...]] = field(default_factory=lambda: MappingProxyType({}))
    """Filters that take one of a few words only, the default first."""
    wants: tuple[str, ...] = ()
    """What has to be asked for: `casino`, or filters by name."""
    pinned: Callable[[Reading], Reading] | None = None
    """Where it tells of an earlier place in the log than the newest, and always of the same: how the reading gets there."""
    says: Callable[[Reading], Mapping[str, str]] | None = None
    """What else it says about itself, by name."""
    tells_of_others: bool = False
    """Whether, asked about one casino, it tells of another's seats or requests where both play at a table: it is then only for
    who may see the whole network."""
    confidential: bool = False
    """Whether it tells of suspicions, which whoever deals with the player must not know of."""
    totals_by: tuple[str, ...] = ()
    """Columns for each combination of which there is a row of totals."""

    def column(self, name: str) -> Column:
        """The column of this name."""
        return next(column for column in self.columns if column.name == name)
