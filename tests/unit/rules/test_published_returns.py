"""What the sheets and the example network publish about returns, by exact counting of a whole deck."""

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb, prod

import pytest

from backoffice.kernel.hands import Category, best_value
from backoffice.rules.book import Amounts, Chips, HouseBook, OddsBonus
from backoffice.rules.books import SHELF

RANKS = "23456789TJQKA"
FIVES = comb(52, 5)
FIVE_CARD_HANDS = {
    Category.ROYAL_FLUSH: 4,
    Category.STRAIGHT_FLUSH: 36,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
}
"""See test_hands: a whole deck has this number of hands of each category."""


def house_book(name: str) -> HouseBook:
    book = SHELF[name]
    assert isinstance(book, HouseBook)
    return book


@cache
def six_card_hands() -> Counter[Category]:
    """How many sets of six cards have which best five, counted by ranks and by how many share a suit."""
    counts: Counter[Category] = Counter()
    for ranks in combinations_with_replacement(RANKS, 6):
        repeats = {rank: ranks.count(rank) for rank in ranks}
        if max(repeats.values()) > 4:
            continue
        suits = prod(comb(4, repeat) for repeat in repeats.values())
        for suited, ways in _suited(repeats):
            counts[best_value(_cards(repeats, suited)).category] += ways
            suits -= ways
        counts[best_value(_cards(repeats, ())).category] += suits
    return counts


def _suited(repeats: dict[str, int]) -> list[tuple[tuple[str, ...], int]]:
    """Which ranks can stand in one suit so that five or six do, and in how many ways."""
    if len(repeats) == 6:
        fives = [(five, 4 * 3) for five in combinations(repeats, 5)]
        return [(tuple(repeats), 4), *fives]
    if len(repeats) == 5:
        return [(tuple(repeats), 4 * 3)]
    return []


def _cards(repeats: dict[str, int], suited: tuple[str, ...]) -> list[str]:
    """Cards of these ranks: those of `suited` in spades, and no other flush."""
    cards: list[str] = []
    for rank, repeat in repeats.items():
        own = ["s"] if rank in suited else []
        for _ in range(repeat - len(own)):
            used = [card[1] for card in cards]
            own.append(
                min((suit for suit in "hdc" + ("" if suited else "s") if suit not in own), key=used.count)
            )
        cards += [rank + suit for suit in own]
    return cards


def test_the_5_plus_1_bonus_returns_91_44_percent():
    counts = six_card_hands()
    assert sum(counts.values()) == comb(52, 6)
    bonus = house_book("caribbean-live/1").bonus
    assert isinstance(bonus, OddsBonus)
    returned = sum((odds + 1) * counts[category] for category, odds in bonus.odds.items())
    assert percent(Fraction(returned, comb(52, 6))) == "91.44"


def test_six_cards_have_the_known_number_of_best_hands():
    counts = six_card_hands()
    assert {category: counts[category] for category in FIVE_CARD_HANDS} == {
        Category.ROYAL_FLUSH: 188,
        Category.STRAIGHT_FLUSH: 1_656,
        Category.FOUR_OF_A_KIND: 14_664,
        Category.FULL_HOUSE: 165_984,
        Category.FLUSH: 205_792,
        Category.STRAIGHT: 361_620,
        Category.THREE_OF_A_KIND: 732_160,
    }


def test_the_live_jackpots_fixed_prizes_return_31_84_percent_in_chips():
    jackpot = house_book("caribbean-live/1").jackpot
    assert jackpot is not None
    chips = sum(
        prize.times * FIVE_CARD_HANDS[category]
        for category, prize in jackpot.prizes.items()
        if isinstance(prize, Chips)
    )
    assert percent(Fraction(chips, FIVES)) == "31.84"


@pytest.mark.parametrize(
    ("name", "currency", "chip", "returned"),
    [("caribbean-24h/2", "EUR", 50, "39.37"), ("caribbean-swiss/1", "CHF", 2_00, "72.59")],
)
def test_the_other_jackpots_fixed_prizes_return_what_the_network_file_says(name, currency, chip, returned):
    jackpot = house_book(name).jackpot
    assert jackpot is not None
    paid = sum(
        prize.by_currency[currency] * FIVE_CARD_HANDS[category]
        for category, prize in jackpot.prizes.items()
        if isinstance(prize, Amounts)
    )
    assert percent(Fraction(paid, FIVES * chip)) == returned


def percent(part: Fraction) -> str:
    """To two digits, as the sheets give it."""
    hundredths = round(part * 10_000)
    return f"{hundredths // 100}.{hundredths % 100:02d}"
