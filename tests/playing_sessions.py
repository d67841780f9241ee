"""Rounds that were played, for tests of sessions: a minute each, the first one at eight in the evening."""

from datetime import UTC, datetime, timedelta
from typing import Any

from backoffice.reports.regulators.sessions import Moment, Played

EIGHT = datetime(2026, 3, 1, 20, tzinfo=UTC)


def played(name: str = "r-1", minutes: int = 0, **fields: Any) -> Played:
    """One round of ann's, opened so many minutes past eight: a stake of 10.00 lost, nothing for the jackpot."""
    given: dict[str, Any] = {
        "player": "ann", "currency": "EUR", "table": "live-1", "round": name, "number": 1,
        "opened_at": EIGHT + timedelta(minutes=minutes), "settled_at": EIGHT + timedelta(minutes=minutes + 1),
        "position": 100 + minutes, "ruleset": "caribbean-live/1", "jackpot": None, "stake_minor": 1000,
        "jackpot_minor": 0, "won_minor": 0,
    }  # fmt: skip
    return Played(**{**given, **fields})


def taken(minutes: int) -> Moment:
    """When a result was taken back."""
    return Moment(EIGHT + timedelta(minutes=minutes), 100 + minutes)
