"""Making the network what its file says, and setting rates."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime

from backoffice.domain.event import Event, Refused
from backoffice.domain.network.commands import (
    ApprovalSection,
    JackpotSection,
    NetworkFile,
    SetRate,
    StudSection,
    TableSection,
)
from backoffice.domain.network.contradictions import contradictions
from backoffice.domain.network.events import (
    ApprovalSet,
    CasinoDefined,
    NetworkFounded,
    ParticularsGiven,
    RateSet,
    TableDefined,
)
from backoffice.domain.network.legal import particulars
from backoffice.domain.network.state import Network, Rates
from backoffice.domain.terms import ApprovalTerms, ChipTerms, JackpotTerms, StudTerms, TableTerms
from backoffice.kernel.currencies import BadAmount, exponent, parse_minor
from backoffice.kernel.exchange import BadRate, parse_rate


def apply_network(
    state: Network, rates: Mapping[str, Rates], file: NetworkFile, at: datetime
) -> Iterator[Event]:
    """The facts about network, casinos, tables and rates in which `file`, applied at `at`, differs from what holds.

    Jackpots are the jackpots' own; see `jackpot_terms`. Raises Refused for a contradiction in the file, and for
    another id or base currency than the network was founded with.
    """
    for found in contradictions(file):
        raise Refused(f"{'.'.join(map(str, found.place))}: {found.reason}", "network")
    if (state.id or file.network.id) != file.network.id:
        raise Refused(f"this log is of network {state.id}, not of {file.network.id}", "network")
    if (state.base_currency or file.network.base_currency) != file.network.base_currency:
        raise Refused(f"the base currency of network {state.id} is {state.base_currency} for good", "network")
    if not state.id:
        yield NetworkFounded(network=file.network.id, base_currency=file.network.base_currency)
    if (approval := _approval_terms(file.approval)) != state.approval:
        yield ApprovalSet(terms=approval)
    yield from _casinos(state, file, at)
    yield from _particulars(state, file)
    yield from (
        RateSet(quote=quote, rate=rate)
        for quote, rate in file.rates.items()
        if rates.get(quote, Rates()).from_file != rate
    )
    for table in file.table:
        terms = _table_terms(table)
        if state.tables.get(table.id) != terms:
            yield TableDefined(table=table.id, terms=terms)


def jackpot_terms(section: JackpotSection) -> JackpotTerms:
    """The parameters of a jackpot, in minor units."""
    return JackpotTerms(
        currency=section.currency,
        seed=parse_minor(section.seed, section.currency),
        chip={
            currency: ChipTerms(parse_minor(chip.stake, currency), parse_minor(chip.pool, currency))
            for currency, chip in section.chip.items()
        },
        fixed_prizes=section.fixed_prizes,
        split=section.split,
        ceiling=None if section.ceiling is None else parse_minor(section.ceiling, section.currency),
        verify_over=None
        if section.verify_over is None
        else parse_minor(section.verify_over, section.currency),
    )


def set_rate(state: Network, command: SetRate) -> list[Event]:
    """A rate in force from the command's time on."""
    try:
        exponent(command.quote)
        parse_rate(command.rate)
    except (BadAmount, BadRate) as bad:
        raise Refused(str(bad), "rate") from bad
    if not state.id:
        raise Refused("there is no network yet: no rate can be set", "rate")
    if command.quote == state.base_currency:
        raise Refused(f"{command.quote} is the base currency: it has no rate to itself", "rate")
    return [RateSet(quote=command.quote, rate=command.rate, since=command.at)]


def _approval_terms(section: ApprovalSection) -> ApprovalTerms:
    return ApprovalTerms(
        expires_seconds=section.expires_hours * 3600,
        limits={
            role: {currency: parse_minor(text, currency) for currency, text in limits.items()}
            for role, limits in section.limits.items()
        },
    )


def _casinos(state: Network, file: NetworkFile, at: datetime) -> Iterator[Event]:
    for section in file.casino:
        known = state.casinos.get(section.id)
        casino = CasinoDefined(
            casino=section.id,
            currencies=tuple(section.currencies),
            timezone=section.timezone,
            gaming_day_starts=section.gaming_day_starts,
            since=None if known is None else known.since,
        )
        if known is None:
            yield casino
        elif known != casino:
            yield replace(casino, since=at)


def _particulars(state: Network, file: NetworkFile) -> Iterator[Event]:
    for section in file.casino:
        said = particulars(section.legal)
        if said != state.particulars.get(section.id, {}):
            yield ParticularsGiven(casino=section.id, particulars=said)


def _table_terms(table: TableSection) -> TableTerms:
    ranges = {"ante": table.limits.ante, "bonus": table.limits.bonus, "total": table.limits.total}
    return TableTerms(
        ruleset=table.ruleset,
        casinos=tuple(table.casinos),
        jackpot=table.jackpot,
        seats=table.seats,
        limits={
            bet: {
                currency: (parse_minor(low, currency), parse_minor(high, currency))
                for currency, (low, high) in by_currency.items()
            }
            for bet, by_currency in ranges.items()
            if by_currency
        },
        max_payout={currency: parse_minor(text, currency) for currency, text in table.max_payout.items()},
        bonus_returns_stake=table.bonus_returns_stake,
        stud=None if table.stud is None else _stud_terms(table.stud),
    )


def _stud_terms(stud: StudSection) -> StudTerms:
    return StudTerms(
        currency=stud.currency,
        small=parse_minor(stud.small, stud.currency),
        big=parse_minor(stud.big, stud.currency),
        ante=parse_minor(stud.ante, stud.currency),
        bring_in=parse_minor(stud.bring_in, stud.currency),
        rake_percent=stud.rake_percent,
        last_card=stud.last_card,
    )
