"""A player with too little left goes all-in: what others may do then, and when betting is over at once."""

import pytest
from stud_table import StudTable

from backoffice.domain.rounds.events import (
    AntePosted,
    BetCalled,
    BetCompleted,
    BetMade,
    BetRaised,
    BringInPosted,
)
from backoffice.domain.rounds.phase import Phase

STREET_1 = "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad"


def stacks(first: str, second: str, third: str, ante: str = "0") -> StudTable:
    """Three seats with these stacks; seat 1 has the lowest open card, seat 3 the highest."""
    return StudTable(ante=ante).play(f"1 sits with {first}", f"2 sits with {second}", f"3 sits with {third}")


# More than the stack is an all-in for what is left


def test_a_bring_in_for_what_is_left():
    table = stacks("3.00", "400.00", "400.00").play(STREET_1, "1 brings in")
    assert table.newest == BringInPosted(round="r-1", seat="1", amount=300, all_in=True)


def test_what_lies_there_is_what_there_is_to_call_after_a_short_bring_in():
    table = stacks("3.00", "400.00", "400.00").play(STREET_1, "1 brings in", "2 calls")
    assert table.newest == BetCalled(round="r-1", seat="2", amount=300)


def test_a_short_bring_in_is_completed_to_a_whole_small_bet():
    table = stacks("3.00", "400.00", "400.00").play(STREET_1, "1 brings in", "2 completes")
    assert table.newest == BetCompleted(round="r-1", seat="2", amount=1000)


def test_a_completion_for_what_is_left():
    table = stacks("400.00", "7.00", "400.00").play(STREET_1, "1 brings in", "2 completes")
    assert table.newest == BetCompleted(round="r-1", seat="2", amount=700, all_in=True)
    assert table.play("3 calls").newest.amount == 700


def test_a_bet_for_what_is_left_is_raised_by_a_whole_unit():
    table = stacks("400.00", "400.00", "9.00").play(STREET_1, "1 brings in", "2 3 call")
    table.play("street 2: 1 Js, 2 5h, 3 2d", "3 bets")
    assert table.newest == BetMade(round="r-1", seat="3", amount=400, all_in=True)
    assert table.play("1 raises").newest == BetRaised(round="r-1", seat="1", amount=1400)


def test_a_call_for_what_is_left():
    table = stacks("400.00", "4.00", "400.00").play(STREET_1, "1 brings in", "2 calls")
    assert table.newest == BetCalled(round="r-1", seat="2", amount=400, all_in=True)


def test_a_raise_for_what_is_left():
    table = stacks("400.00", "16.00", "400.00").play(STREET_1, "1 completes", "2 raises")
    assert table.newest == BetRaised(round="r-1", seat="2", amount=1600, all_in=True)


@pytest.mark.parametrize("stack", ["4.00", "5.00"])
def test_a_raise_that_does_not_get_past_the_bet_is_an_all_in_call(stack):
    table = stacks("400.00", stack, "400.00").play(STREET_1, "1 brings in", "2 raises")
    assert isinstance(table.newest, BetCalled)
    assert table.newest.all_in
    assert table.turn == "3"


def test_a_late_raise_that_does_not_get_past_the_bet_is_an_all_in_call():
    table = stacks("400.00", "15.00", "400.00").play(
        STREET_1, "1 completes", "2 calls", "3 raises", "1 calls"
    )
    table.play("2 raises")
    assert table.newest == BetCalled(round="r-1", seat="2", amount=500, all_in=True)


def test_the_whole_stack_is_all_in():
    assert stacks("5.00", "400.00", "400.00").play(STREET_1, "1 brings in").newest.all_in


def test_an_all_in_seat_has_nothing_to_decide():
    table = stacks("400.00", "5.00", "400.00").play(STREET_1, "1 brings in", "2 calls", "3 completes")
    table.refuses("2 calls", "seat 2 is all-in: it has nothing left to decide")
    assert table.turn == "1"


# An all-in raise for less


def short_raise(amount: str) -> StudTable:
    """Seat 1 completes, seat 2 calls, seat 3 raises all-in by less than a unit."""
    return stacks("400.00", "400.00", amount).play(STREET_1, "1 completes", "2 calls", "3 raises")


