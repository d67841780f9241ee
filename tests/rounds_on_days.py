"""Rounds that are over in a second, on whichever day a test wants them."""

from dataclasses import replace
from datetime import UTC, date, datetime

from front_door import whole_round

from backoffice.app.requests import Request

LOST_MINOR = 6025
"""What such a round brings the house of Tallinn."""


def played(round_id: str, at: datetime) -> list[Request]:
    """One lost round of ann's, every action of it at the same moment."""
    return [
        request._replace(command=replace(request.command, at=at)) for request in whole_round(round_id, "ann")
    ]


def on(day: date, hour: int = 20) -> datetime:
    """An hour of a day, in UTC."""
    return datetime(day.year, day.month, day.day, hour, tzinfo=UTC)
