"""Casino-floor Caribbean Stud in CHF, with card exchange, blind boxes and a jackpot (sheet 003, Italian).

Readings: a time-out is a fold, an exchange fee already paid stays with the house; two blind boxes *per player*; an
exchanged box's chip stays with the house; a winning hand below a pair is paid even money.
"""

from backoffice.kernel.hands import Category
from backoffice.rules.book import Amounts, HouseBook, JackpotTable, Percent, Qualifier

FIRST = HouseBook(
    id="caribbean-swiss/1",
    sheet="003",
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
    jackpot=JackpotTable(
        {
            Category.ROYAL_FLUSH: Percent(100),
            Category.STRAIGHT_FLUSH: Percent(10),
            Category.FOUR_OF_A_KIND: Amounts({"CHF": 1000_00}),
            Category.FULL_HOUSE: Amounts({"CHF": 500_00}),
            Category.FLUSH: Amounts({"CHF": 250_00}),
        },
        must_announce=True,
    ),
    exchange=True,
    blind_boxes=2,
)
