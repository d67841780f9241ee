"""Every no is kept beside the log, for the exceptions report and for an import's file of refused actions."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sqlalchemy import Connection

from backoffice.app.copying import copy_rows, driver
from backoffice.app.requests import Declined, Request, Unreadable
from backoffice.domain.cases.commands import WholeRound
from backoffice.domain.event import adapter_of
from backoffice.domain.rounds.commands import RoundCommand


class Refusal(NamedTuple):
    """One refused line of an import: where it stood, what it said, and why not."""

    line: int
    reason: str
    action: bytes


def keep_refusals(connection: Connection, refused: Iterable[tuple[Request | Unreadable, Declined]]) -> None:
    """Keep what was refused, in the transaction of the events decided beside it."""
    copy_rows(
        connection,
        "copy intake.refusals (sender, key, round, casino, rule, reason, action, import_id, line)"
        " from stdin (format binary)",
        ("text", "text", "text", "text", "text", "text", "bytea", "int8", "int8"),
        (_row(request, declined) for request, declined in refused),
    )


def refusals_of(connection: Connection, import_id: int) -> Iterator[Refusal]:
    """The refused lines of an import in the order of the feed, in flat memory."""
    with driver(connection).cursor("refusals", binary=True) as cursor:
        cursor.execute(
            "select line, reason, action from intake.refusals where import_id = %s order by line, refusal",
            [import_id],
        )
        for line, reason, action in cursor:
            yield Refusal(line, reason, bytes(action))


def _row(request: Request | Unreadable, declined: Declined) -> tuple[object, ...]:
    origin = request.origin
    where = (None, None) if origin is None else (origin.import_id, origin.line)
    if isinstance(request, Unreadable):
        return request.sender, None, None, None, declined.rule, declined.reason, request.raw, *where
    command = request.command
    round_id = command.round if isinstance(command, RoundCommand | WholeRound) else None
    asked = request.raw or adapter_of(type(command)).dump_json(command, exclude_none=True)
    casino = getattr(command, "casino", None)
    return request.sender, request.key, round_id, casino, declined.rule, declined.reason, asked, *where
