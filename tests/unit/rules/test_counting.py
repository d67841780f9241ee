"""Hands counted by ranks are as many as hands looked at one by one, and as the books say of a whole deck."""

from collections import Counter
from itertools import combinations, product
from math import comb

import pytest
from phevaluator import evaluate_cards

from backoffice.kernel.hands import Category
from backoffice.rules.counting import best_hands

_LAST_RANK = {
    Category.ROYAL_FLUSH: 1,
    Category.STRAIGHT_FLUSH: 10,
    Category.FOUR_OF_A_KIND: 166,
    Category.FULL_HOUSE: 322,
    Category.FLUSH: 1599,
    Category.STRAIGHT: 1609,
    Category.THREE_OF_A_KIND: 2467,
    Category.TWO_PAIRS: 3325,
    Category.ONE_PAIR: 6185,
    Category.HIGH_CARD: 7462,
}
"""phevaluator numbers the 7,462 different hands, the best one first: this is the last of each category."""


def judged(cards: tuple[str, ...]) -> Category:
    rank = evaluate_cards(*cards)
    return next(category for category, last in _LAST_RANK.items() if rank <= last)


@pytest.mark.parametrize(("ranks", "cards"), [("9TJQKA", 5), ("A2345", 6), ("TJQKA", 6), ("4567A", 7)])
def test_a_small_deck_holds_what_phevaluator_finds_hand_by_hand(ranks, cards):
    deck = ["".join(card) for card in product(ranks, "shdc")]
    one_by_one = Counter(judged(hand) for hand in combinations(deck, cards))
    assert +Counter(best_hands(cards, ranks)) == one_by_one


@pytest.mark.parametrize("cards", [5, 6])
def test_every_hand_of_a_whole_deck_is_counted_once(cards):
    assert sum(best_hands(cards).values()) == comb(52, cards)


def test_five_cards_of_a_whole_deck_have_the_known_numbers():
    assert [best_hands(5)[category] for category in sorted(Category, reverse=True)] == [
        4,
        36,
        624,
        3_744,
        5_108,
        10_200,
        54_912,
        123_552,
        1_098_240,
        1_302_540,
    ]


def test_six_cards_of_a_whole_deck_have_the_known_numbers():
    assert [best_hands(6)[category] for category in sorted(Category, reverse=True)] == [
        188,
        1_656,
        14_664,
        165_984,
        205_792,
        361_620,
        732_160,
        2_532_816,
        9_730_740,
        6_612_900,
    ]


@pytest.mark.parametrize("cards", [4, 8])
def test_no_other_number_of_cards_is_counted(cards):
    with pytest.raises(ValueError, match="five to seven cards"):
        best_hands(cards)
