"""What tables and office ask at random, in shared commits of any size on a real log: the same as in the pure domain."""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import islice
from random import Random

import pytest
from promises import check_promises
from pure_house import PureHouse
from random_office import evening
from sqlalchemy import Engine, select

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Declined, Request, Visit
from backoffice.app.tables import significant_events
from backoffice.bootstrap import CODEC
from backoffice.domain.event import Command
from backoffice.domain.ledger import postings
from backoffice.kernel.money import Money
from backoffice.log.postgres import PostgresLog
from backoffice.projections.balances import balances
from backoffice.projections.debts import debts
from backoffice.projections.jackpot_meters import jackpot_meters
from backoffice.projections.projector import Projector
from backoffice.reports.telling import followed

HERE = Visit("somewhere")


def in_parts(
    asked: Sequence[tuple[Command, str | None]], chance: Random
) -> Iterator[list[tuple[Command, str | None]]]:
    """Commits of one command, of a few, of very many."""
    left = iter(asked)
    while part := list(islice(left, chance.choice([1, 3, 200]))):
        yield part


def reasons(handler: Handler, part: Sequence[tuple[Command, str | None]]) -> list[str | None]:
    outcomes = handler.commit([Request(command, "floor", "somebody", visit=HERE) for command, _ in part])
    return [outcome.reason if isinstance(outcome, Declined) else None for outcome in outcomes]


@pytest.mark.parametrize("seed", range(4))
def test_the_log_decides_as_the_pure_domain_whoever_remembers_what(engine: Engine, seed: int) -> None:
    house, chance = evening(seed), Random(seed)  # noqa: S311
    log = PostgresLog(engine)
    handlers = [Handler(log, CODEC, Recall(CODEC)), Handler(log, CODEC, Recall(CODEC, far=50))]
    for part in in_parts(house.asked, chance):
        assert reasons(chance.choice(handlers), part) == [reason for _, reason in part]
    recorded = [CODEC.decode(one.type, one.schema, one.data) for one in log.read()]
    assert recorded == house.events
    check_rows(engine, house)
    check_evidence(engine, house)


def check_evidence(engine: Engine, house: PureHouse) -> None:
    """Of every balance that somebody changed it says what it was before the first of their facts, and behind the last."""
    query = select(significant_events).order_by(significant_events.c.first_position)
    with engine.connect() as connection:
        told = connection.execute(query).all()
    assert told
    held, at = Counter[str](), 0
    for row in told:
        at = _moved(held, house, at, row.first_position - 1)
        before, after = json.loads(row.before), json.loads(row.after)
        assert {subject: _shown(held, subject) for subject in _balances(before)} == _balances(before)
        behind = held.copy()
        _moved(behind, house, at, at + _caused(engine, row.first_position))
        assert {subject: _shown(behind, subject) for subject in _balances(after)} == _balances(after)


def _moved(held: Counter[str], house: PureHouse, at: int, upto: int) -> int:
    for event in house.events[at:upto]:
        for account, currency, minor in postings(event):
            if account.kind == "player":
                held[f"balance of {account.holder} of {account.owner} in {currency}"] += minor
    return max(at, upto)


def _balances(told: dict[str, object]) -> dict[str, object]:
    return {subject: text for subject, text in told.items() if subject.startswith("balance of ")}


def _shown(held: Counter[str], subject: str) -> str:
    return str(Money(held[subject], subject.rpartition(" ")[2]))


def _caused(engine: Engine, first: int) -> int:
    """How many facts from this position on go back to one request, in one commit."""
    return len(followed(PostgresLog(engine), first, first))


def check_rows(engine: Engine, house: PureHouse) -> None:
    """What is written with the append is what the domain holds; what is projected is what the log says."""
    check_promises(house)
    with engine.connect() as connection:
        held = {tuple(row)[:3]: row.balance_minor for row in connection.execute(select(balances))}
        owed = {tuple(row)[:3]: row.owed_minor for row in connection.execute(select(debts))}
        buckets = {tuple(row)[:3]: row.balance_minor for row in connection.execute(select(jackpot_meters))}
    assert held == {tuple(wallet): minor for wallet, minor in house.past.balances.items()}
    assert owed == {
        (*player, currency): minor
        for player, debts_of in house.past.debts.items()
        for currency, minor in debts_of.items()
    }
    assert buckets == {
        (jackpot, *bucket): minor
        for jackpot, held_in in house.past.buckets.items()
        for bucket, minor in held_in.items()
    }
    projector = Projector(engine, CODEC)
    projector.catch_up()
    assert list(projector.compare()) == []
