"""Idempotency with memory: which keys were accepted, with what content, and what was answered."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from backoffice.app.copying import copy_rows, fetch_rows

Key = tuple[str, str]
"""A sender and the sender's own id of a request."""
FEW = 100
"""So many keys are looked up without asking first whether it is worth while."""


class Remembered(NamedTuple):
    """What was accepted under a key: SHA-256 of the content, and the positions it became.

    `version` is that of the stream of the first fact behind them; None in the commit that accepts it, and without facts.
    """

    content: bytes
    first_position: int
    last_position: int
    version: int | None = None


def recall_keys(connection: Connection, keys: Collection[Key]) -> dict[Key, Remembered]:
    """Those of `keys` that were accepted before; none for none."""
    if not keys or (len(keys) > FEW and not _any_between(connection, min(keys), max(keys))):
        return {}
    # Two texts instead of thousands: no id has a control character in it.
    parameters = {
        "senders": "\x1f".join(sender for sender, _ in keys),
        "keys": "\x1f".join(key for _, key in keys),
    }
    rows = fetch_rows(connection, _RECALL, parameters)
    return {(sender, key): Remembered(bytes(content), *answered) for sender, key, content, *answered in rows}


def _any_between(connection: Connection, first: Key, last: Key) -> bool:
    """Whether anything was accepted from the one key to the other: whoever counts up asks for what lies behind all there
    is, and one look tells so instead of thousands.
    """
    bounds = {"first_sender": first[0], "first_key": first[1], "last_sender": last[0], "last_key": last[1]}
    return bool(fetch_rows(connection, _ANY_BETWEEN, bounds))


Answered = tuple[str, str, bytes, int, int, str | None]
"""A sender, a key, and what is to be remembered of what was accepted under it."""


def remember_keys(connection: Connection, accepted: Iterable[Answered]) -> None:
    """Keep newly accepted keys, in the transaction of their events."""
    copy_rows(
        connection,
        "copy intake.accepted_keys (sender, key, content, first_position, last_position, whence)"
        " from stdin (format binary)",
        ("text", "text", "bytea", "int8", "int8", "text"),
        accepted,
    )


# Not `exists`, for which PostgreSQL reads the whole table: it guesses that it soon comes upon one, and there is none.
_ANY_BETWEEN = """
    select first_position from intake.accepted_keys where (sender, key) between
        (%(first_sender)s, %(first_key)s) and (%(last_sender)s, %(last_key)s)
    order by sender, key limit 1
"""
# A limit for each makes it a look into the index, however many there are.
_RECALL = """
    select asked.sender, asked.key, accepted.content, first_position, last_position, (
        select max(own.version) from log.events as first join log.events as own
        on own.stream = first.stream and own.position between first_position and last_position
        where first.position = first_position and first_position <= last_position
    )
    from unnest(string_to_array(%(senders)s, chr(31)), string_to_array(%(keys)s, chr(31))) as asked (sender, key),
    lateral (
        select * from intake.accepted_keys where (sender, key) = (asked.sender, asked.key) limit 1
    ) as accepted
"""
