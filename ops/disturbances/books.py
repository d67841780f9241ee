"""What a house comes to, without where in the log it stands: two houses that were asked the same must agree on it."""

from collections import Counter
from collections.abc import Collection, Iterator

from sqlalchemy import Engine, text

from backoffice.bootstrap import CODEC, house_on
from backoffice.domain.cases.events import CaseEvent
from backoffice.domain.cases.state import Case, evolve_case
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.ledger import postings
from backoffice.log.verification import verify_log

TABLES = {
    "balances": "select * from read.balances",
    "debts": "select * from read.debts",
    "meters": "select * from read.jackpot_meters",
    "rounds": "select round, table_id, phase, suspended from read.rounds",
    "lines": "select round, seat, bet, currency, stake_minor, result, payout_minor, rule, cut_minor, pooled_minor"
    " from read.round_lines",
    "shares": "select jackpot, cycle, round, seat, player, currency, amount_minor from read.jackpot_shares",
}


def books(engine: Engine) -> dict[str, list[str]]:
    """Everything that must be the same, as sorted lines."""
    with engine.connect() as connection:
        told = {name: sorted(map(str, connection.execute(text(query)))) for name, query in TABLES.items()}
    told["cases"] = sorted(f"{name}: {case}" for name, case in cases_of(engine).items())
    return told


def cases_of(engine: Engine) -> dict[str, Case]:
    """Every case as its facts leave it."""
    cases: dict[str, Case] = {}
    for event in _events(engine, [kind.type_name for kind in EVENTS if issubclass(kind, CaseEvent)]):
        assert isinstance(event, CaseEvent)
        cases[event.case] = evolve_case(cases.get(event.case), event)
    return cases


def complaints(engine: Engine) -> Iterator[str]:
    """Everything that is wrong with a house by itself; nothing where all is well."""
    house = house_on(engine)
    for difference in house.projector().compare():
        yield f"a stored row is not what the log says: {difference}"
    broken = verify_log(house.log)
    if broken is not None:
        yield f"the chain is broken at {broken.position}: {broken.reason}"
    total: Counter[str] = Counter()
    for event in _events(engine):
        for _, currency, minor in postings(event):
            total[currency] += minor
    yield from (f"the trial balance in {code} is {minor}" for code, minor in total.items() if minor)
    yield from _twice(engine)


def _twice(engine: Engine) -> Iterator[str]:
    """Effects that one cause had twice."""
    query = text(
        "select cause, type, count(*) from log.events where cause is not null and type in"
        " ('round.cancelled', 'round.reversed', 'case.compensation_paid', 'case.dismissed', 'case.large_win_released',"
        " 'case.debt_written_off', 'case.reversal_carried_out') group by 1, 2 having count(*) > 1"
    )
    with engine.connect() as connection:
        for cause, kind, count in connection.execute(query):
            if kind != "case.dismissed":  # a reversal dismisses every held share of its round
                yield f"{kind} {count} times because of {cause}"


def _events(engine: Engine, types: Collection[str] | None = None) -> Iterator[Event]:
    for recorded in house_on(engine).log.read(types=types):
        event = CODEC.decode(recorded.type, recorded.schema, recorded.data)
        assert isinstance(event, Event)
        yield event
