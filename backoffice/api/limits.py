"""What is taken of a request at most, and what every answer says to browsers. In front of everything else."""

import asyncio
from base64 import b64encode
from hashlib import sha256

from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from backoffice.api.problems import Kind, Problem, answer

SAFE = {
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "Strict-Transport-Security": "max-age=31536000",
    "X-Content-Type-Options": "nosniff",
}
"""Nothing that is answered is a page, but for what `page_policy` is of; none may be framed, guessed at, or told on."""


def page_policy(style: str) -> str:
    """What a page with this style, and nothing else, may do: look like that. No script, no form, an origin of its own."""
    digest = b64encode(sha256(style.encode()).digest()).decode()
    return (
        f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none';"
        " frame-ancestors 'none'; sandbox"
    )


class SafeAnswers:
    """Adds `SAFE` to every answer, and that no cache keeps it; what has an ETag may be kept by who asked, and asked again."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, and its answer back."""

        async def safe(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in SAFE.items():
                    headers.setdefault(name, value)
                kept = "private, no-cache" if "etag" in headers else "no-store"
                headers.setdefault("Cache-Control", kept)
            await send(message)

        await self._app(scope, receive, safe)


class BodyLimit:
    """Turns larger bodies away: at once where they say how large they are, else as soon as they are. And slower ones."""

    def __init__(self, app: ASGIApp, most_bytes: int, most_seconds: float) -> None:
        self._app = app
        self._most = most_bytes
        self._seconds = most_seconds

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or its body's first part that is too much."""
        if scope["type"] == "http":
            said = Headers(scope=scope).get("content-length", "0")
            if not said.isdecimal() or int(said[:20]) > self._most:
                await answer(Problem(Kind.TOO_LARGE, self._told))(scope, receive, send)
                return
        body = _Body(receive, self._most, self._seconds)
        await self._app(scope, body.next, send)

    @property
    def _told(self) -> str:
        return f"a body has at most {self._most} bytes"


class _Body:
    """One request's body on its way in. The framework lets its own exceptions through where it reads one."""

    def __init__(self, receive: Receive, most_bytes: int, most_seconds: float) -> None:
        self._receive = receive
        self._left = most_bytes
        self._until = asyncio.get_running_loop().time() + most_seconds
        self._more = True

    async def next(self) -> Message:
        """The next message; once the body is whole whoever listens for the asker's leaving may wait for ever."""
        if not self._more:
            return await self._receive()
        try:
            async with asyncio.timeout_at(self._until):
                message = await self._receive()
        except TimeoutError as late:
            raise HTTPException(Kind.SLOW.value.status, "the body did not come in time") from late
        self._left -= len(message.get("body", b""))
        self._more = message.get("more_body", False)
        if self._left < 0:
            raise HTTPException(Kind.TOO_LARGE.value.status, "the body is larger than is taken")
        return message
