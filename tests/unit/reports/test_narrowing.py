"""A casino is shown its own part of what happened: all of it, and nothing of the others."""

import json
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_floor import CASINOS
from random_office import played

from backoffice.bootstrap import CODEC
from backoffice.domain.accounts import book_of
from backoffice.domain.event import Event
from backoffice.domain.intake import KeyConflicted
from backoffice.domain.ledger import postings
from backoffice.domain.rounds.events import RoundSettled, SeatEvent, StakeTaken
from backoffice.kernel.money import Money
from backoffice.reports.narrowing import Narrowing, postings_within
from backoffice.reports.scope import EVERYTHING, OutOfScope, Scope

MARK = "!"


def told_apart(event: Event) -> Event:
    """The same fact with players that bear their casino's name."""
    data = json.loads(CODEC.encode(event))
    _mark(data)
    marked = CODEC.decode(type(event).type_name, type(event).schema_number, json.dumps(data).encode())
    assert isinstance(marked, Event)
    return marked


def _mark(part: Any) -> None:
    if isinstance(part, dict):
        if isinstance(part.get("player"), str):
            part["player"] = f"{part['casino']}{MARK}{part['player']}"
        for one in part.values():
            _mark(one)
    elif isinstance(part, list):
        for one in part:
            _mark(one)


def evening(seed: int) -> list[Event]:
    house, _ = played(seed, 500)
    return [told_apart(event) for event in house.events]


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9), st.sampled_from(sorted(CASINOS)))
def test_nobody_of_another_casino_is_in_it_and_all_of_one_s_own_is(seed: int, casino: str) -> None:
    scope = Scope((casino,))
    narrowing = Narrowing(scope)
    for event in evening(seed):
        shown = narrowing.shown(event)
        mine = [one for one in postings(event) if book_of(one.account) == casino]
        assert postings_within(scope, event) == mine
        if shown is None:
            assert mine == [], event
            assert not list(named(event, casino)), event
            continue
        text = CODEC.encode(shown).decode()
        others = [one for one in CASINOS if one != casino and f'"{one}{MARK}' in text]
        assert others == [], shown
        assert Counter(named(shown, casino)) == Counter(named(event, casino))
        assert [one for one in postings(shown) if book_of(one.account) == casino] == mine


def named(event: Event, casino: str) -> Iterator[str]:
    """The players of a casino, each time that a fact names one."""
    for part in CODEC.encode(event).decode().split('"'):
        if part.startswith(f"{casino}{MARK}"):
            yield part


def test_a_seat_s_facts_are_shown_to_its_casino_only() -> None:
    for seed in range(5):
        sits: dict[tuple[str, str], str] = {}
        narrowings = {casino: Narrowing(Scope((casino,))) for casino in CASINOS}
        for event in evening(seed):
            if isinstance(event, StakeTaken):
                sits[event.round, event.seat] = event.casino
            shown = {casino: narrowing.shown(event) for casino, narrowing in narrowings.items()}
            if isinstance(event, SeatEvent) and (event.round, event.seat) in sits:
                assert [casino for casino, one in shown.items() if one] == [sits[event.round, event.seat]]


def test_the_whole_network_is_shown_everything_as_it_is() -> None:
    narrowing = Narrowing(EVERYTHING)
    for event in evening(1):
        assert narrowing.shown(event) is event


def test_what_is_not_known_to_be_one_s_own_is_not_shown() -> None:
    narrowing = Narrowing(Scope(("tallinn",)))
    stake = StakeTaken.__subclasses__()[0]
    assert narrowing.shown(RoundSettled(round="never opened here", lines=())) is None
    conflict = KeyConflicted(sender="s", key="k", first_content="a", other_content="b")
    assert narrowing.shown(conflict) is None
    theirs = stake(round="r", seat="1", casino="riga", player="p", stake=Money(1, "EUR"))
    assert narrowing.shown(theirs) is None


def test_a_scope_is_narrowed_to_one_of_its_casinos_and_no_other() -> None:
    assert EVERYTHING.of("riga") == Scope(("riga",))
    assert Scope(("riga", "tallinn")).of("riga") == Scope(("riga",))
    assert Scope(("riga",)).of(None) == Scope(("riga",))
    with pytest.raises(OutOfScope, match="tallinn"):
        Scope(("riga",)).of("tallinn")
