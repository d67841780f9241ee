"""Idempotency with memory: which keys were accepted, with what content, and what was answered."""

from collections.abc import Collection, Iterable
from typing import NamedTuple

from sqlalchemy import Connection

from backoffice.app.copying import copy_rows, fetch_rows

Key = tuple[str, str]
"""A sender and the sender's own id of a request."""


class Remembered(NamedTuple):
    """What was accepted under a key: SHA-256 of the content, and the positions it became."""

    content: bytes
    first_position: int
    last_position: int


def recall_keys(connection: Connection, keys: Collection[Key]) -> dict[Key, Remembered]:
    """Those of `keys` that were accepted before, in one query; none for none."""
    if not keys:
        return {}
    rows = fetch_rows(
        connection,
        """
        select accepted.sender, accepted.key, content, first_position, last_position
        from unnest(string_to_array(%(senders)s, chr(31)), string_to_array(%(keys)s, chr(31))) as asked (sender, key)
        join intake.accepted_keys as accepted using (sender, key)
        """,
        # Two texts instead of thousands: no id has a control character in it.
        {"senders": "\x1f".join(sender for sender, _ in keys), "keys": "\x1f".join(key for _, key in keys)},
    )
    return {
        (sender, key): Remembered(bytes(content), first, last) for sender, key, content, first, last in rows
    }


def remember_keys(connection: Connection, accepted: Iterable[tuple[Key, Remembered]]) -> None:
    """Keep newly accepted keys, in the transaction of their events."""
    copy_rows(
        connection,
        "copy intake.accepted_keys (sender, key, content, first_position, last_position) from stdin (format binary)",
        ("text", "text", "bytea", "int8", "int8"),
        ((*key, *remembered) for key, remembered in accepted),
    )
