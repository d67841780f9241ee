"""Suspended, resumed and cancelled rounds of a pot game."""

import pytest
from stud_table import StudTable

from backoffice.domain.rounds.events import (
    BetCalled,
    BettingClosed,
    Line,
    RoundOpened,
    RoundResumed,
    RoundSuspended,
    StackReturned,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_state import evolve_pot, start_pot
from backoffice.domain.terms import TableTerms
from backoffice.kernel.money import Money

SEATED = "1 2 3 sit with 400.00"
STREET_1 = "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad"


def test_a_cancelled_round_gives_every_chip_back_to_the_seat_that_put_it_in():
    table = StudTable(ante="1.00").play(
        SEATED, "1 2 3 post", STREET_1, "1 brings in", "2 folds", "3 completes"
    )
    cancelled = table.cancel()
    assert cancelled.lines == tuple(
        Line(seat, "tallinn", f"p-{seat}", "EUR", "pot", put, "refund", put, "the round is cancelled")
        for seat, put in (("1", 600), ("2", 100), ("3", 1100))
    )
    assert cancelled.stacks == tuple(
        StackReturned(seat, "tallinn", f"p-{seat}", Money(left, "EUR"))
        for seat, left in (("1", 39400), ("2", 39900), ("3", 38900))
    )


def test_a_seat_that_put_nothing_in_has_no_refund_line_and_an_empty_stack_no_entry():
    table = StudTable().play("1 sits with 5.00", "2 3 sit with 400.00", STREET_1, "1 brings in", "2 folds")
    cancelled = table.cancel()
    assert [line.seat for line in cancelled.lines] == ["1"]
    assert [stack.seat for stack in cancelled.stacks] == ["2", "3"]


def test_a_round_without_players_is_cancelled_with_nothing_to_give_back():
    cancelled = StudTable().cancel()
    assert (cancelled.lines, cancelled.stacks) == ((), ())


def test_the_phases_of_a_cancellation():
    table = StudTable().play(SEATED)
    table.cancel()
    assert table.state.phase is Phase.CANCELLED


def test_a_round_goes_on_as_if_nothing_had_happened():
    table = StudTable().play(SEATED, STREET_1)
    before = table.state
    table.record([RoundSuspended(round="r-1", reason="fire alarm")])
    assert table.state.suspended
    table.record([RoundResumed(round="r-1", reason="false alarm")])
    assert table.state == before


def test_an_event_that_cannot_follow_crashes():
    table = StudTable().play(SEATED, STREET_1)
    with pytest.raises(ValueError, match="seat 2 acted in seat 1's turn"):
        evolve_pot(table.state, BetCalled(round="r-1", seat="2", amount=500))
    with pytest.raises(TypeError, match="no fact of a pot game"):
        evolve_pot(table.state, BettingClosed(round="r-1"))
    with pytest.raises(KeyError):
        evolve_pot(table.state, BetCalled(round="r-1", seat="8", amount=500))


def test_a_table_without_stud_stakes_or_with_another_games_book_crashes():
    for terms in (TableTerms("five-card-stud/1", ()), TableTerms("caribbean-live/1", ())):
        with pytest.raises(TypeError):
            start_pot(RoundOpened(round="r", table="t", number="1", terms=terms))
