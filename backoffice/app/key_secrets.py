"""Secrets of keys: 256 random bits, of which only the SHA-256 is kept. So much chance needs no slow hash."""

import secrets
from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest

_SEPARATOR = "."


def new_secret() -> tuple[str, str]:
    """A secret, and its digest in hexadecimal digits."""
    secret = secrets.token_urlsafe(32)
    return secret, digest_of(secret)


def digest_of(secret: str) -> str:
    """What is kept of a secret."""
    return sha256(secret.encode()).hexdigest()


def shown_key(key: str, secret: str) -> str:
    """A key as its system sends it: its name and its secret."""
    return f"{key}{_SEPARATOR}{secret}"


def parts_of(shown: str) -> tuple[str, str]:
    """The name and the secret; of what is no key the secret is empty."""
    key, _, secret = shown.partition(_SEPARATOR)
    return key, secret


def opens(secret: str, digests: Iterable[str]) -> bool:
    """Whether a secret is one of those, in a time that tells nothing of how nearly it was."""
    asked = digest_of(secret)
    fits = [compare_digest(asked, digest) for digest in digests]  # all of them, whichever fits
    return any(fits)
