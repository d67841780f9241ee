"""The network as it is made up now: casinos, tables, jackpots and rates, with amounts as people write them."""

from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import reduce

from pydantic import Field
from sqlalchemy import Connection, func, select

from backoffice.domain.jackpots.state import Jackpot, evolve_jackpot
from backoffice.domain.network.state import Network, Rates, evolve_network, evolve_rates
from backoffice.domain.terms import RESERVE, JackpotTerms, TableTerms
from backoffice.kernel.currencies import format_minor
from backoffice.log.codec import Codec
from backoffice.log.seen import SeenLog
from backoffice.projections.jackpot_meters import jackpot_meters
from backoffice.projections.reading import log_head
from backoffice.reports.decoding import decoded
from backoffice.reports.queries.paging import Shown
from backoffice.reports.scope import Scope


class CasinoShown(Shown):
    """A casino of the network."""

    casino: str = Field(examples=["tallinn"])
    currencies: list[str] = Field(examples=[["EUR"]])
    timezone: str = Field(examples=["Europe/Tallinn"])
    gaming_day_starts: str = Field(examples=["06:00"])


class Stakes(Shown):
    """The stakes of a Five Card Stud table."""

    currency: str = Field(examples=["EUR"])
    small: str = Field(examples=["1.00"])
    big: str = Field(examples=["2.00"])
    ante: str = Field(examples=["0.10"])
    bring_in: str = Field(examples=["0.50"])
    rake_percent: str = Field(examples=["5"])
    last_card: str = Field(examples=["up"])


class Range(Shown):
    """The smallest and the largest."""

    least: str = Field(examples=["5.00"])
    most: str = Field(examples=["500.00"])


class TableShown(Shown):
    """A table, and what a round is opened with there."""

    table: str = Field(examples=["live-1"])
    ruleset: str = Field(examples=["caribbean-live/1"])
    casinos: list[str] = Field(examples=[["tallinn", "stockholm"]])
    jackpot: str | None = Field(examples=["royal"])
    seats: int | None
    limits: dict[str, dict[str, Range]] = Field(description="By bet and currency.")
    max_payout: dict[str, str] = Field(description="By currency.", examples=[{"EUR": "50000.00"}])
    bonus_returns_stake: bool
    stud: Stakes | None


class Chip(Shown):
    """What a mark costs, and how much of it feeds the pool."""

    stake: str = Field(examples=["1.00"])
    pool: str = Field(examples=["0.70"])


class JackpotParameters(Shown):
    """What a pool runs by."""

    currency: str = Field(examples=["EUR"])
    seed: str = Field(examples=["5000.00"])
    chip: dict[str, Chip] = Field(description="By currency.")
    fixed_prizes: str = Field(description="Who pays them.", examples=["house"])
    split: str = Field(examples=["equal"])
    ceiling: str | None
    verify_over: str | None = Field(description="A share above this waits for a second person.")


class JackpotShown(Shown):
    """A jackpot: the parameters of the running pool, and those of the next one where they will be others."""

    jackpot: str = Field(examples=["royal"])
    cycle: int = Field(description="Counts its pools.", examples=[3])
    parameters: JackpotParameters
    next_parameters: JackpotParameters | None


class NetworkShown(Shown):
    """The network as it is made up now; tables and casinos only as far as the visitor may see them."""

    network: str = Field(examples=["baltic"])
    base_currency: str = Field(examples=["EUR"])
    casinos: list[CasinoShown]
    tables: list[TableShown]
    jackpots: list[JackpotShown]
    rates: dict[str, str] = Field(
        description="In force at this moment: units of a currency for one of the base currency.",
        examples=[{"SEK": "11.4210"}],
    )
    version: int = Field(description="Of the network's own stream.", examples=[9])
    position: int = Field(description="The log's end when this was read.", examples=[4711])


