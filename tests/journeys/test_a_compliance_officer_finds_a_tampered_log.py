"""Somebody with the keys to the database made a payout larger; the compliance officer finds out, and where."""

import json

import psycopg
import pytest
from command_line import backoffice
from front_door import a_handler, deposit, events, founding, take, whole_round
from sqlalchemy import Engine, text


@pytest.fixture(autouse=True)
def _evening(engine: Engine) -> None:
    rounds = [whole_round(f"r-{number}", "ann") for number in range(3)]
    take(a_handler(engine), founding(), deposit("ann"), *(request for one in rounds for request in one))


def test_a_compliance_officer_finds_a_tampered_log(engine: Engine) -> None:
    verified = backoffice(engine, "verify")
    assert verified.code == 0
    assert "events, whole; head " in verified.out

    # The database itself refuses: facts are not changed.
    settled = events(engine, "round/r-1")[-1]
    data = json.loads(settled.data)
    data["lines"][1]["payout"] = 400_000
    change = text("update log.events set data = cast(:data as json) where position = :position")
    parameters = {"data": json.dumps(data), "position": settled.position}
    with engine.connect() as connection, pytest.raises(Exception, match="append-only") as refused:
        connection.execute(change, parameters)
    assert isinstance(refused.value.__cause__, psycopg.Error)

    # Somebody gets round it, and leaves the money alone to look harmless.
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        connection.execute(change, parameters)

    # The chain names the place; the rules name the bet, and what was due.
    verified = backoffice(engine, "verify")
    assert (verified.code, verified.out) == (
        1,
        f"broken at position {settled.position}: its hash does not fit its content and the hash before it\n",
    )
    audited = backoffice(engine, "round", "audit", "--all")
    assert audited.code == 1
    where = f"round r-1, position {settled.position}"
    what = "round.settled.lines[seat 1, bet call].payout: recorded 400000, due 0"
    assert audited.out.splitlines() == [f"{where}: {what}", "3 decisions made again, 1 differ"]
    # And the money, which was left alone, does not fit the forged fact.
    compared = backoffice(engine, "projections", "compare", "balances")
    assert (compared.code, "ann" in compared.out) == (1, True)


@pytest.mark.parametrize(
    ("tampering", "told"),
    [
        ("delete from log.events where position = 5", "broken at position 5: missing"),
        ("delete from log.events where position > 20", "broken at position 21: missing"),
        ("update log.events set actor = 'mallory' where position = 7", "broken at position 7: its hash"),
        ("update log.head set hash = sha256('x')", "the chain is whole, but it is not the one"),
    ],
)
def test_whatever_else_is_done_to_a_log_is_found(engine: Engine, tampering: str, told: str) -> None:
    with engine.begin() as connection:
        connection.execute(text("set local session_replication_role = replica"))
        connection.execute(text(tampering))
    verified = backoffice(engine, "verify")
    assert (verified.code, told in verified.out) == (1, True), verified.out
