"""What took a finished round back, or corrected it, is decided again as everything else; no forgery in it goes unnamed."""

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from front_door import a_handler
from random_office import evening
from sqlalchemy import Engine, text

from backoffice.app.requests import Request
from backoffice.bootstrap import CODEC
from backoffice.log.postgres import PostgresLog
from backoffice.reports import round_audit
from backoffice.reports.round_audit import Audited, audit_rounds

Data = dict[str, Any]
Forgery = Callable[[Data], bool | None]


@pytest.fixture
def undone(engine: Engine) -> Engine:
    """A log of an evening in which a good deal was taken back, corrected, and taken back again."""
    house = evening(6, actions=1200)
    a_handler(engine).commit([Request(command, "floor", "somebody") for command, _ in house.asked])
    return engine


def audited(engine: Engine, only: str | None = None) -> list[Audited]:
    return list(audit_rounds(PostgresLog(engine), CODEC, only))


@contextmanager
def forged(engine: Engine, kind: str, forge: Forgery) -> Iterator[None]:
    """The first event of a kind that `forge` can change (it says False where not)."""
    for recorded in PostgresLog(engine).read(types=[kind]):
        data = json.loads(recorded.data)
        if forge(data) is not False:
            break
    else:
        raise AssertionError(f"no {kind} is like that")
    overwrite(engine, recorded.position, json.dumps(data))
    yield
    overwrite(engine, recorded.position, recorded.data.decode())


def overwrite(engine: Engine, position: int, data: str) -> None:
    """As somebody would who got round the triggers."""
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        connection.execute(
            text("update log.events set data = cast(:data as json) where position = :position"),
            {"data": data, "position": position},
        )


def more(part: str, field: str) -> Forgery:
    """A unit more in the first of some parts."""

    def forge(data: Data) -> bool:
        if not data[part]:
            return False
        whose = data[part][0]
        holder, name = (whose[field], "minor") if isinstance(whose[field], dict) else (whose, field)
        holder[name] += 1
        return True

    return forge


FORGERIES: list[tuple[str, Forgery, str]] = [
    ("round.reversed", more("lines", "payout"), "round.reversed.lines["),
    ("round.reversed", more("lines", "stake"), "round.reversed.lines["),
    ("round.reversed", more("contributions", "contribution"), "round.reversed.contributions["),
    ("round.reversed", more("shortfalls", "amount"), "round.reversed.shortfalls["),
    ("round.reversed", lambda data: data["shortfalls"].clear() if data["shortfalls"] else False, "due {"),
    ("round.corrected", more("stakes", "stake"), "round.corrected.stakes["),
    ("round.corrected", lambda data: data.update(cycle=data["cycle"] + 1), "round.corrected.cycle"),
    ("jackpot.hit_reversed", more("shares", "amount"), "jackpot.hit_reversed.shares["),
    ("jackpot.hit_reversed", more("buckets", "taken"), "jackpot.hit_reversed.buckets["),
    (
        "case.compensation_taken_back",
        lambda data: data["amount"].update(minor=1),
        ".amount.minor: recorded 1",
    ),
]


def test_an_evening_of_second_thoughts_audits_clean_and_its_forgeries_are_named(undone: Engine) -> None:
    clean = audited(undone)
    assert {"round.reversed", "round.corrected"} <= {one.decision for one in clean}
    assert [one for one in clean if one.differences] == []
    for kind, forge, told in FORGERIES:
        with forged(undone, kind, forge):
            differences = [text for one in audited(undone) for text in one.differences]
            assert any(told in difference for difference in differences), (kind, told, differences[:3])
    assert not any(one.differences for one in audited(undone))


def test_one_round_that_was_taken_back_is_audited_as_among_all(undone: Engine) -> None:
    everything = audited(undone)
    names = [one.round for one in everything if one.decision == "round.corrected"]
    for name in names[:3]:
        assert audited(undone, name) == [one for one in everything if one.round == name]


def test_a_reversal_that_nobody_approved_is_named(undone: Engine) -> None:
    for recorded in PostgresLog(undone).read(types=["case.proposal_approved"]):
        if recorded.stream.startswith("case/reversal/"):
            data = json.loads(recorded.data)
            overwrite(undone, recorded.position, json.dumps({**data, "final": False}))
            break
    differences = [text for one in audited(undone) for text in one.differences]
    assert any("there is nothing to carry out" in difference for difference in differences)


def test_nothing_is_remembered_of_what_was_looked_up(undone: Engine, monkeypatch: pytest.MonkeyPatch) -> None:

    pasts: list[Any] = []
    real = round_audit._AuditPast.__init__

    def noted(self: Any, *given: Any) -> None:
        real(self, *given)
        pasts.append(self)

    monkeypatch.setattr(round_audit._AuditPast, "__init__", noted)
    audited(undone)
    (past,) = pasts
    assert (past.rounds, past.cases, past.debts) == ({}, {}, {})
    assert set(past.balances) <= set(past.watched)
