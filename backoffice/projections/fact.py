"""What a projection is shown."""

from typing import NamedTuple

from backoffice.domain.event import Event
from backoffice.log.envelope import Recorded


class Fact(NamedTuple):
    """An event with its envelope: what happened, and when, where in the log, by whom."""

    recorded: Recorded
    event: Event
