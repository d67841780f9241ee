"""What a file says of itself."""

from dataclasses import dataclass
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Heading:
    """A file's number, the how-manieth about the same it is (from 0 on), which of them it replaces, and when it was made."""

    number: int
    part: str
    version: int
    replaces: int | None
    made_at: datetime
