"""Whoever gets round the triggers is found out, and told where it began."""

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest
from sqlalchemy import Connection, Engine, text
from uuid_utils.compat import uuid7

from backoffice.log.chain import Broken, link
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.postgres import PostgresLog
from backoffice.log.verification import verify_log


@pytest.fixture
def log(engine: Engine) -> PostgresLog:
    log = PostgresLog(engine)
    with log.writing() as writer:
        writer.append([fact("a", version) for version in range(1, 11)])
    return log


@pytest.fixture
def superuser(engine: Engine, log: PostgresLog) -> Iterator[Connection]:
    with engine.begin() as connection:
        connection.execute(text("alter table log.events disable trigger all"))
        yield connection


def fact(stream: str, version: int) -> NewEvent:
    return NewEvent(uuid7(), stream, version, "t", 1, datetime.now(UTC), "me", None, "c", b'{"paid":100}')


def first_break(log: PostgresLog, expected: Head | None = None) -> Broken | None:
    return verify_log(log, expected)


def test_an_honest_log_is_whole(log: PostgresLog) -> None:
    assert first_break(log) is None


@pytest.mark.parametrize(
    "change",
    [
        """data = '{"paid":101}'""",
        """data = '{"paid": 100}'""",
        "happened_at = happened_at + interval '1 microsecond'",
        "recorded_at = recorded_at - interval '1 microsecond'",
        "actor = 'ME'",
        "correlation = null",
        "cause = event_id",
        "type = 'T'",
        "schema = 2",
        "stream = 'b'",
        "version = 99",
        "event_id = gen_random_uuid()",
        "hash = sha256(hash)",
    ],
)
def test_a_changed_row_is_found(log: PostgresLog, superuser: Connection, change: str) -> None:
    escaped = change.replace(":", r"\:")
    superuser.execute(text(f"update log.events set {escaped} where position = 5"))  # noqa: S608
    superuser.commit()
    assert first_break(log) == Broken(5, "its hash does not fit its content and the hash before it")


def test_a_dropped_row_is_found(log: PostgresLog, superuser: Connection) -> None:
    superuser.execute(text("delete from log.events where position = 5"))
    superuser.commit()
    assert first_break(log) == Broken(5, "missing")


def test_dropped_first_rows_are_found(log: PostgresLog, superuser: Connection) -> None:
    superuser.execute(text("delete from log.events where position <= 5"))
    superuser.commit()
    assert first_break(log) == Broken(1, "missing")


def test_a_dropped_row_is_found_when_the_others_close_ranks(log: PostgresLog, superuser: Connection) -> None:
    superuser.execute(text("delete from log.events where position = 5"))
    for position in range(6, 11):
        superuser.execute(
            text("update log.events set position = position - 1 where position = :at"), {"at": position}
        )
    superuser.commit()
    broken = first_break(log)
    assert broken is not None
    assert broken.position == 5


def test_an_inserted_row_is_found(log: PostgresLog, superuser: Connection) -> None:
    for position in range(10, 4, -1):
        superuser.execute(
            text("update log.events set position = position + 1 where position = :at"), {"at": position}
        )
    superuser.execute(
        text(
            "insert into log.events select 5, gen_random_uuid(), 'b', 1, type, schema, happened_at,"
            " recorded_at, actor, cause, correlation, data, hash from log.events where position = 6"
        )
    )
    superuser.commit()
    broken = first_break(log)
    assert broken is not None
    assert broken.position == 5


def test_a_row_put_behind_the_head_is_found(log: PostgresLog, superuser: Connection) -> None:
    head = log.head()
    now = datetime.now(UTC)
    forged = Recorded(*fact("b", 1), 11, now, link(head.hash, 11, now, fact("b", 1)))
    superuser.execute(
        text(
            "insert into log.events"
            " values (11, :id, 'b', 1, 't', 1, :now, :now, 'me', null, 'c', '{}', :hash)"
        ),
        {"id": forged.event_id, "now": now, "hash": forged.hash},
    )
    superuser.commit()
    assert first_break(log) == Broken(11, "unexpected: it is behind the head")


def test_swapped_rows_are_found(log: PostgresLog, superuser: Connection) -> None:
    for was, becomes in ((4, -4), (7, 4), (-4, 7)):
        superuser.execute(
            text("update log.events set position = :to where position = :at"), {"at": was, "to": becomes}
        )
    superuser.commit()
    broken = first_break(log)
    assert broken is not None
    assert broken.position == 4


def test_a_cut_tail_is_found_by_the_head_row(log: PostgresLog, superuser: Connection) -> None:
    superuser.execute(text("delete from log.events where position > 7"))
    superuser.commit()
    assert first_break(log) == Broken(8, "missing: the log ends at 7, expected 10")


def test_a_cut_tail_is_found_by_who_kept_a_head_even_if_the_head_row_was_cut_too(
    log: PostgresLog, superuser: Connection
) -> None:
    kept = log.head()
    superuser.execute(text("delete from log.events where position > 7"))
    superuser.execute(
        text(
            "update log.head set position = 7, hash = (select hash from log.events where events.position = 7)"
        )
    )
    superuser.commit()
    assert first_break(log) is None
    assert first_break(log, kept) == Broken(8, "missing: the log ends at 7, expected 10")
