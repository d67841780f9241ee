"""Cards as the feed writes them."""

import re

import pytest

from backoffice.kernel.cards import CARD_PATTERN, DECK, RANK_OF, SUIT_OF, pretty, repeated


def test_one_deck_has_fifty_two_cards_and_no_jokers():
    assert len(set(DECK)) == len(DECK) == 52
    assert {card[0] for card in DECK} == set("23456789TJQKA")
    assert {card[1] for card in DECK} == set("shdc")


def test_cards_are_written_rank_then_suit():
    assert {"As", "Td"} <= set(DECK)
    assert all(re.match(CARD_PATTERN, card) for card in DECK)


@pytest.mark.parametrize("text", ["", "A", "AS", "as", "1s", "10s", "sA", "Ax", "Ass", " As", "Jo"])
def test_nothing_else_is_a_card(text):
    assert not re.match(CARD_PATTERN, text)
    assert text not in RANK_OF


def test_ranks_rise_from_two_to_ace():
    assert [RANK_OF[rank + "s"] for rank in "23456789TJQKA"] == list(range(2, 15))


def test_spades_are_above_hearts_above_diamonds_above_clubs():
    assert SUIT_OF["2s"] > SUIT_OF["2h"] > SUIT_OF["2d"] > SUIT_OF["2c"]


def test_a_person_reads_a_ten_and_a_sign():
    assert pretty(["As", "Td", "9h", "2c"]) == "A♠ 10♦ 9♥ 2♣"


def test_a_card_seen_twice_is_found_and_is_the_first_such():
    assert repeated(["As", "Kd", "2c"]) is None
    assert repeated(["As", "Kd", "Kd", "As"]) == "Kd"
    assert repeated([]) is None
