"""A file that goes out as an answer: piece by piece, and done with however that ends."""

import asyncio
from io import BytesIO
from typing import Any

import pytest
from starlette.types import Message

from backoffice.api.whole_answers import PIECE_BYTES, WholeAnswer

WHOLE = bytes(range(256)) * 2000


def sent(stream: BytesIO, leaves_after: int | None = None) -> tuple[list[Message], list[str]]:
    """What goes out, and whether it was over; the asker may leave after some messages."""
    messages: list[Message] = []
    over: list[str] = []

    async def send(message: Message) -> None:
        if len(messages) == leaves_after:
            raise OSError("the asker has left")
        messages.append(message)

    async def receive() -> Message:
        raise AssertionError("nothing is asked")

    answer = WholeAnswer(stream, len(WHOLE), {"X-More": "1"}, "text/csv", lambda: over.append("over"))
    scope: dict[str, Any] = {"type": "http"}
    if leaves_after is None:
        asyncio.run(answer(scope, receive, send))
    else:
        with pytest.raises(OSError, match="has left"):
            asyncio.run(answer(scope, receive, send))
    return messages, over


def test_it_goes_out_in_pieces_and_whole() -> None:
    (start, *bodies), over = sent(BytesIO(WHOLE))
    headers = dict(start["headers"])
    assert headers[b"content-length"] == str(len(WHOLE)).encode()
    assert headers[b"content-type"] == b"text/csv; charset=utf-8"
    assert headers[b"x-more"] == b"1"
    assert b"".join(body.get("body", b"") for body in bodies) == WHOLE
    assert max(len(body.get("body", b"")) for body in bodies) == PIECE_BYTES
    assert [body.get("more_body", False) for body in bodies] == [True] * (len(bodies) - 1) + [False]
    assert over == ["over"]


@pytest.mark.parametrize("leaves_after", [0, 1, 3])
def test_it_is_over_also_when_its_asker_leaves(leaves_after: int) -> None:
    assert sent(BytesIO(WHOLE), leaves_after)[1] == ["over"]
