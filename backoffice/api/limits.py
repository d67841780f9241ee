"""What is taken of a body at most. In front of everything, so that nothing is read that will not be used."""

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backoffice.api.problems import Kind, Problem, answer


class BodyLimit:
    """Turns larger bodies away: at once where they say how large they are, else as soon as they are."""

    def __init__(self, app: ASGIApp, most_bytes: int) -> None:
        self._app = app
        self._most = most_bytes

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or its body's first part that is too much."""
        if scope["type"] == "http":
            said = Headers(scope=scope).get("content-length", "0")
            if not said.isdecimal() or int(said[:20]) > self._most:
                await answer(Problem(Kind.TOO_LARGE, self._told))(scope, receive, send)
                return
        read = 0

        async def counted() -> Message:
            nonlocal read
            message = await receive()
            read += len(message.get("body", b""))
            if read > self._most:
                # The framework lets its own exceptions through where it reads a body.
                raise HTTPException(Kind.TOO_LARGE.value.status, self._told)
            return message

        await self._app(scope, counted, send)

    @property
    def _told(self) -> str:
        return f"a body has at most {self._most} bytes"
