"""Live Caribbean Stud with 5+1 Bonus and a jackpot shared by many casinos (sheet 002, Danish).

The sheet says in one place that a fold loses all stakes and in two others that a fold has no influence on 5+1 and
jackpot: a fold loses the ante only. A royal flush is shared by all who marked the round. Fixed prizes are
"in your own currency": n times the chip.
"""

from backoffice.kernel.hands import Category
from backoffice.rules.book import Chips, HouseBook, JackpotTable, OddsBonus, Percent, Qualifier

FIRST = HouseBook(
    id="caribbean-live/1",
    sheet="002",
    seats=None,
    shared_hand=True,
    qualifier=Qualifier.ACE_KING,
    ante_unqualified="win",
    call_odds={
        Category.ROYAL_FLUSH: 100,
        Category.STRAIGHT_FLUSH: 50,
        Category.FOUR_OF_A_KIND: 25,
        Category.FULL_HOUSE: 10,
        Category.FLUSH: 7,
        Category.STRAIGHT: 5,
        Category.THREE_OF_A_KIND: 3,
        Category.TWO_PAIRS: 2,
        Category.ONE_PAIR: 1,
        Category.HIGH_CARD: 1,
    },
    bonus=OddsBonus(
        {
            Category.ROYAL_FLUSH: 1000,
            Category.STRAIGHT_FLUSH: 200,
            Category.FOUR_OF_A_KIND: 100,
            Category.FULL_HOUSE: 20,
            Category.FLUSH: 15,
            Category.STRAIGHT: 10,
            Category.THREE_OF_A_KIND: 7,
        }
    ),
    jackpot=JackpotTable(
        {
            Category.ROYAL_FLUSH: Percent(100),
            Category.STRAIGHT_FLUSH: Chips(2500),
            Category.FOUR_OF_A_KIND: Chips(250),
            Category.FULL_HOUSE: Chips(50),
            Category.FLUSH: Chips(25),
            Category.STRAIGHT: Chips(10),
            Category.THREE_OF_A_KIND: Chips(3),
        }
    ),
)
