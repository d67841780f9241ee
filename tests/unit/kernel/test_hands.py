"""What hands are worth: by examples, by two independent judges, and by counting a whole deck."""

import random
from itertools import combinations_with_replacement, pairwise
from math import comb, prod

import pytest
from phevaluator import evaluate_cards
from pokerkit import StandardHighHand

from backoffice.kernel.cards import DECK
from backoffice.kernel.hands import Category, HandValue, best_value, hand_value

RANKS = "23456789TJQKA"

FALLING = [
    ("royal flush", "As Ks Qs Js Ts"),
    ("straight flush", "Kh Qh Jh Th 9h"),
    ("straight flush", "6c 5c 4c 3c 2c"),
    ("straight flush", "5d 4d 3d 2d Ad"),
    ("four of a kind", "As Ah Ad Ac Ks"),
    ("four of a kind", "As Ah Ad Ac Qs"),
    ("four of a kind", "2s 2h 2d 2c As"),
    ("full house", "Ks Kh Kd 2c 2s"),
    ("full house", "Qs Qh Qd Ac As"),
    ("flush", "As Js 9s 5s 3s"),
    ("flush", "Ah Jh 9h 5h 2h"),
    ("flush", "7c 5c 4c 3c 2c"),
    ("straight", "Ah Kd Qs Jc Th"),
    ("straight", "6h 5d 4s 3c 2h"),
    ("straight", "5h 4d 3s 2c Ah"),
    ("three of a kind", "Ks Kh Kd Ac 2s"),
    ("three of a kind", "Ks Kh Kd Qc Js"),
    ("three of a kind", "2s 2h 2d Ac Ks"),
    ("two pairs", "As Ah 2d 2c 3s"),
    ("two pairs", "Ks Kh Qd Qc As"),
    ("two pairs", "Ks Kh Qd Qc Js"),
    ("one pair", "As Ah 4d 3c 2s"),
    ("one pair", "Ks Kh Ad Qc Js"),
    ("one pair", "Ks Kh Ad Qc Ts"),
    ("high card", "As Kh Qd Jc 9s"),
    ("high card", "As Kh 4d 3c 2s"),
    ("high card", "As Qh Jd Tc 9s"),
    ("high card", "7s 5h 4d 3c 2s"),
]
"""Hands in falling order, each better than the next."""


def hand(text: str) -> HandValue:
    return hand_value(text.split())


@pytest.mark.parametrize(("name", "cards"), FALLING)
def test_a_hand_has_its_category(name, cards):
    assert hand(cards).category.words == name


@pytest.mark.parametrize(("better", "worse"), list(pairwise(cards for _, cards in FALLING)))
def test_hands_fall_in_order(better, worse):
    assert hand(better) > hand(worse)


def test_categories_rise_from_high_card_to_royal_flush():
    assert [category.words for category in sorted(Category)] == [
        "high card",
        "one pair",
        "two pairs",
        "three of a kind",
        "straight",
        "flush",
        "full house",
        "four of a kind",
        "straight flush",
        "royal flush",
    ]


def test_the_ace_is_low_in_five_four_three_two_ace():
    wheel = hand("5h 4d 3s 2c Ah")
    assert wheel == HandValue(Category.STRAIGHT, (5, 4, 3, 2, 1))
    assert wheel < hand("6h 5d 4s 3c 2h")


@pytest.mark.parametrize("cards", ["Qs Kh Ad 2c 3s", "Ks Ah 2d 3c 4s", "Js Qh Kd Ac 2s"])
def test_a_straight_does_not_wrap(cards):
    assert hand(cards).category is Category.HIGH_CARD


def test_suited_cards_that_wrap_are_a_flush():
    assert hand("Qs Ks As 2s 3s").category is Category.FLUSH


