"""Every fact there is can be told in a sentence that a person understands."""

import re
from pathlib import Path

import pytest

from backoffice.bootstrap import CODEC
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.rounds.events import BetRaised, BringInPosted, HandFolded
from backoffice.reports.sentences import sentence

SAMPLES = Path(__file__).parents[2] / "golden" / "event_samples"


def sample(kind: type[Event]) -> Event:
    path = SAMPLES / f"{kind.type_name}.{kind.schema_number}.json"
    event = CODEC.decode(kind.type_name, kind.schema_number, path.read_bytes())
    assert isinstance(event, Event)
    return event


@pytest.mark.parametrize("kind", EVENTS, ids=lambda kind: kind.type_name)
def test_every_kind_of_fact_has_its_sentence(kind: type[Event]) -> None:
    told = sentence(sample(kind), "EUR")
    assert re.fullmatch(r"\S(.*\S)?", told), told
    assert kind.type_name not in told
    assert not re.search(r"[{}\[\]_]|None|Money|minor|\bclass\b", told), told


def test_chips_of_a_pot_game_are_money() -> None:
    raised = BetRaised(round="r", seat="2", amount=2000, all_in=True)
    assert sentence(raised, "EUR") == "seat 2 raises with 20.00 EUR, all-in"
    assert sentence(raised, "JPY") == "seat 2 raises with 2000 JPY, all-in"
    brought = BringInPosted(round="r", seat="2", amount=500, automatic=True)
    assert sentence(brought, "EUR") == "seat 2 AUTO BRING-IN of 5.00 EUR"


def test_what_the_system_decided_is_told_as_its_own() -> None:
    folded = HandFolded(round="r", seat="a", automatic=True, reason="not covered")
    assert sentence(folded, "") == "seat a AUTO FOLD (not covered)"
    assert sentence(HandFolded(round="r", seat="a"), "") == "seat a folds"
