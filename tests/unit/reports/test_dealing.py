"""Honest dealing is not flagged more often than chance says; a missing card and a stacked deck are."""

from collections import Counter
from math import comb
from random import Random

import pytest

from backoffice.kernel.cards import DECK
from backoffice.reports.chance import holm
from backoffice.reports.dealing import Frequency, Repeats


def frequency(deals: list[list[str]]) -> Frequency:
    sizes = [len(deal) for deal in deals]
    dealt = Counter(card for deal in deals for card in deal)
    return Frequency(dealt, sum(sizes), sum(k * (52 - k) for k in sizes))


def deals(seed: int, rounds: int, deck: tuple[str, ...] = DECK) -> list[list[str]]:
    chance = Random(seed)  # noqa: S311
    return [chance.sample(deck, chance.choice((10, 15, 40))) for _ in range(rounds)]


def test_the_chances_of_honest_tables_are_spread_evenly():
    """Of 200 tables about one in ten has a chance under 0.1, one in two under 0.5. A plain chi-square has none."""
    chances = [frequency(deals(seed, 120)).chance or 0.0 for seed in range(200)]
    assert 10 <= sum(chance < 0.1 for chance in chances) <= 32
    assert 80 <= sum(chance < 0.5 for chance in chances) <= 120
    assert min(holm(dict(enumerate(chances))).values()) > 0.01


def test_a_deck_without_one_card_is_found():
    table = frequency(deals(1, 400, tuple(card for card in DECK if card != "As")))
    assert table.farthest == "As"
    assert (table.chance or 1.0) < 1e-9


def test_one_deal_of_every_size_has_the_mean_statistic_of_its_degrees_of_freedom():
    """Worked out over a deck's worth of single deals: the mean of a chi-square is its degrees of freedom."""
    one_by_one = [frequency([[card]] * 1) for card in DECK]
    for size in (1, 7, 51):
        strayed = size * (1 - size / 52) ** 2 + (52 - size) * (size / 52) ** 2
        assert strayed * 52 * 51 / (size * (52 - size)) == pytest.approx(51)
    assert {one.statistic for one in one_by_one} == {None}


def test_too_few_cards_are_no_test():
    assert frequency(deals(1, 5)).chance is None
    assert frequency([]).chance is None


def test_whole_decks_say_nothing():
    assert frequency([list(DECK)] * 50).chance is None


def repeats(hands: list[tuple[int, tuple[str, ...]]]) -> Repeats:
    times = Counter(hand for _, hand in hands)
    in_round = Counter(number for number, _ in hands)
    return Repeats(
        len(hands), sum(comb(n, 2) for n in in_round.values()), [n for n in times.values() if n > 1]
    )


def test_pairs_are_counted_between_rounds_only():
    hand, other = tuple(DECK[:5]), tuple(DECK[5:10])
    table = repeats([(1, hand), (1, other), (2, hand), (3, hand)])
    assert (table.pairs, table.expected * comb(52, 5)) == (3, 5)


def test_hands_that_never_come_again_are_nothing_strange_and_one_that_does_is():
    chance = Random(3)  # noqa: S311
    hands = [(number, tuple(sorted(chance.sample(DECK, 5)))) for number in range(300)]
    assert repeats(hands).chance == 1.0
    again = [*hands, (300, hands[0][1])]
    assert repeats(again).chance == pytest.approx(1 - 2.718281828 ** -(comb(301, 2) / comb(52, 5)), rel=1e-3)
    stacked = [*again, (301, hands[0][1])]
    assert repeats(stacked).chance < 1e-4


def test_hands_of_half_a_deck_come_again_too_often():
    chance = Random(5)  # noqa: S311
    hands = [(number, tuple(sorted(chance.sample(DECK[:26], 5)))) for number in range(3000)]
    assert repeats(hands).chance < 1e-6
