"""Whether a commit was made is told by what is in the log, not by the number of its transaction."""

from contextlib import suppress

from sqlalchemy import Engine, text
from uuid_utils.compat import uuid7

from backoffice.app.attempts import Attempt
from backoffice.app.requests import Accepted
from backoffice.db import make_engine
from backoffice.log.envelope import NewEvent
from backoffice.log.postgres import PostgresLog

ANSWER = [Accepted(1, 1)]


class Lost(Exception):
    """The server went down."""


def try_once(engine: Engine, attempt: Attempt, *, lose: bool, facts: int = 1) -> None:
    with suppress(Lost), PostgresLog(engine).writing() as writer:
        began = writer.head
        writer.append([_fact(writer.now, writer.head.position + 1) for _ in range(facts)])
        attempt.note(writer, ANSWER, began)
        if lose:
            raise Lost


def _fact(now: object, version: int) -> NewEvent:
    return NewEvent(uuid7(), "a", version, "t", 1, now, "me", None, None, b"{}")  # type: ignore[arg-type]


def answered(engine: Engine, attempt: Attempt) -> object:
    with PostgresLog(engine).writing() as writer:
        assert writer.connection is not None
        return attempt.answered(writer.connection)


def test_what_was_committed_is_answered(engine: Engine) -> None:
    for facts in (1, 0):
        attempt = Attempt()
        assert answered(engine, attempt) is None
        try_once(engine, attempt, lose=False, facts=facts)
        assert answered(engine, attempt) == ANSWER


def test_what_was_lost_is_not_though_others_stand_in_its_place(engine: Engine) -> None:
    """A crashed server gives the position and even the transaction's number to somebody else."""
    for facts in (1, 0):
        attempt = Attempt()
        try_once(engine, attempt, lose=True, facts=facts)
        try_once(engine, Attempt(), lose=False)
        assert answered(engine, attempt) is None


def test_a_transaction_that_the_server_has_never_heard_of_was_lost(engine: Engine) -> None:
    attempt = Attempt()
    try_once(engine, attempt, lose=True, facts=0)
    attempt._transaction = "999999999"
    assert answered(engine, attempt) is None


def test_the_number_alone_says_nothing(engine: Engine, database_url: str) -> None:
    attempt = Attempt()
    try_once(engine, attempt, lose=True)
    other = make_engine(database_url)
    with other.begin() as connection:
        attempt._transaction = connection.scalar(text("select pg_current_xact_id()::text"))
    other.dispose()
    assert answered(engine, attempt) is None
