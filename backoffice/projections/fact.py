"""What a projection is shown."""

from datetime import datetime
from typing import NamedTuple

from backoffice.domain.event import Event


class Fact(NamedTuple):
    """An event, where it stands in the log, and when it happened at the table."""

    position: int
    happened_at: datetime
    event: Event
