"""DublinBet stud poker with a fixed-prize Bonus (sheet 001, Greek).

Readings: the sheet gives no number of seats: 7; a time-out is a fold; a winning hand below a pair is paid even money;
a Bonus prize is an amount won and the EUR 1 is not returned on top; "each winning combination is paid up to the table's
maximum (per player)" caps bet and Bonus together, the cut coming off the Bonus first.
"""

from backoffice.kernel.hands import Category
from backoffice.rules.book import FixedBonus, HouseBook, Qualifier

FIRST = HouseBook(
    id="stud-dublinbet/1",
    sheet="001",
    seats=7,
    shared_hand=False,
    qualifier=Qualifier.ACE_KING,
    ante_unqualified="win",
    call_odds={
        Category.ROYAL_FLUSH: 100,
        Category.STRAIGHT_FLUSH: 50,
        Category.FOUR_OF_A_KIND: 20,
        Category.FULL_HOUSE: 7,
        Category.FLUSH: 5,
        Category.STRAIGHT: 4,
        Category.THREE_OF_A_KIND: 3,
        Category.TWO_PAIRS: 2,
        Category.ONE_PAIR: 1,
        Category.HIGH_CARD: 1,
    },
    bonus=FixedBonus(
        currency="EUR",
        stake=1_00,
        prizes={
            Category.ROYAL_FLUSH: 10_000_00,
            Category.STRAIGHT_FLUSH: 1_000_00,
            Category.FOUR_OF_A_KIND: 500_00,
            Category.FULL_HOUSE: 250_00,
            Category.FLUSH: 150_00,
        },
    ),
    fold_loses_bonus=True,
    voids_hands=True,
    capped=True,
)
