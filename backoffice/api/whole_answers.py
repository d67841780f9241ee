"""A file as an answer: sent piece by piece, and closed whatever becomes of its asker."""

from collections.abc import Callable, Mapping
from typing import IO

from anyio import to_thread
from fastapi import Response
from starlette.types import Receive, Scope, Send

PIECE_BYTES = 1 << 16


class WholeAnswer(Response):
    """The bytes of an open file, which is this long; `over` is called when they are out, or nobody takes them any more."""

    def __init__(
        self,
        stream: IO[bytes],
        size_bytes: int,
        headers: Mapping[str, str],
        media_type: str,
        over: Callable[[], None],
    ) -> None:
        super().__init__(headers={**headers, "Content-Length": str(size_bytes)}, media_type=media_type)
        self._stream = stream
        self._over = over

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:  # noqa: ARG002
        """Send it; whoever is slow is waited for."""
        try:
            await send(
                {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
            )
            while piece := await to_thread.run_sync(self._stream.read, PIECE_BYTES):
                await send({"type": "http.response.body", "body": piece, "more_body": True})
            await send({"type": "http.response.body"})
        finally:
            self._over()