def test_an_all_in_raise_for_less_opens_no_new_betting():
    table = short_raise("13.00")
    table.refuses("1 raises", "seat 1: the last raise was an all-in for less, call or fold")
    table.play("1 calls")
    table.refuses("2 raises", "seat 2: the last raise was an all-in for less, call or fold")
    assert table.play("2 calls").turn is None


def test_an_all_in_raise_of_a_whole_unit_opens_the_betting_again():
    assert short_raise("20.00").play("1 raises").newest.amount == 2000


def test_who_has_not_acted_yet_may_raise_over_an_all_in_for_less():
    table = stacks("400.00", "13.00", "400.00").play(STREET_1, "1 completes", "2 raises", "3 raises")
    assert table.newest == BetRaised(round="r-1", seat="3", amount=2300)
    assert table.play("1 raises").newest.amount == 2300


def test_an_all_in_raise_for_less_counts_as_a_raise():
    table = stacks("400.00", "400.00", "33.00").play(
        STREET_1, "1 completes", "2 raises", "3 raises", "1 raises", "2 calls"
    )
    assert (table.state.to_match, table.state.bets) == (4000, 4)


# Nobody to bet against


def test_nobody_bets_when_everyone_else_is_all_in():
    table = stacks("400.00", "8.00", "8.00").play(STREET_1, "1 brings in", "2 completes", "3 calls")
    table.refuses("1 raises", "seat 1: nobody else has chips to call more, call or fold")
    table.play("1 calls")


def test_betting_is_over_at_once_when_at_most_one_can_act_and_the_streets_are_dealt():
    table = stacks("400.00", "5.00", "5.00").play(STREET_1, "1 brings in", "2 3 call")
    for street in ("street 2: 1 Js, 2 5h, 3 2d", "street 3: 1 Jd, 2 4d, 3 6h", "street 4: 1 8s, 2 Ac, 3 7c"):
        assert table.turn is None
        table.play(street)
    assert table.state.phase is Phase.SHOWDOWN


def test_all_in_seats_are_dealt_too():
    table = stacks("400.00", "5.00", "400.00").play(STREET_1, "1 brings in", "2 3 call")
    table.refuses("street 2: 1 Js, 3 2d", "seat 2 has no card up")


def test_betting_is_over_as_soon_as_the_last_opponent_with_chips_folds():
    table = stacks("400.00", "5.00", "400.00").play(STREET_1, "1 brings in", "2 3 call")
    table.play("street 2: 1 Js, 2 5h, 3 2d", "3 checks", "1 folds")
    assert table.turn is None
    table.play("street 3: 2 4d, 3 6h")
    assert table.turn is None


def test_a_lone_seat_with_chips_still_answers_a_bet():
    table = stacks("400.00", "5.00", "20.00").play(STREET_1, "1 brings in", "2 3 call")
    table.play("street 2: 1 Js, 2 5h, 3 2d", "3 bets", "1 calls", "street 3: 1 Jd, 2 4d, 3 6h", "1 checks")
    assert table.play("3 bets").newest.all_in
    assert table.turn == "1"


def test_where_the_lowest_card_is_all_in_with_its_ante_the_next_seat_brings_in():
    table = stacks("1.00", "400.00", "400.00", ante="1.00").play("1 2 3 post", STREET_1)
    assert table.events[2 + 2] == AntePosted(round="r-1", seat="1", amount=100, all_in=True)
    assert table.turn == "2"
    table.refuses("1 brings in", "seat 1 is all-in: it has nothing left to decide")
    table.play("2 brings in", "3 calls")


def test_where_the_highest_hand_is_all_in_the_next_seat_opens():
    table = stacks("400.00", "400.00", "5.00").play(STREET_1, "1 brings in", "2 3 call")
    assert table.play("street 2: 1 Js, 2 5h, 3 2d").turn == "1"


def test_no_bring_in_where_at_most_one_seat_has_chips_after_the_antes():
    table = stacks("1.00", "400.00", "1.00", ante="1.00").play("1 2 3 post", STREET_1)
    assert table.turn is None
    table.refuses("2 brings in", "seat 2: the betting of street 1 is over")
    table.play("street 2: 1 Js, 2 5h, 3 2d")


def test_an_all_in_seats_open_pair_allows_two_units():
    table = stacks("5.00", "400.00", "400.00").play(STREET_1, "1 brings in", "2 3 call")
    table.play("street 2: 1 3s, 2 5h, 3 2d", "2 bets 2")
    assert table.newest.amount == 2000
