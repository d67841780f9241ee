"""Bring-in, completion, check, bet, call, raise, fold, time-out: in turn and within the limits."""

import pytest
from stud_table import StudTable

from backoffice.domain.rounds.events import (
    BetCalled,
    BetCompleted,
    BetMade,
    BetRaised,
    BringInPosted,
    HandFolded,
    SeatChecked,
)
from backoffice.domain.rounds.phase import Phase

SEATED = "1 2 3 sit with 400.00"
STREET_1 = "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad"


def first_street(*sentences: str) -> StudTable:
    """Seat 1 must bring in."""
    return StudTable().play(SEATED, STREET_1, *sentences)


def second_street(*sentences: str, cards: str = "1 Js, 2 5h, 3 2d") -> StudTable:
    """Nothing is bet but the bring-ins; seat 3 opens."""
    return first_street("1 brings in", "2 3 call").play(f"street 2: {cards}", *sentences)


def third_street(*sentences: str) -> StudTable:
    """Seat 1 opens with a pair of jacks; the limit is big."""
    return second_street("3 1 2 check", "street 3: 1 Jd, 2 4d, 3 6h", *sentences)


def open_pair(*sentences: str) -> StudTable:
    """Seat 1 opens the second street with a pair of threes."""
    return second_street(*sentences, cards="1 3s, 2 5h, 3 2d")


# Round 1: the bring-in


def test_the_bring_in_is_half_the_small_limit():
    table = first_street("1 brings in")
    assert table.newest == BringInPosted(round="r-1", seat="1", amount=500)
    assert table.turn == "2"


def test_the_bring_in_seat_may_instead_complete_at_once():
    assert first_street("1 completes").newest == BetCompleted(round="r-1", seat="1", amount=1000)


def test_the_bring_in_seats_raise_is_a_completion():
    assert first_street("1 raises").newest == BetCompleted(round="r-1", seat="1", amount=1000)


@pytest.mark.parametrize("word", ["checks", "folds", "bets", "calls"])
def test_the_bring_in_seat_can_do_nothing_else(word):
    first_street().refuses(f"1 {word}", "seat 1 must post the bring-in or complete it")


def test_the_bring_in_is_posted_once():
    first_street("1 brings in").refuses("2 brings in", "seat 2: the bring-in is posted")
    first_street("1 completes").refuses("2 brings in", "seat 2: the bring-in is posted")
    second_street().refuses("3 brings in", "seat 3: there is a bring-in on street 1 only")


def test_after_the_bring_in_a_seat_folds_calls_or_raises():
    table = first_street("1 brings in", "2 folds", "3 calls")
    assert table.newest == BetCalled(round="r-1", seat="3", amount=500)
    table = first_street("1 brings in")
    table.refuses("2 checks", "seat 2 cannot check: 5.00 EUR to call")
    table.refuses("2 bets", "seat 2 cannot bet: 5.00 EUR is bet already")


@pytest.mark.parametrize("word", ["raises", "completes"])
def test_the_first_raise_over_the_bring_in_completes_it_to_one_small_bet(word):
    table = first_street("1 brings in", f"2 {word}")
    assert table.newest == BetCompleted(round="r-1", seat="2", amount=1000)
    assert first_street("1 brings in", "2 calls", f"3 {word}").newest.amount == 1000


def test_the_bring_in_seat_adds_what_is_missing_when_it_completes_or_calls():
    assert first_street("1 brings in", "2 completes", "3 folds", "1 calls").newest.amount == 500


def test_later_raises_add_one_unit_each():
    table = first_street("1 brings in", "2 completes", "3 raises")
    assert table.newest == BetRaised(round="r-1", seat="3", amount=2000)
    assert table.play("1 raises").newest.amount == 2500


def test_a_complete_bet_is_raised_not_completed():
    first_street("1 completes").refuses("2 completes", "seat 2: the bet is complete: raise it")
    second_street().refuses("3 completes", "seat 3: only the bring-in is completed")


def test_the_completion_counts_as_the_bet_and_the_bring_in_does_not():
    table = first_street("1 brings in", "2 completes", "3 raises", "1 raises", "2 raises")
    assert table.state.to_match == 4000
    table.refuses("3 raises", "seat 3: one bet and 3 raises are made, call or fold")
    table.play("3 1 call")
    assert table.turn is None


def test_when_everyone_only_called_the_bring_in_was_its_seats_action():
    table = first_street("1 brings in", "2 3 call")
    assert table.turn is None
    table.refuses("1 checks", "seat 1: the betting of street 1 is over")


def test_the_bring_in_seat_acts_again_when_it_was_completed():
    table = first_street("1 brings in", "2 calls", "3 completes")
    assert table.state.to_act == ("1", "2")


# Rounds 2 to 4


def test_the_opener_may_check():
    assert second_street("3 checks").newest == SeatChecked(round="r-1", seat="3")


def test_the_street_ends_when_all_have_checked():
    assert second_street("3 1 2 check").turn is None


def test_a_check_is_gone_once_there_is_a_bet():
    table = second_street("3 checks", "1 bets")
    table.refuses("2 checks", "seat 2 cannot check: 10.00 EUR to call")
    assert table.state.to_act == ("2", "3")


def test_a_bet_is_one_unit_and_so_is_a_raise():
    table = second_street("3 bets")
    assert table.newest == BetMade(round="r-1", seat="3", amount=1000)
    assert table.play("1 raises").newest == BetRaised(round="r-1", seat="1", amount=2000)


