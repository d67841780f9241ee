"""Requests on the wire: whoever sends a head that is too long, or too slowly, is hung up on."""

from asyncio import TimerHandle, Transport

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

LONGEST_HEAD = 64 * 1024
"""Bytes of a request line and its headers. The parser itself would take in any number."""
SLOWEST_HEAD_SECONDS = 20.0
"""From the connection, or from a request's first byte, to the end of its head."""


class Wire(HttpToolsProtocol):
    """uvicorn's own protocol with bounds on heads; bodies have theirs in `limits`."""

    _in_head = False
    _head_bytes = 0
    _hurry: TimerHandle | None = None

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        """Somebody connected, and is expected to ask."""
        super().connection_made(transport)
        self._expect_head()

    def connection_lost(self, exc: Exception | None) -> None:
        """They are gone."""
        self._end_head()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        """Bytes of theirs; counted as long as they do not end a head."""
        super().data_received(data)
        if self._in_head:
            self._head_bytes += len(data)
            if self._head_bytes > LONGEST_HEAD:
                self._hang_up()

    def on_message_begin(self) -> None:
        """A request begins."""
        super().on_message_begin()
        self._expect_head()

    def on_headers_complete(self) -> None:
        """Its head is here."""
        self._end_head()
        super().on_headers_complete()

    def _expect_head(self) -> None:
        self._end_head()
        self._in_head = True
        self._hurry = self.loop.call_later(SLOWEST_HEAD_SECONDS, self._hang_up)

    def _end_head(self) -> None:
        self._in_head, self._head_bytes = False, 0
        if self._hurry is not None:
            self._hurry.cancel()
            self._hurry = None

    def _hang_up(self) -> None:
        self._end_head()
        if not self.transport.is_closing():
            self.send_400_response("The head of the request is too long, or too slow.")
