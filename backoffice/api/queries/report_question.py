"""What reports are asked with, as parameters: a casino, days, and whatever any of them can be narrowed by."""

from collections.abc import Mapping
from datetime import date
from inspect import Parameter, Signature
from typing import Annotated

from fastapi import Depends, Query

from backoffice.api.problems import Finding, Kind, Problem
from backoffice.api.queries.parameters import TheScope
from backoffice.domain.event import PRINTABLE, Day
from backoffice.kernel.calendar import Days
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS

MOST_DAYS = 3700
"""Of one report: books are kept for ten years."""
_OWN = "only_"
"""Before the names of filters among Python's own words."""


async def _period(
    day: Annotated[Day | None, Query(description="One day.", examples=["2026-03-01"])] = None,
    first: Annotated[
        Day | None, Query(alias="from", description="The first day; with `to`.", examples=["2026-03-01"])
    ] = None,
    last: Annotated[
        Day | None,
        Query(alias="to", description=f"The last day, at most {MOST_DAYS} days on.", examples=["2026-03-31"]),
    ] = None,
) -> tuple[date, date] | None:
    """The first and the last day; None for everything. Raises a Problem."""
    if day is not None:
        if first is not None or last is not None:
            raise invalid("day", "give a day, or the first and the last one")
        return day, day
    if first is None and last is None:
        return None
    if first is None or last is None:
        raise invalid("from" if first is None else "to", "give the first and the last day, both")
    if not 0 <= (last - first).days < MOST_DAYS:
        raise invalid("to", f"is the first day or a later one, and there are {MOST_DAYS} days at most")
    return first, last


async def _filters(**given: str | None) -> Mapping[str, str]:
    return {name.removeprefix(_OWN): value for name, value in given.items() if value is not None}


def _filter(name: str) -> Parameter:
    """A filter as a parameter: what it means to each report that knows it."""
    meanings = {report.filters[name]: None for report in REPORTS.values() if name in report.filters}
    asked = Query(
        alias=name, min_length=1, max_length=64, pattern=PRINTABLE, description=". Or: ".join(meanings)
    )
    return Parameter(
        f"{_OWN}{name}", Parameter.KEYWORD_ONLY, default=None, annotation=Annotated[str | None, asked]
    )


FILTERS = tuple(sorted({name for report in REPORTS.values() for name in report.filters}))
"""Whatever any report can be narrowed by; which knows which is said by the list of reports."""
_filters.__signature__ = Signature(list(map(_filter, FILTERS)))  # type: ignore[attr-defined]


async def _question(
    scope: TheScope,
    period: Annotated[tuple[date, date] | None, Depends(_period)],
    only: Annotated[Mapping[str, str], Depends(_filters)],
    days: Annotated[Days, Query(description="What a day is.")] = Days.GAMING,
) -> Asked:
    """Raises a Problem where somebody who sees some casinos only names none of them."""
    if len(scope.casinos) > 1:
        raise invalid(
            "casino", f"a report is of one casino or of all: name one of {', '.join(scope.casinos)}"
        )
    first, last = (None, None) if period is None else period
    return Asked(next(iter(scope.casinos), None), first, last, days, only)


TheQuestion = Annotated[Asked, Depends(_question)]
"""What a report is asked."""


def invalid(field: str, reason: str) -> Problem:
    """A parameter that cannot be taken, and why."""
    return Problem(Kind.INVALID, f"{field}: {reason}", errors=[Finding(field=field, reason=reason)])
