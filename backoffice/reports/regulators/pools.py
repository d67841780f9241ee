"""What was in a jackpot's pool at a moment, and what players had given to it; from the ledger's entries."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, cast, func, select

from backoffice.domain.jackpots.state import Jackpot, evolve_jackpot
from backoffice.domain.network.state import Rates, evolve_rates
from backoffice.kernel.exchange import parse_rate, to_base
from backoffice.projections.entries import entries
from backoffice.projections.jackpot_shares import jackpot_shares as shares
from backoffice.projections.round_lines import round_lines as lines
from backoffice.reports.regulators.refusals import RateMissing
from backoffice.reports.regulators.scope import Scope


@dataclass(frozen=True, slots=True)
class Before:
    """What happened before a moment, or stood in the log before a position; and was known by the scope's position."""

    moment: datetime
    position: int | None = None


def jackpot_as_known(scope: Scope, jackpot: str) -> Jackpot:
    """A jackpot as its facts leave it at the scope's position."""
    state: Jackpot | None = None
    for event in scope.facts(f"jackpot/{jackpot}"):
        state = evolve_jackpot(state, event)
    assert state is not None  # a table's jackpot is defined with the table
    return state


def began_at(scope: Scope, jackpot: str) -> datetime:
    """When a jackpot came into being."""
    return scope.reading.log.read_stream(f"jackpot/{jackpot}")[0].happened_at


def worth(scope: Scope, jackpot: str, before: Before) -> int:
    """What the pool held, in minor units of the base currency: each bucket converted once, at the rates of the moment."""
    holds = (entries.c.kind.in_(["pool", "seed"]),)
    return _in_base(scope, _buckets(scope, jackpot, before, *holds), before.moment)


def contributed(scope: Scope, jackpot: str, before: Before) -> int:
    """What players had given to the pool that was running then, given back what was; in the base currency."""
    return _in_base(scope, _contributions(scope, jackpot, before), before.moment)


def contributed_in(scope: Scope, jackpot: str, before: Before, currency: str) -> int:
    """What players had given to it in one currency."""
    given = scope.reading.stream(_contributions(scope, jackpot, before))
    return sum(row["minor"] for row in given if row["currency"] == currency)


def rates_at(scope: Scope, moment: datetime, currency: str) -> str:
    """Units of a currency for one of the base currency at a moment, as it was given. Raises RateMissing."""
    if currency == scope.reading.network.base_currency:
        return "1"
    rates = Rates()
    for event in scope.facts(f"rates/{currency}"):
        rates = evolve_rates(rates, event)
    found = rates.at(moment)
    if found is None:
        raise RateMissing(f"no rate for {currency} was in force at {moment.isoformat()}")
    return found


def _contributions(scope: Scope, jackpot: str, before: Before) -> Select[Any]:
    """Marks and what was given back of them, into the pool and into its reserve; since the last hit of the whole pool."""
    given = (entries.c.kind.in_(["pool", "reserve"]), entries.c.type.like("round.%"))
    return _buckets(
        scope, jackpot, before, *given, entries.c.position > _last_emptied(scope, jackpot, before)
    )


def _buckets(scope: Scope, jackpot: str, before: Before, *which: ColumnElement[bool]) -> Select[Any]:
    return (
        select(
            entries.c.holder,
            entries.c.currency,
            cast(func.sum(entries.c.amount_minor), BigInteger).label("minor"),
        )
        .where(entries.c.owner == jackpot, *which, *_then(entries, scope, before))
        .group_by(entries.c.holder, entries.c.currency)
        .order_by(entries.c.holder, entries.c.currency)
    )


def _last_emptied(scope: Scope, jackpot: str, before: Before) -> ColumnElement[int]:
    """The position of the last hit of the whole pool that had not been taken back."""
    gone = select(lines.c.round).where(
        lines.c.round == shares.c.round, lines.c.number == shares.c.number + 1, *_then(lines, scope, before)
    )
    hit = (shares.c.jackpot == jackpot, shares.c.percent == 100, *_then(shares, scope, before))
    last = select(func.max(shares.c.position)).where(*hit, ~gone.exists())
    return func.coalesce(last.scalar_subquery(), 0)


def _then(table: Any, scope: Scope, before: Before) -> Iterator[ColumnElement[bool]]:
    yield table.c.position <= scope.position
    if before.position is None:
        yield table.c.happened_at < before.moment
    else:
        yield table.c.position < before.position


def _in_base(scope: Scope, buckets: Select[Any], moment: datetime) -> int:
    base = scope.reading.network.base_currency
    return sum(
        to_base(row["minor"], row["currency"], parse_rate(rates_at(scope, moment, row["currency"])), base)
        for row in scope.reading.stream(buckets)
    )
