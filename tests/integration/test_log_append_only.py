"""The database itself refuses to change the past."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError
from uuid_utils.compat import uuid7

from backoffice.log.envelope import NewEvent
from backoffice.log.postgres import PostgresLog


@pytest.mark.parametrize(
    "statement",
    [
        "update log.events set actor = 'nobody'",
        "update log.events set actor = 'nobody' where false",
        "delete from log.events",
        "delete from log.events where position = 2",
        "truncate log.events",
        "truncate log.head, log.events cascade",
        "delete from log.head",
        "truncate log.head",
        "insert into log.head (log_id, position, hash) values (gen_random_uuid(), 0, '')",
        "insert into log.head (single, log_id, position, hash) values (false, gen_random_uuid(), 0, '')",
    ],
)
def test_the_past_cannot_be_changed(engine: Engine, statement: str) -> None:
    log = PostgresLog(engine)
    with log.writing() as writer:
        writer.append(
            [
                NewEvent(uuid7(), "a", version, "t", 1, datetime.now(UTC), "me", None, None, b"{}")
                for version in (1, 2, 3)
            ]
        )
    appended = list(log.read())
    with pytest.raises(DBAPIError) as refused, engine.begin() as connection:
        connection.execute(text(statement))
    assert "append-only" in str(refused.value) or "head" in str(refused.value)
    assert list(log.read()) == appended
    assert log.head().position == 3


def test_the_refusal_says_what_was_tried(engine: Engine) -> None:
    with pytest.raises(DBAPIError, match=r"the log is append-only: DELETE on log\.events is refused"):  # noqa: SIM117
        with engine.begin() as connection:
            connection.execute(text("delete from log.events"))
