"""Dealing street by street, and who begins the betting."""

import pytest
from stud_table import AMPLE, StudTable, command

from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import StreetDealt
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_decisions import decide_pot

SEATED = "1 2 3 sit with 400.00"
STREET_1 = "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad"
ALL_CALL = ("1 brings in", "2 3 call")


def second_street(cards: str, *before: str) -> StudTable:
    """Everyone called the bring-in and `cards` are dealt."""
    return StudTable().play(SEATED, STREET_1, *ALL_CALL, *before, cards)


# Round 1


def test_one_card_down_one_up():
    table = StudTable().play(SEATED, STREET_1)
    assert table.newest == StreetDealt(
        round="r-1", street=1, down={"1": "Kh", "2": "Qs", "3": "9h"}, up={"1": "3d", "2": "Td", "3": "Ad"}
    )
    assert table.state.phase is Phase.PLAYING


def test_the_lowest_up_card_begins():
    assert StudTable().play(SEATED, "street 1: 1 Kh/9d, 2 Qs/3d, 3 9h/Ad").turn == "2"


def test_the_ace_is_not_low_for_the_bring_in():
    assert StudTable().play(SEATED, "street 1: 1 Kh/Ad, 2 Qs/Kd, 3 9h/Qd").turn == "3"


@pytest.mark.parametrize(
    ("cards", "weakest"),
    [
        ("1 Kh/3s, 2 Qs/3h, 3 9h/3d, 4 9s/3c", "4"),
        ("1 Kh/3s, 2 Qs/3h, 3 9h/3d, 4 9s/4c", "3"),
        ("1 Kh/3s, 2 Qs/3h, 3 9h/4d, 4 9s/4c", "2"),
    ],
)
def test_among_equal_cards_the_weakest_suit_posts_spades_hearts_diamonds_clubs(cards, weakest):
    assert StudTable().play("1 2 3 4 sit with 400.00", f"street 1: {cards}").turn == weakest


def test_down_cards_play_no_part_in_the_bring_in():
    assert StudTable().play(SEATED, "street 1: 1 2c/Ad, 2 Qs/Kd, 3 9h/Qd").turn == "3"


def test_a_pot_needs_two_players():
    StudTable().play("1 sits with 400.00").refuses("street 1: 1 Kh/3d", "a pot needs at least two players")


# Rounds 2 to 4


def test_the_highest_showing_hand_opens():
    assert second_street("street 2: 1 Js, 2 5h, 3 2d").turn == "3"


def test_an_open_pair_is_higher_than_an_ace():
    assert second_street("street 2: 1 3s, 2 5h, 3 2d").turn == "1"


def test_equal_showing_hands_are_opened_nearest_to_the_dealers_left():
    table = StudTable().play(SEATED, "street 1: 1 Kh/Ac, 2 Qs/Td, 3 9h/Ad", "2 brings in", "3 1 call")
    assert table.play("street 2: 1 8s, 2 5h, 3 8d").turn == "1"


def test_the_next_card_decides_between_equal_ones():
    table = StudTable().play(SEATED, "street 1: 1 Kh/Ac, 2 Qs/Td, 3 9h/Ad", "2 brings in", "3 1 call")
    assert table.play("street 2: 1 8s, 2 5h, 3 9d").turn == "3"


def test_the_betting_goes_clockwise_and_round_the_corner():
    table = second_street("street 2: 1 Js, 2 5h, 3 2d").play("3 checks")
    assert table.turn == "1"
    assert table.play("1 checks").turn == "2"


def test_four_open_cards_count_no_straight_and_no_flush_for_who_opens():
    table = second_street("street 2: 1 4d, 2 Tc, 3 Ks")
    table.play("2 3 1 check", "street 3: 1 5d, 2 7c, 3 2s", "2 3 1 check", "street 4: 1 6d, 2 8c, 3 4s")
    assert table.turn == "2"


def test_folded_seats_get_no_cards_and_the_others_one_each():
    table = StudTable().play(SEATED, STREET_1, "1 brings in", "2 calls", "3 folds")
    table.refuses("street 2: 1 Js, 2 5h, 3 2d", "seat 3: no card up belongs there, the seat has folded")
    table.refuses("street 2: 1 Js", "seat 2 has no card up")
    table.play("street 2: 1 Js, 2 5h")


def test_an_empty_seat_gets_no_card():
    table = StudTable().play(SEATED)
    reason = "seat 4: no card down belongs there, nobody sits there"
    table.refuses("street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad, 4 2h/2d", reason)


def test_every_seat_gets_a_card_down_and_a_card_up_on_street_1():
    StudTable().play(SEATED).refuses("street 1: 1 Kh/3d, 2 Qs/Td, 3 Ad", "seat 3 has no card down")
    only_down = command("deal", street=1, down={"1": "As", "2": "Ks", "3": "Qs"}, up={"1": "2s", "2": "3s"})
    assert refusal(StudTable().play(SEATED), only_down) == "seat 3 has no card up"


