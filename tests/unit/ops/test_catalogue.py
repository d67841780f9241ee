"""The event catalogue in the repository is the one that the event classes make."""

from ops import catalogue


def test_the_event_catalogue_is_up_to_date() -> None:
    assert catalogue.is_fresh(), f"ops/events.md is stale; run: {catalogue.REGENERATE}"
