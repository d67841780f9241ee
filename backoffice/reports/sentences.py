"""A fact in words, as a shift manager would tell it."""

from collections.abc import Callable, Mapping
from typing import Any

from backoffice.domain.event import Event
from backoffice.domain.rounds.events import ChipsPut, SeatEvent, SeatTaken, StakeTaken
from backoffice.kernel.money import Money
from backoffice.reports.house_sentences import HOUSE_SENTENCES
from backoffice.reports.round_sentences import CHIP_VERBS, ROUND_SENTENCES, SEAT_SENTENCES

SENTENCES: Mapping[type[Event], Callable[[Any], str]] = {
    **HOUSE_SENTENCES,
    **ROUND_SENTENCES,
    **SEAT_SENTENCES,
}


def sentence(event: Event, currency: str) -> str:
    """What `event` says, in one sentence; `currency` is that of the chips where its round is a pot game."""
    if isinstance(event, ChipsPut):
        all_in = ", all-in" if event.all_in else ""
        what = f"{CHIP_VERBS[type(event)](event)} {Money(event.amount, currency)}{all_in}"
    else:
        what = SENTENCES[type(event)](event)
    return f"{_who(event)} {what}" if isinstance(event, SeatEvent) else what


def _who(event: SeatEvent) -> str:
    if isinstance(event, StakeTaken | SeatTaken):
        return f"seat {event.seat} ({event.player} of {event.casino})"
    return f"seat {event.seat}"
