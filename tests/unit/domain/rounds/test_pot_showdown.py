"""Who shows first, who may muck, and what a time-out does."""

from stud_table import StudTable

from backoffice.domain.rounds.events import HandMucked, HandShown

SEATED = "1 2 3 sit with 400.00"
TO_THE_LAST_STREET = (
    "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad",
    "1 brings in",
    "2 3 call",
    "street 2: 1 Js, 2 5h, 3 2d",
    "3 1 2 check",
    "street 3: 1 Jd, 2 4d, 3 6h",
    "1 2 3 check",
    "street 4: 1 8s, 2 Ac, 3 7c",
)


def last_round(*sentences: str) -> StudTable:
    """Seat 1 opens the last betting round; it has a pair of jacks, the best hand."""
    return StudTable().play(SEATED, *TO_THE_LAST_STREET, *sentences)


def side_pot(*sentences: str) -> StudTable:
    """Seat 1 is all-in for the bring-in with the best hand; 2 and 3 bet once more."""
    table = StudTable().play("1 sits with 5.00", "2 3 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad")
    table.play("1 brings in", "2 3 call", "street 2: 1 Js, 2 5h, 3 2d", "3 bets", "2 calls")
    table.play("street 3: 1 Jd, 2 4d, 3 6h", "2 3 check")  # the jacks are all-in
    return table.play("street 4: 1 8s, 2 Ac, 3 7c", *sentences)


def test_who_acted_last_in_the_last_betting_round_shows_first_then_clockwise():
    assert last_round("1 2 3 check").state.to_act == ("3", "1", "2")
    assert last_round("1 2 check", "3 bets", "1 2 call").state.to_act == ("2", "3", "1")
    assert last_round("1 bets", "2 3 call").state.to_act == ("3", "1", "2")


def test_who_acted_last_among_those_still_in():
    assert last_round("1 bets", "2 calls", "3 folds").state.to_act == ("2", "1")
    assert last_round("1 2 check", "3 bets", "1 calls", "2 folds").state.to_act == ("1", "3")


def test_where_nobody_could_act_the_first_left_of_the_dealer_shows_first():
    table = StudTable().play(
        "4 2 3 sit with 5.00", "street 1: 4 Kh/3d, 2 Qs/Td, 3 9h/Ad", "4 brings in", "2 3 call"
    )
    table.play("street 2: 4 Js, 2 5h, 3 2d", "street 3: 4 Jd, 2 4d, 3 6h", "street 4: 4 8s, 2 Ac, 3 7c")
    assert table.state.to_act == ("2", "3", "4")


def test_a_hand_is_shown_with_all_five_cards():
    table = last_round("1 2 3 check", "3 shows")
    assert table.newest == HandShown(round="r-1", seat="3", cards=("9h", "Ad", "2d", "6h", "7c"))


def test_each_may_show_or_muck():
    table = last_round("1 2 3 check", "3 mucks", "1 shows", "2 mucks")
    assert table.newest == HandMucked(round="r-1", seat="2")


def test_showing_goes_in_turn():
    table = last_round("1 2 3 check")
    table.refuses("1 shows", "seat 1: it is seat 3's turn")
    table.refuses("1 mucks", "seat 1: it is seat 3's turn")
    table.play("3 shows").refuses("3 mucks", "seat 3: its hand is shown")
    table.play("1 mucks").refuses("1 shows", "seat 1: its hand is mucked")


def test_hands_are_shown_when_the_betting_is_over():
    last_round().refuses("1 shows", "seat 1: hands are shown when the betting is over")
    last_round("1 checks").refuses("2 mucks", "seat 2: hands are shown when the betting is over")


def test_a_folded_hand_is_neither_shown_nor_mucked():
    table = last_round("1 bets", "2 calls", "3 folds")
    table.refuses("3 shows", "seat 3: its hand is folded")
    table.refuses("9 shows", "seat 9: nobody sits there")


def test_the_last_hand_left_cannot_be_mucked():
    table = last_round("1 2 3 check", "3 1 muck")
    table.refuses("2 mucks", "seat 2: the last hand left for a pot cannot be mucked")
    table.play("2 shows", "settle")
    assert table.paid == {"2": "15.00"}


def test_the_last_hand_left_for_a_side_pot_cannot_be_mucked():
    table = side_pot("2 3 check", "3 mucks", "1 shows")
    table.refuses("2 mucks", "seat 2: the last hand left for a pot cannot be mucked")
    table.play("2 shows", "settle")
    assert table.paid == {"1": "15.00", "2": "20.00"}


def test_a_hand_is_mucked_although_it_is_the_best():
    table = last_round("1 2 3 check", "3 shows", "1 mucks", "2 shows", "settle")
    assert table.paid == {"2": "15.00"}
    assert table.line("1").rule == "mucked"


def test_nothing_is_shown_when_all_but_one_have_folded():
    table = last_round("1 bets", "2 3 fold")
    table.refuses("1 shows", "seat 1: there is nothing to show")
    table.refuses("1 mucks", "seat 1: there is nothing to show")
    table.refuses("1 times out", "seat 1: there is nothing to show")
    table.play("settle")


def test_a_time_out_shows_since_nobody_loses_a_pot_by_silence():
    table = last_round("1 2 3 check", "3 times out")
    assert table.newest == HandShown(
        round="r-1", seat="3", cards=("9h", "Ad", "2d", "6h", "7c"), automatic=True
    )
    assert table.newest.decided_by_system
    table.refuses("3 times out", "seat 3: its hand is shown")
    table.refuses("2 times out", "seat 2: it is seat 1's turn")


def test_what_a_player_shows_is_not_the_systems_decision():
    assert not last_round("1 2 3 check", "3 shows").newest.decided_by_system
