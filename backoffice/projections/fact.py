"""What a projection is shown."""

from dataclasses import dataclass, field
from datetime import datetime

from backoffice.domain.accounts import Posting
from backoffice.domain.event import Event
from backoffice.domain.ledger import postings


@dataclass(slots=True)
class Fact:
    """An event, where it stands in the log, when it happened at the table and when the log took it."""

    position: int
    happened_at: datetime
    recorded_at: datetime
    event: Event
    _postings: list[Posting] | None = field(default=None, init=False, repr=False, compare=False)

    @property
    def postings(self) -> list[Posting]:
        """What it does to money: worked out once, for all that ask."""
        if self._postings is None:
            self._postings = postings(self.event)
        return self._postings
