"""What the surroundings say: environment variables that begin with BACKOFFICE_. Read at the edges only."""

from pathlib import Path

from pydantic import Field
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