def test_the_ace_low_straight_flush_is_no_royal_flush():
    assert hand("5d 4d 3d 2d Ad").category is Category.STRAIGHT_FLUSH


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("As Ks Qs Js Ts", "Ah Kh Qh Jh Th"),
        ("9s 8s 7s 6s 5s", "9h 8h 7h 6h 5h"),
        ("As Js 9s 5s 3s", "Ah Jh 9h 5h 3h"),
        ("9s 8h 7d 6c 5s", "9h 8d 7c 6s 5h"),
        ("As 2h 3d 4c 5s", "Ah 2d 3c 4s 5h"),
        ("Qs Qh 9d 9c 3s", "Qd Qc 9s 9h 3h"),
        ("Qs Qh 9d 5c 3s", "Qd Qc 9s 5h 3h"),
        ("As Kh 9d 5c 3s", "Ad Kc 9s 5h 3h"),
    ],
)
def test_equal_in_all_five_ranks_is_a_tie_whatever_the_suits(one, other):
    assert hand(one) == hand(other)


def test_the_order_of_the_cards_does_not_matter():
    cards = ["Ks", "2h", "Kd", "2c", "Kh"]
    shuffled = random.Random(7)  # noqa: S311
    for _ in range(20):
        shuffled.shuffle(cards)
        assert hand_value(cards) == hand("Ks Kh Kd 2c 2s")


@pytest.mark.parametrize("count", [0, 4, 6, 7])
def test_a_hand_has_five_cards(count):
    with pytest.raises(ValueError, match=f"five cards, not {count}"):
        hand_value(DECK[:count])


def dealt(hands: int, size: int, seed: int) -> list[list[str]]:
    deal = random.Random(seed)  # noqa: S311
    return [deal.sample(DECK, size) for _ in range(hands)]


def test_hands_stand_in_the_order_that_phevaluator_gives_them():
    hands = dealt(4000, 5, seed=1) + [cards.split() for _, cards in FALLING]
    judged = sorted((hand_value(cards), -evaluate_cards(*cards)) for cards in hands)
    for (value, rank), (next_value, next_rank) in pairwise(judged):
        assert (value == next_value) == (rank == next_rank)
        assert rank <= next_rank


def test_hands_stand_in_the_order_that_pokerkit_gives_them():
    hands = dealt(1500, 5, seed=2) + [cards.split() for _, cards in FALLING]
    judged = sorted(
        ((hand_value(cards), StandardHighHand("".join(cards))) for cards in hands), key=lambda j: j[0]
    )
    for (value, judge), (next_value, next_judge) in pairwise(judged):
        assert (value == next_value) == (judge == next_judge)
        assert judge <= next_judge


def test_the_best_five_of_six_are_phevaluators():
    hands = dealt(1500, 6, seed=3)
    judged = sorted((best_value(cards), -evaluate_cards(*cards)) for cards in hands)
    for (value, rank), (next_value, next_rank) in pairwise(judged):
        assert (value == next_value) == (rank == next_rank)
        assert rank <= next_rank


def test_the_best_five_of_five_are_the_five():
    for cards in dealt(50, 5, seed=4):
        assert best_value(cards) == hand_value(cards)


def test_a_whole_deck_has_the_known_number_of_hands_of_each_category():
    counts = dict.fromkeys(Category, 0)
    for ranks in combinations_with_replacement(RANKS, 5):
        repeats = [ranks.count(rank) for rank in set(ranks)]
        if max(repeats) > 4:
            continue
        suits = prod(comb(4, repeat) for repeat in repeats)
        if len(repeats) == 5:
            counts[hand_value([rank + "s" for rank in ranks]).category] += 4
            suits -= 4
        counts[hand_value(unsuited(ranks)).category] += suits
    assert counts == {
        Category.ROYAL_FLUSH: 4,
        Category.STRAIGHT_FLUSH: 36,
        Category.FOUR_OF_A_KIND: 624,
        Category.FULL_HOUSE: 3_744,
        Category.FLUSH: 5_108,
        Category.STRAIGHT: 10_200,
        Category.THREE_OF_A_KIND: 54_912,
        Category.TWO_PAIRS: 123_552,
        Category.ONE_PAIR: 1_098_240,
        Category.HIGH_CARD: 1_302_540,
    }


def unsuited(ranks: tuple[str, ...]) -> list[str]:
    """Cards of these ranks, in suits that make no flush."""
    cards: list[str] = []
    for rank in ranks:
        suits = sorted("shdc", key=lambda suit: sum(card[1] == suit for card in cards))
        cards.append(next(rank + suit for suit in suits if rank + suit not in cards))
    return cards
