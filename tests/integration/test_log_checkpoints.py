"""How far a reader has come: never backward, never twice, never on with another log."""

from datetime import UTC, datetime
from threading import Thread
from uuid import UUID

import pytest
from sqlalchemy import Engine, text
from sqlalchemy import event as sqlalchemy_event
from uuid_utils.compat import uuid7

from backoffice.log.chain import genesis
from backoffice.log.checkpoints import advance, forget, load, refuse_stranger
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.errors import (
    CheckpointAhead,
    CheckpointBackward,
    CheckpointElsewhere,
    CheckpointMoved,
)
from backoffice.log.postgres import PostgresLog
from ops.disturbances.servers import wait_until


@pytest.fixture
def log(engine: Engine) -> PostgresLog:
    log = PostgresLog(engine)
    append(log, 5)
    return log


def append(log: PostgresLog, count: int) -> None:
    with log.writing() as writer:
        at = writer.versions(["a"])["a"]
        writer.append(
            [
                NewEvent(uuid7(), "a", at + n, "t", 1, datetime.now(UTC), "me", None, None, b"{}")
                for n in range(1, count + 1)
            ]
        )


def place(log: PostgresLog, position: int) -> Head:
    event: Recorded = next(log.read(position - 1))
    return Head(log.head().log_id, event.position, event.hash)


def restore_to(engine: Engine, log: PostgresLog, position: int) -> None:
    """What a restored backup looks like: the log ends earlier, the rest of the world goes on."""
    with engine.begin() as connection:
        connection.execute(text("alter table log.events disable trigger all"))
        connection.execute(text("delete from log.events where position > :at"), {"at": position})
        to = connection.execute(
            text("select hash from log.events where position = :at"), {"at": position}
        ).scalar()
        connection.execute(text("update log.head set position = :at, hash = :to"), {"at": position, "to": to})


def test_a_new_reader_is_at_the_beginning(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        assert load(connection, "balances") == genesis(log.head().log_id)
        assert load(connection, "balances", lock=True) == genesis(log.head().log_id)


def test_a_reader_moves_on_with_its_rows(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 2))
    with engine.begin() as connection:
        assert load(connection, "balances") == place(log, 2)
        advance(connection, "balances", 2, place(log, 5))
        connection.rollback()
    with engine.begin() as connection:
        assert load(connection, "balances") == place(log, 2)
        assert load(connection, "others") == genesis(log.head().log_id)
        advance(connection, "balances", 2, place(log, 2))
        advance(connection, "balances", 2, log.head())
        assert load(connection, "balances") == log.head()


def test_a_reader_never_goes_backward(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 4))
        with pytest.raises(CheckpointBackward):
            advance(connection, "balances", 4, place(log, 3))
        with pytest.raises(CheckpointMoved, match="is at 4"):
            advance(connection, "balances", 0, place(log, 3))
        assert load(connection, "balances") == place(log, 4)


def test_a_second_worker_under_the_same_name_is_fenced_off(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 1))
    with engine.begin() as connection:
        advance(connection, "balances", 1, place(log, 3))
    with engine.begin() as connection, pytest.raises(CheckpointMoved, match="was at 1 and is at 3"):
        advance(connection, "balances", 1, place(log, 2))
    with engine.begin() as connection, pytest.raises(CheckpointMoved, match="was at 5 and is gone"):
        advance(connection, "nobody", 5, log.head())


def test_a_locked_checkpoint_is_had_by_one_at_a_time(engine: Engine, log: PostgresLog) -> None:
    seen: list[int] = []

    def second() -> None:
        with engine.begin() as connection:
            seen.append(load(connection, "balances", lock=True).position)

    with engine.begin() as connection:
        load(connection, "balances", lock=True)
        waiting = Thread(target=second)
        waiting.start()
        waiting.join(0.1)
        assert waiting.is_alive()
        advance(connection, "balances", 0, place(log, 3))
    waiting.join(10)
    assert seen == [3]


@pytest.mark.parametrize("begun", [False, True])
def test_a_log_that_grew_while_a_reader_waited_was_not_restored(
    engine: Engine, log: PostgresLog, begun: bool
) -> None:
    if begun:
        with engine.begin() as connection:
            advance(connection, "balances", 0, place(log, 2))
    seen: list[Head] = []

    def second() -> None:
        with engine.begin() as connection:
            seen.append(load(connection, "balances", lock=True))

    with engine.begin() as connection:
        before = load(connection, "balances", lock=True)
        waiting = Thread(target=second)
        waiting.start()
        until_one_waits(engine)
        append(log, 3)
        advance(connection, "balances", before.position, log.head())
    waiting.join(10)
    assert seen == [log.head()]


def test_a_reader_that_moved_while_it_was_looked_at_was_not_restored(
    engine: Engine, log: PostgresLog
) -> None:
    """Between any two of the questions that are asked, events are appended and the reader follows."""
    with engine.begin() as connection:
        advance(connection, "balances", 0, log.head())

    def go_on(*_: object) -> None:
        before = log.head()
        append(log, 2)
        with engine.begin() as other:
            advance(other, "balances", before.position, log.head())

    with engine.connect() as connection:
        sqlalchemy_event.listen(connection, "before_cursor_execute", go_on)
        for _ in range(3):
            load(connection, "balances")


def until_one_waits(engine: Engine) -> None:
    asked = text(
        "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'"
    )

    def waits() -> bool:
        with engine.connect() as connection:
            return connection.execute(asked).first() is not None

    wait_until(waits, "somebody waits for a lock")


def test_a_forgotten_reader_begins_anew(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 4))
        forget(connection, "balances")
        forget(connection, "nobody")
        assert load(connection, "balances").position == 0


@pytest.mark.parametrize("lock", [False, True])
def test_a_checkpoint_ahead_of_a_restored_log_is_an_error(
    engine: Engine, log: PostgresLog, lock: bool
) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 5))
    restore_to(engine, log, 3)
    with engine.begin() as connection, pytest.raises(CheckpointAhead, match="at 5, the log ends at 3"):
        load(connection, "balances", lock=lock)


def test_a_restored_log_that_went_on_is_still_noticed(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 5))
        advance(connection, "slow", 0, place(log, 2))
    restore_to(engine, log, 3)
    append(log, 10)
    with engine.begin() as connection:
        with pytest.raises(CheckpointElsewhere, match="another event at 5"):
            load(connection, "balances")
        assert load(connection, "slow").position == 2


def test_a_checkpoint_of_another_log_is_an_error(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        advance(connection, "balances", 0, place(log, 2))
        connection.execute(text("update log.head set log_id = gen_random_uuid()"))
        with pytest.raises(CheckpointElsewhere, match="counts on log"):
            load(connection, "balances")
        with pytest.raises(CheckpointElsewhere, match="counts on log"):
            advance(connection, "balances", 2, Head(str(UUID(int=1)), 3, b""))


def test_a_file_or_a_seal_is_checked_the_same_way(engine: Engine, log: PostgresLog) -> None:
    with engine.begin() as connection:
        refuse_stranger(connection, place(log, 3), "revenue.csv")
        refuse_stranger(connection, genesis(log.head().log_id), "empty.csv")
        with pytest.raises(CheckpointAhead, match=r"revenue\.csv"):
            refuse_stranger(connection, Head(log.head().log_id, 6, b""), "revenue.csv")
        with pytest.raises(CheckpointElsewhere, match=r"revenue\.csv"):
            refuse_stranger(connection, Head(log.head().log_id, 3, bytes(32)), "revenue.csv")
