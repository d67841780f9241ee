"""Knowing who is asking, by what they show: a person's token, or a system's key."""

import asyncio
import time
from datetime import UTC, datetime

from anyio import CapacityLimiter, to_thread
from fastapi.concurrency import run_in_threadpool

from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.tokens import BadToken, ProviderSilent, Tokens
from backoffice.app.key_secrets import opens, parts_of
from backoffice.app.keyring import Keyring
from backoffice.domain.staff import Role

TOKENS_AT_ONCE = 8


class Identities:
    """People by their tokens, if any are taken here; systems by their keys."""

    def __init__(self, tokens: Tokens | None, keyring: Keyring, refresh_seconds: float) -> None:
        """Keys are read on in the log when they were not for `refresh_seconds`."""
        self._refresh_seconds = refresh_seconds
        self._tokens = tokens
        self._keyring = keyring
        self._refreshed = float("-inf")
        self._refreshing = asyncio.Lock()
        self._threads = CapacityLimiter(TOKENS_AT_ONCE)

    async def by_token(self, token: str) -> Principal:
        """The person whose token this is. Raises a Problem for one that is not good."""
        if self._tokens is None:
            raise _unknown("no tokens are taken here")
        try:
            # In a thread, for the keys of who issued it may have to be fetched; in one of a few, so that a provider that
            # does not answer holds nobody up but people.
            return await to_thread.run_sync(self._tokens.read, token, limiter=self._threads)
        except BadToken as bad:
            raise _unknown(str(bad)) from bad
        except ProviderSilent as silent:
            raise Problem(Kind.UNAVAILABLE, str(silent), headers={"Retry-After": "5"}) from silent

    async def by_key(self, shown: str) -> Principal:
        """The system whose key this is. Raises a Problem for one that opens nothing, without saying why."""
        await self._refresh()
        name, secret = parts_of(shown)
        key = self._keyring.get(name)
        if not opens(secret, () if key is None else key.good_digests(datetime.now(UTC))):
            raise _unknown("the key is not good")
        assert key is not None  # none opens nothing
        return Principal(key.sender, frozenset(map(Role, key.roles)), key.casinos, f"key {key.id}")

    async def _refresh(self) -> None:
        """Read on in the log if that was not done just now; whoever comes meanwhile waits for it."""
        if time.monotonic() - self._refreshed < self._refresh_seconds:
            return
        async with self._refreshing:
            if time.monotonic() - self._refreshed >= self._refresh_seconds:
                began = time.monotonic()
                await run_in_threadpool(self._keyring.refresh)
                self._refreshed = began


def _unknown(reason: str) -> Problem:
    challenge = f'Bearer error="invalid_token", error_description="{reason}"'
    return Problem(Kind.UNAUTHENTICATED, reason, headers={"WWW-Authenticate": challenge})