def test_no_card_goes_down_on_the_streets_between():
    table = StudTable().play(SEATED, STREET_1, *ALL_CALL)
    reason = "seat 1: no card down belongs there, the street has none"
    table.refuses("street 2: 1 2h/Js, 2 5h, 3 2d", reason)


def test_a_card_seen_twice_is_a_dealing_error():
    StudTable().play(SEATED).refuses("street 1: 1 Kh/3d, 2 Qs/Td, 3 3d/Ad", "3d is dealt twice")
    table = StudTable().play(SEATED, STREET_1, *ALL_CALL)
    table.refuses("street 2: 1 Js, 2 5h, 3 Kh", "Kh is dealt twice")


def test_a_folded_hands_card_does_not_come_back():
    table = StudTable().play(SEATED, STREET_1, "1 brings in", "2 folds", "3 calls")
    table.refuses("street 2: 1 Js, 3 Qs", "Qs is dealt twice")


def test_streets_come_in_order():
    StudTable().play(SEATED).refuses("street 2: 1 Js, 2 5h, 3 2d", "street 1 is next, not street 2")
    table = StudTable().play(SEATED, STREET_1, *ALL_CALL)
    table.refuses(STREET_1, "street 2 is next, not street 1")
    table.refuses("street 3: 1 Js, 2 5h, 3 2d", "street 2 is next, not street 3")


def test_no_street_before_the_betting_of_the_one_before_is_over():
    table = StudTable().play(SEATED, STREET_1, "1 brings in", "2 calls")
    reason = "the betting of street 1 is not over: it is seat 3's turn"
    table.refuses("street 2: 1 Js, 2 5h, 3 2d", reason)


def test_no_fifth_street():
    table = second_street("street 2: 1 Js, 2 5h, 3 2d").play(
        "3 1 2 check",
        "street 3: 1 Jd, 2 4d, 3 6h",
        "1 2 3 check",
        "street 4: 1 8s, 2 Ac, 3 7c",
        "1 2 3 check",
    )
    table.refuses("street 5: 1 2s, 2 3s, 3 4s", "no more cards: the betting is over")


def test_whole_hands_are_a_dealer_games_deal():
    hands = command("deal", hands={"1": ["As", "Ks", "Qs", "Js", "Ts"]}, up="2c")
    reason = "Five Card Stud is dealt street by street, not in whole hands"
    assert refusal(StudTable().play(SEATED), hands) == reason
    assert refusal(StudTable().play(SEATED), command("deal", up={"1": "As"})) == reason


def test_one_open_card_for_all_is_a_dealer_games_deal():
    one_card = command("deal", street=1, down={"1": "As", "2": "Ks", "3": "Qs"}, up="2c")
    assert refusal(StudTable().play(SEATED), one_card) == "whose open card is 2c? Every seat gets its own"


# The last card


def last_street(last_card: str) -> StudTable:
    return StudTable(last_card=last_card).play(
        SEATED,
        STREET_1,
        *ALL_CALL,
        "street 2: 1 Js, 2 5h, 3 2d",
        "3 1 2 check",
        "street 3: 1 Jd, 2 4d, 3 6h",
        "1 2 3 check",
    )


def test_the_last_card_is_up_by_default():
    table = last_street("up")
    table.refuses(
        "street 4 down: 1 8s, 2 Ac, 3 7c", "seat 1: no card down belongs there, the street has none"
    )
    assert table.play("street 4: 1 8s, 2 Ac, 3 7c").newest.up == {"1": "8s", "2": "Ac", "3": "7c"}


def test_the_last_card_is_down_where_the_table_says_so():
    table = last_street("down")
    table.refuses("street 4: 1 8s, 2 Ac, 3 7c", "seat 1 has no card down")
    table.play("street 4 down: 1 8s, 2 Ac, 3 7c")
    assert (table.newest.down, table.newest.up) == ({"1": "8s", "2": "Ac", "3": "7c"}, {})
    assert table.turn == "1"


def test_no_open_cards_need_be_named_when_the_last_card_is_down():
    down = {"1": "8s", "2": "Ac", "3": "7c"}
    assert last_street("down").take(command("deal", street=4, down=down))[0].up == {}
    assert refusal(last_street("up"), command("deal", street=4)) == "seat 1 has no card up"


def test_a_hidden_last_card_counts_in_the_hand():
    table = last_street("down").play("street 4 down: 1 Jc, 2 Ac, 3 7c", "1 2 3 check", "3 shows", "1 shows")
    assert table.newest.cards == ("Kh", "Jc", "3d", "Js", "Jd")


def refusal(table: StudTable, action: object) -> str:
    with pytest.raises(Refused) as refused:
        decide_pot(table.state, action, AMPLE)
    return refused.value.reason
