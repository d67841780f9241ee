"""What the surroundings say: environment variables that begin with BACKOFFICE_. Read at the edges only."""

from pathlib import Path
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, model_validator
from pydantic_settings import BaseSettings, SettingsConfigDict


class Settings(BaseSettings):
    """Where the log is kept, and in whose name a feed is read, unless the command line says otherwise."""

    model_config = SettingsConfigDict(env_prefix="BACKOFFICE_", env_ignore_empty=True, frozen=True)

    database_url: str | None = Field(default=None, repr=False)
    """A PostgreSQL, 15 or newer; without one the house starts its own. Hidden, it may hold a password."""
    data: Path = Path("data")
    """The folder of the house's own PostgreSQL."""
    sender: str | None = None
    """Whose ids a feed's are; without it, the network's own."""
    broker_url: str | None = Field(default=None, repr=False)
    """A Redis or RabbitMQ for Celery (redis://..., amqp://...): workers carry out reactions then. Without one whoever
    commits a fact carries out what it causes in the same commit. Hidden, it may hold a password."""
    exports: Path = Path("data/exports")
    """The folder into which workers write exports."""
    sweep_seconds: float = Field(default=20, gt=0)
    """How often workers look in the log for what is due and was lost on the way."""


class ApiSettings(BaseSettings):
    """How the HTTP API knows people, and what it takes at most: variables that begin with BACKOFFICE_API_."""

    model_config = SettingsConfigDict(env_prefix="BACKOFFICE_API_", env_ignore_empty=True, frozen=True)

    development: bool = False
    """Issue tokens to whoever asks, by a key of one's own, instead of taking a provider's."""
    jwks_url: str | None = None
    """Where the OpenID provider publishes its keys; without it no person's token is taken."""
    issuer: str | None = None
    audience: str | None = None
    leeway_seconds: int = Field(default=30, ge=0, le=300)
    """By how much the provider's clock may be wrong."""
    jwks_cooldown_seconds: float = Field(default=30, ge=0)
    """After its keys were fetched they are not fetched again for so long, whatever key a token names."""
    name_claim: str = "sub"
    """What names a person for good: two people are two only if these are."""
    roles_claim: str = "roles"
    casinos_claim: str = "casinos"
    """Dots lead into nested claims."""
    key_refresh_seconds: float = Field(default=1, ge=0)
    """After so long a key that was revoked opens nothing any more, whichever process was told."""
    waiting_most: int = Field(default=8000, ge=1)
    """So many requests may wait to be committed; above that the answer is 429."""
    commit_most: int = Field(default=4000, ge=1)
    """So many of them share a commit."""
    list_most: int = Field(default=1000, ge=1)
    """Actions in one request; never more than may wait."""
    body_bytes: int = Field(default=4 * 1024 * 1024, ge=1024)
    body_seconds: float = Field(default=15, gt=0)
    """So long a body may take to come in."""
    requests_a_second: float = Field(default=1000, gt=0)
    requests_at_once: int = Field(default=2000, ge=1)
    """What each person or system may ask on the long run, and without a pause."""
    cors_origins: tuple[str, ...] = ()
    """The web origins whose pages may ask; none by default. A JSON list."""
    answer_seconds: float = Field(default=20, gt=0)
    """So long a write is waited for."""

    @model_validator(mode="after")
    def _whole_provider(self) -> Self:
        """A provider is known by its keys, its name and ours; the keys come over a line that nobody can change."""
        if self.jwks_url is None:
            return self
        if not self.issuer or not self.audience:
            raise ValueError("BACKOFFICE_API_ISSUER and BACKOFFICE_API_AUDIENCE belong to a JWKS_URL")
        url = urlsplit(self.jwks_url)
        if url.scheme != "https" and url.hostname not in {"127.0.0.1", "::1", "localhost"}:
            raise ValueError("BACKOFFICE_API_JWKS_URL must begin with https://")
        return self