def read_network(connection: Connection, codec: Codec, scope: Scope) -> NetworkShown:
    """The network, out of the log itself; empty names where it was not founded yet."""
    log, position = SeenLog(connection), log_head(connection).position
    facts = log.read_stream("network")
    network = reduce(evolve_network, (decoded(codec, one) for one in facts), Network())
    currencies = {code for casino in network.casinos.values() for code in casino.currencies}
    return NetworkShown(
        network=network.id,
        base_currency=network.base_currency,
        casinos=[
            CasinoShown(
                casino=name,
                currencies=list(casino.currencies),
                timezone=casino.timezone,
                gaming_day_starts=casino.gaming_day_starts,
            )
            for name, casino in sorted(network.casinos.items())
            if scope.covers(name)
        ],
        tables=[
            _table(name, terms)
            for name, terms in sorted(network.tables.items())
            if scope.meets(terms.casinos)
        ],
        jackpots=[_jackpot(state) for state in _jackpots(connection, codec, log)],
        rates=rates_in_force(connection, codec, currencies - {network.base_currency}),
        version=len(facts),
        position=position,
    )


def rates_in_force(connection: Connection, codec: Codec, currencies: Iterable[str]) -> dict[str, str]:
    """The rates at this moment, by the database's clock; a currency that has none is not there."""
    now: datetime = connection.execute(select(func.clock_timestamp())).scalar_one()
    streams = SeenLog(connection).read_streams([f"rates/{currency}" for currency in sorted(currencies)])
    rates = {}
    for stream, recorded in streams.items():
        rate = reduce(evolve_rates, (decoded(codec, one) for one in recorded), Rates()).at(now)
        if rate is not None:
            rates[stream.removeprefix("rates/")] = rate
    return rates


def _jackpots(connection: Connection, codec: Codec, log: SeenLog) -> Iterable[Jackpot]:
    """Every jackpot there is: each has a meter, its reserve one of its own."""
    names = connection.scalars(select(jackpot_meters.c.jackpot).distinct().order_by(jackpot_meters.c.jackpot))
    streams = log.read_streams([f"jackpot/{name}" for name in names if not name.startswith(RESERVE)])
    for recorded in streams.values():
        state: Jackpot | None = None
        for one in recorded:
            state = evolve_jackpot(state, decoded(codec, one))
        assert state is not None  # it has a meter
        yield state


def _table(name: str, terms: TableTerms) -> TableShown:
    stud = terms.stud
    return TableShown(
        table=name,
        ruleset=terms.ruleset,
        casinos=list(terms.casinos),
        jackpot=terms.jackpot,
        seats=terms.seats,
        limits={
            bet: {
                code: Range(least=format_minor(least, code), most=format_minor(most, code))
                for code, (least, most) in of.items()
            }
            for bet, of in terms.limits.items()
        },
        max_payout=_amounts(terms.max_payout),
        bonus_returns_stake=terms.bonus_returns_stake,
        stud=None
        if stud is None
        else Stakes(
            currency=stud.currency,
            rake_percent=stud.rake_percent,
            last_card=stud.last_card,
            **{
                name: format_minor(getattr(stud, name), stud.currency)
                for name in ("small", "big", "ante", "bring_in")
            },
        ),
    )


def _amounts(minor: Mapping[str, int]) -> dict[str, str]:
    return {code: format_minor(amount, code) for code, amount in minor.items()}


def _jackpot(state: Jackpot) -> JackpotShown:
    following = None if state.next_terms is None else _parameters(state.next_terms)
    return JackpotShown(
        jackpot=state.id, cycle=state.cycle, parameters=_parameters(state.terms), next_parameters=following
    )


def _parameters(terms: JackpotTerms) -> JackpotParameters:
    def base(minor: int | None) -> str | None:
        return None if minor is None else format_minor(minor, terms.currency)

    return JackpotParameters(
        currency=terms.currency,
        seed=format_minor(terms.seed, terms.currency),
        chip={
            code: Chip(stake=format_minor(chip.stake, code), pool=format_minor(chip.pool, code))
            for code, chip in terms.chip.items()
        },
        fixed_prizes=terms.fixed_prizes,
        split=terms.split,
        ceiling=base(terms.ceiling),
        verify_over=base(terms.verify_over),
    )
