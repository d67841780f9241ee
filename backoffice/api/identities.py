"""Knowing who is asking, by what they show."""

from fastapi.concurrency import run_in_threadpool

from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.tokens import BadToken, Tokens


class Identities:
    """People by their tokens."""

    def __init__(self, tokens: Tokens | None) -> None:
        self._tokens = tokens

    async def by_token(self, token: str) -> Principal:
        """The person whose token this is. Raises a Problem for one that is not good."""
        if self._tokens is None:
            raise _unknown("no tokens are taken here")
        try:
            # In a thread: the keys of who issued it may have to be fetched.
            return await run_in_threadpool(self._tokens.read, token)
        except BadToken as bad:
            raise _unknown(str(bad)) from bad


def _unknown(reason: str) -> Problem:
    challenge = f'Bearer error="invalid_token", error_description="{reason}"'
    return Problem(Kind.UNAUTHENTICATED, reason, headers={"WWW-Authenticate": challenge})
