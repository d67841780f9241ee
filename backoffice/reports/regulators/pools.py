"""What was in a jackpot's pool at a moment, and what players had given to it; from the ledger's entries."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any

from sqlalchemy import BigInteger, ColumnElement, Select, and_, cast, func, or_, select

from backoffice.domain.jackpots.events import JackpotHit, JackpotHitReversed, JackpotSeeded
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


@dataclass(frozen=True, slots=True)
class PoolTold:
    """A pool of a jackpot: the one that runs when a day ends, or one that was won on it; in its own currency."""

    jackpot: str
    currency: str
    tables: int
    casinos: int
    began: date
    worth_minor: int
    """What is in it, or what was won."""
    won: bool = False


def jackpots_of(scope: Scope) -> Sequence[str]:
    """The jackpots of the tables at which the casino's players sit."""
    tables = scope.reading.network.tables.values()
    return sorted({terms.jackpot for terms in tables if terms.jackpot and scope.casino in terms.casinos})


def jackpot_as_known(scope: Scope, jackpot: str) -> Jackpot:
    """A jackpot as its facts leave it at the scope's position."""
    state: Jackpot | None = None
    for event in scope.facts(f"jackpot/{jackpot}"):
        state = evolve_jackpot(state, event)
    assert state is not None  # a table's jackpot is defined with the table
    return state


def began_at(scope: Scope, jackpot: str) -> datetime:
    """When a jackpot came into being."""
    began, _ = next(scope.dated_facts(f"jackpot/{jackpot}"))
    return began


def worth(scope: Scope, jackpot: str, before: Before) -> int:
    """What the pool held, in minor units of the base currency: each bucket converted once, at the rates of the moment.

    What a network file gives holds from the start, its rates as well as a jackpot's first seed.
    """
    seeded = and_(entries.c.owner == jackpot, entries.c.type == JackpotSeeded.type_name)
    first_seed = select(func.min(entries.c.position)).where(seeded).scalar_subquery()
    then = or_(and_(*_then(entries, scope, before)), entries.c.position == first_seed)
    return _in_base(scope, _buckets(jackpot, entries.c.kind.in_(["pool", "seed"]), then), before.moment)


def contributed(scope: Scope, jackpot: str, before: Before) -> int:
    """What players had given to the pool that was running then, given back what was; in the base currency."""
    return _in_base(scope, _contributions(scope, jackpot, before), before.moment)


def contributed_in(scope: Scope, jackpot: str, before: Before, currency: str) -> int:
    """What players had given to it in one currency."""
    given = scope.reading.stream(_contributions(scope, jackpot, before))
    return sum(row["minor"] for row in given if row["currency"] == currency)


def pools_told(scope: Scope) -> Iterator[PoolTold]:
    """The pools of the casino's jackpots, each behind those of its jackpot that were won that day. Raises RateMissing."""
    for jackpot in jackpots_of(scope):
        tables = [each for each in scope.reading.network.tables.values() if each.jackpot == jackpot]
        casinos = {casino for terms in tables for casino in terms.casinos}
        said = (jackpot, jackpot_as_known(scope, jackpot).terms.currency, len(tables), len(casinos))
        began, won = _cycles(scope, jackpot)
        for hit in won:
            yield PoolTold(*said, began[hit.cycle], hit.amount, won=True)
        yield PoolTold(*said, began[max(began)], worth(scope, jackpot, Before(scope.bounds.end)))


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


def _cycles(scope: Scope, jackpot: str) -> tuple[dict[int, date], list[JackpotHit]]:
    """When each pool of a jackpot began, up to the day's end, and the hits of whole pools that day, but for those reversed."""
    begin, end = scope.bounds
    began: dict[int, date] = {}
    won: dict[tuple[str, int], JackpotHit] = {}
    for at, event in scope.dated_facts(f"jackpot/{jackpot}"):
        match event:
            case JackpotSeeded() if at < end or not began:
                began[event.cycle] = at.date()
            case JackpotHit(percent=100) if begin <= at < end:
                won[event.round, event.number] = event
            case JackpotHitReversed(percent=100) if at < end:
                won.pop((event.round, event.number), None)
    return began, list(won.values())


def _contributions(scope: Scope, jackpot: str, before: Before) -> Select[Any]:
    """Marks and what was given back of them, into the pool and into its reserve; since the last hit of the whole pool."""
    given = (entries.c.kind.in_(["pool", "reserve"]), entries.c.type.like("round.%"))
    since = entries.c.position > _last_emptied(scope, jackpot, before)
    return _buckets(jackpot, *given, since, *_then(entries, scope, before))


def _buckets(jackpot: str, *which: ColumnElement[bool]) -> Select[Any]:
    return (
        select(
            entries.c.holder,
            entries.c.currency,
            cast(func.sum(entries.c.amount_minor), BigInteger).label("minor"),
        )
        .where(entries.c.owner == jackpot, *which)
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
