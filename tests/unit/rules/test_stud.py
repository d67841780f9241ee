"""What open cards say about who begins."""

from backoffice.rules.stud import clockwise, highest_showing, lowest_card, shows_pair


def test_the_lowest_card_is_the_lowest_rank_and_then_the_weakest_suit():
    assert lowest_card({"1": "Ac", "2": "3s", "3": "3d"}) == "3"


def test_pairs_show_higher_than_any_single_cards_and_trips_higher_than_two_pairs():
    assert highest_showing({"1": ["As", "Kd", "Qc"], "2": ["2s", "2d", "3c"]}) == "2"
    assert highest_showing({"1": ["As", "Ad", "Kc", "Kd"], "2": ["2s", "2d", "2c", "3c"]}) == "2"


def test_equal_showing_hands_are_the_first_ones():
    assert highest_showing({"2": ["Ad"], "4": ["As"]}) == "2"


def test_an_open_pair():
    assert shows_pair(["As", "Ad"])
    assert not shows_pair(["As", "Kd"])


def test_clockwise_goes_round():
    assert clockwise(["1", "3", "7"], "3") == ("3", "7", "1")
