"""Bearer tokens of people: JWTs of an OpenID provider, or in development the house's own."""

import time
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import jwt
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from pydantic import TypeAdapter, ValidationError

from backoffice.api.principals import Principal
from backoffice.domain.event import Id
from backoffice.domain.staff import PERSON_SENDER, RESERVED_SENDERS, Role
from backoffice.settings import ApiSettings

ALGORITHMS = ("EdDSA", "ES256", "ES384", "PS256", "PS384", "PS512", "RS256", "RS384", "RS512")
"""Asymmetric ones only: by a symmetric one whoever knows the public key could sign."""
EVERYWHERE = "*"
"""Stands in the claim of casinos for all of them. A token without that claim is of nobody: nothing is everywhere by default."""
_REQUIRED = ["exp", "iat", "iss", "aud"]
_DEVELOPMENT = "backoffice-development"


class BadToken(Exception):
    """A token that is not good, and why, in words that may be told to its bearer."""


class ProviderSilent(Exception):
    """The provider that issues tokens does not tell its keys."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class Tokens:
    """Reads tokens of one issuer for one audience; `key_of` gives the public key by a token."""

    def __init__(
        self, settings: ApiSettings, issuer: str, audience: str, key_of: Callable[[str], Any]
    ) -> None:
        self._settings = settings
        self._issuer, self._audience = issuer, audience
        self._key_of = key_of

    def read(self, token: str) -> Principal:
        """Who bears it. Raises BadToken, and ProviderSilent where whose key it is cannot be asked."""
        try:
            claims = jwt.decode(
                token,
                self._key_of(token),
                algorithms=ALGORITHMS,
                audience=self._audience,
                issuer=self._issuer,
                leeway=self._settings.leeway_seconds,
                options={"require": _REQUIRED},
            )
        except jwt.PyJWKClientConnectionError as silent:
            raise ProviderSilent from silent
        except jwt.ExpiredSignatureError as expired:
            raise BadToken("the token has expired") from expired
        except jwt.PyJWTError as bad:
            raise BadToken("the token is not good") from bad
        return self._principal(claims)

    def _principal(self, claims: Mapping[str, Any]) -> Principal:
        """Roles that are not of this house are passed over; a token without any of them is of nobody here."""
        settings = self._settings
        known = {str(role) for role in Role}
        roles = frozenset(Role(name) for name in _names(claims, settings.roles_claim) if name in known)
        casinos = _names(claims, settings.casinos_claim)
        try:
            name = _NAME.validate_python(claims.get(settings.name_claim))
            for casino in casinos:
                _NAME.validate_python(casino)
        except ValidationError as invalid:
            raise BadToken("the token names nobody, or no place") from invalid
        if name in RESERVED_SENDERS or name.startswith(PERSON_SENDER):
            raise BadToken("the token names the house itself")
        if not roles or not casinos:
            raise BadToken("the token gives no role at any casino")
        return Principal(name, roles, () if EVERYWHERE in casinos else tuple(casinos), "token")


def _names(claims: Mapping[str, Any], path: str) -> list[str]:
    """A list of words, or one text of words with blanks between them; a path leads into nested claims by dots."""
    value: Any = claims
    for part in path.split("."):
        value = value.get(part) if isinstance(value, Mapping) else None
    if isinstance(value, str):
        return value.split()
    return [one for one in value if isinstance(one, str)] if isinstance(value, Sequence) else []


_NAME: TypeAdapter[str] = TypeAdapter(Id)


def provider_tokens(settings: ApiSettings) -> Tokens | None:
    """The tokens of the provider that the settings name; None where they name none."""
    if settings.jwks_url is None:
        return None
    client = jwt.PyJWKClient(settings.jwks_url, timeout=5, cooldown_duration=settings.jwks_cooldown_seconds)
    return Tokens(settings, settings.issuer or "", settings.audience or "", client.get_signing_key_from_jwt)


class DevelopmentTokens(Tokens):
    """Tokens that this process signs itself, by a key that ends with it, for whoever asks: for development only."""

    def __init__(self, settings: ApiSettings) -> None:
        self._private = Ed25519PrivateKey.generate()
        public = self._private.public_key()
        super().__init__(settings, _DEVELOPMENT, _DEVELOPMENT, lambda _: public)

    def issue(self, name: str, roles: Sequence[Role], casinos: Sequence[str], seconds: int = 8 * 3600) -> str:
        """A token for a person; `casinos` may be EVERYWHERE."""
        now = int(time.time())
        claims = {
            "iss": _DEVELOPMENT,
            "aud": _DEVELOPMENT,
            "iat": now,
            "exp": now + seconds,
            self._settings.name_claim: name,
            self._settings.roles_claim: list(roles),
            self._settings.casinos_claim: list(casinos),
        }
        return jwt.encode(claims, self._private, algorithm="EdDSA")