def test_rounds_1_and_2_go_by_the_small_limit_rounds_3_and_4_by_the_big_one():
    assert third_street("1 bets").newest.amount == 2000
    last = third_street("1 2 3 check", "street 4: 1 8s, 2 Ac, 3 7c", "1 bets", "2 raises")
    assert last.newest.amount == 4000


def test_one_bet_and_three_raises_at_most():
    table = third_street("1 bets", "2 raises", "3 raises", "1 raises")
    assert table.state.to_match == 8000
    table.refuses("2 raises", "seat 2: one bet and 3 raises are made, call or fold")
    table.play("2 3 call", "street 4: 1 8s, 2 Ac, 3 7c", "1 bets")


def test_the_cap_holds_between_two_players_as_well():
    table = third_street("1 bets", "2 folds", "3 raises", "1 raises", "3 raises")
    table.refuses("1 raises", "seat 1: one bet and 3 raises are made, call or fold")


def test_nothing_bet_is_nothing_to_call_or_raise():
    second_street().refuses("3 calls", "seat 3 has nothing to call")
    second_street().refuses("3 raises", "seat 3 cannot raise: nothing is bet")


def test_a_second_bet_is_a_raise():
    second_street("3 bets").refuses("1 bets", "seat 1 cannot bet: 10.00 EUR is bet already")


def test_a_fold_is_allowed_where_a_check_is_possible():
    table = second_street("3 folds")
    assert table.newest == HandFolded(round="r-1", seat="3")
    assert table.turn == "1"


def test_out_of_turn():
    second_street().refuses("1 checks", "seat 1: it is seat 3's turn")


def test_a_folded_seat_does_not_act():
    second_street("3 folds").refuses("3 checks", "seat 3: its hand is folded")


def test_an_empty_seat_does_not_act():
    second_street().refuses("7 checks", "seat 7: nobody sits there")


def test_no_betting_before_the_deal_and_none_after_the_last_round():
    StudTable().play(SEATED).refuses("1 bets", "seat 1: the cards are not dealt")
    over = third_street("1 2 3 check", "street 4: 1 8s, 2 Ac, 3 7c", "1 2 3 check")
    over.refuses("1 bets", "seat 1: the betting is over")


def test_no_betting_in_a_settled_round():
    table = first_street("1 brings in", "2 3 fold", "settle")
    table.refuses("1 bets", "seat 1: the round is over")


def test_when_all_but_one_have_folded_nothing_more_is_dealt_or_bet():
    table = first_street("1 brings in", "2 3 fold")
    assert (table.state.phase, table.turn) == (Phase.SHOWDOWN, None)
    table.refuses("street 2: 1 Js", "no more cards: the betting is over")


# An open pair


def test_an_open_pair_allows_a_bet_of_one_unit_or_two():
    assert open_pair("1 bets").newest.amount == 1000
    assert open_pair("1 bets 2").newest == BetMade(round="r-1", seat="1", amount=2000, units=2)


def test_an_open_pair_allows_anyone_two_units():
    assert open_pair("1 checks", "2 bets 2").newest.amount == 2000
    assert open_pair("1 bets", "2 raises 2").newest == BetRaised(round="r-1", seat="2", amount=3000, units=2)


def test_after_a_two_unit_bet_a_raise_is_one_unit_or_two():
    assert open_pair("1 bets 2", "2 raises").newest.amount == 3000
    assert open_pair("1 bets 2", "2 raises 2").newest.amount == 4000


def test_a_one_unit_raise_of_a_two_unit_bet_may_be_raised_again():
    assert open_pair("1 bets 2", "2 raises", "3 calls", "1 raises").newest.amount == 2000


def test_a_two_unit_bet_or_raise_counts_once():
    table = open_pair("1 bets 2", "2 raises 2", "3 raises 2", "1 raises 2")
    assert table.state.to_match == 8000
    table.refuses("2 raises 2", "seat 2: one bet and 3 raises are made, call or fold")


def test_two_units_need_an_open_pair():
    second_street().refuses("3 bets 2", "seat 3: two units need an open pair on street 2")
    second_street("3 bets").refuses("1 raises 2", "seat 1: two units need an open pair on street 2")


def test_two_units_are_for_round_2_only():
    third_street().refuses("1 bets 2", "seat 1: two units need an open pair on street 2")
    first_street("1 brings in").refuses("2 raises 2", "seat 2: two units need an open pair on street 2")


def test_a_folded_seats_pair_allows_nothing():
    open_pair("1 folds").refuses("2 bets 2", "seat 2: two units need an open pair on street 2")


def test_a_pair_with_the_hidden_card_is_no_open_pair():
    table = second_street(cards="1 Js, 2 Qd, 3 2d")
    table.refuses("3 bets 2", "seat 3: two units need an open pair on street 2")


# Time-outs


def test_a_time_out_of_the_bring_in_seat_posts_it():
    table = first_street("1 times out")
    assert table.newest == BringInPosted(round="r-1", seat="1", amount=500, automatic=True)
    assert table.newest.decided_by_system


def test_a_time_out_checks_where_possible():
    table = second_street("3 times out")
    assert table.newest == SeatChecked(round="r-1", seat="3", automatic=True)
    assert table.newest.decided_by_system


def test_a_time_out_folds_where_there_is_a_bet():
    table = second_street("3 bets", "1 times out")
    assert table.newest == HandFolded(round="r-1", seat="1", automatic=True)
    assert table.newest.decided_by_system


def test_a_time_out_out_of_turn_is_refused():
    second_street().refuses("1 times out", "seat 1: it is seat 3's turn")


def test_what_a_player_does_is_not_the_systems_decision():
    for table in (first_street("1 brings in"), second_street("3 checks"), second_street("3 folds")):
        assert not table.newest.decided_by_system
