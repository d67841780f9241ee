"""The database hangs up on the front door at every point of a commit: everyone is answered once, nothing happens twice."""

from collections.abc import Iterator
from contextlib import contextmanager
from threading import current_thread
from typing import Any

import psycopg
import pytest
from front_door import (
    a_handler,
    action,
    balance,
    deposit,
    differences,
    events,
    founding,
    opened,
    rows,
    take,
    withdraw,
)
from sqlalchemy import Engine

from backoffice.app import group_commit
from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Accepted, Declined, Outcome, Request
from backoffice.db import make_engine
from backoffice.log.postgres import PostgresLog
from backoffice.log.verification import verify_log

STEPS_AT_MOST = 60


@pytest.fixture(autouse=True)
def _at_once(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(group_commit, "_RETRY_AFTER_SECONDS", (0, 0, 0.1))
    take(a_handler(engine), founding(), deposit("ann", "100.00", id="known"))


class Saboteur:
    """Has the server end the connection of one thread just before, or just after, the n-th thing it asks of it."""

    def __init__(self, engine: Engine, at: int, *, after: bool) -> None:
        self.at, self.after, self.steps, self.done = at, after, 0, False
        self._url = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)

    def step(self, connection: psycopg.Connection[Any], ask: Any, *args: Any, **options: Any) -> Any:
        if self.done or not current_thread().name.startswith("group-commit"):
            return ask(*args, **options)
        self.steps += 1
        if self.steps <= self.at:
            return ask(*args, **options)
        self.done = True
        if self.after:
            ask(*args, **options)
        self._hang_up(connection.info.backend_pid)
        return connection.execute("is anybody there") if self.after else ask(*args, **options)

    def _hang_up(self, pid: int) -> None:
        with psycopg.connect(self._url, autocommit=True) as other:
            other.execute("select pg_terminate_backend(%s, 5000)", [pid])


@contextmanager
def sabotaged(engine: Engine, at: int, *, after: bool) -> Iterator[Saboteur]:
    saboteur = Saboteur(engine, at, after=after)
    with pytest.MonkeyPatch.context() as patched:
        for kind, name in (
            (psycopg.Cursor, "execute"),
            (psycopg.Cursor, "copy"),
            (psycopg.Connection, "commit"),
        ):
            patched.setattr(kind, name, _watched(saboteur, getattr(kind, name)))
        yield saboteur


def _watched(saboteur: Saboteur, ask: Any) -> Any:
    def watched(self: Any, *args: Any, **options: Any) -> Any:
        connection = self if isinstance(self, psycopg.Connection) else self.connection
        return saboteur.step(connection, ask, self, *args, **options)

    return watched


def batch(number: int) -> list[Request]:
    """What a batch may hold: an action refused that would be accepted behind the batch, a conflict, a reaction."""
    poor = f"poor-{number}"
    return [
        withdraw(poor, "5.00"),
        deposit(poor, "10.00"),
        deposit("ann", "1.00", id="known"),
        opened(f"r-{number}"),
        action("cancel", round=f"r-{number}", reason="x"),
    ]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_wherever_the_connection_dies_the_answers_are_those_of_one_commit(
    engine: Engine, *, after: bool
) -> None:
    survived = 0
    with GroupCommit(a_handler(engine)) as group:
        for at in range(STEPS_AT_MOST):
            head = PostgresLog(engine).head().position
            with sabotaged(engine, at, after=after) as saboteur:
                requests = batch(at)
                outcomes = group.submit(requests).result()
            _check(engine, at, head, requests, outcomes)
            if not saboteur.done:
                break
            survived += 1
    assert 10 < survived < STEPS_AT_MOST - 1
    assert balance(engine, "ann") == 10_000
    assert verify_log(PostgresLog(engine)) is None
    assert differences(engine) == []


def _check(engine: Engine, number: int, head: int, requests: list[Request], outcomes: list[Outcome]) -> None:
    refused, brought, conflict, open_, cancel = outcomes
    assert isinstance(refused, Declined)
    assert refused.rule == "cover"
    assert isinstance(conflict, Declined)
    assert conflict.rule == "conflict"
    facts = events(engine)[head:]
    assert [one.type for one in facts] == [
        "wallet.money_deposited",
        "sender.key_conflicted",
        "round.opened",
        "round.cancellation_requested",
        "round.cancelled",
    ]
    assert brought == Accepted(head + 1, head + 1)
    assert open_ == Accepted(head + 3, head + 3)
    assert cancel == Accepted(head + 4, head + 4)
    assert balance(engine, f"poor-{number}") == 1000
    kept = rows(engine, f"select count(*) from intake.refusals where key = '{requests[0].key}'")  # noqa: S608
    assert kept == [(1,)]


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
def test_also_where_nothing_but_refusals_was_to_be_written(engine: Engine, *, after: bool) -> None:
    with GroupCommit(a_handler(engine)) as group:
        for at in range(STEPS_AT_MOST):
            request = withdraw("poor", "5.00")
            with sabotaged(engine, at, after=after) as saboteur:
                assert isinstance(group.handle(request), Declined)
            if not saboteur.done:
                break
    assert rows(engine, "select count(*), count(distinct key) from intake.refusals") == [(at + 1, at + 1)]


def test_connections_that_died_while_nobody_looked_cost_nobody_an_answer(engine: Engine) -> None:
    """The server was started anew: everything in the pool is dead, more than there are tries. Readers have no tries."""
    with GroupCommit(a_handler(engine)) as group:
        group.handle(deposit("bob"))
        for connection in [engine.connect() for _ in range(9)]:
            connection.close()
        _hang_up_on_all(engine)
        assert isinstance(group.handle(deposit("bob")), Accepted)
        _hang_up_on_all(engine)
        assert len(events(engine)) == PostgresLog(engine).head().position


def test_a_database_that_stays_away_is_told_to_everyone_who_waits(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere = make_engine("postgresql://127.0.0.1:1/nowhere")
    with GroupCommit(a_handler(nowhere)) as group:
        waiting = [group.submit([deposit("ann")]) for _ in range(3)]
        for one in waiting:
            with pytest.raises(group_commit.LOST):
                one.result()
    nowhere.dispose()


def _hang_up_on_all(engine: Engine) -> None:
    plain = engine.url.set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as other:
        others = (
            "datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'"
        )
        other.execute(f"select pg_terminate_backend(pid, 5000) from pg_stat_activity where {others}")  # noqa: S608
