"""What a projection is shown."""

from dataclasses import dataclass
from datetime import datetime
from functools import cached_property

from backoffice.domain.accounts import Posting
from backoffice.domain.event import Event
from backoffice.domain.ledger import postings


@dataclass(frozen=True)
class Fact:
    """An event, where it stands in the log, when it happened at the table and when the log took it."""

    position: int
    happened_at: datetime
    recorded_at: datetime
    event: Event

    @cached_property
    def postings(self) -> list[Posting]:
        """What it does to money: worked out once, for all that ask."""
        return postings(self.event)
