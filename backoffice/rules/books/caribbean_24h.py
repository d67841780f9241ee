"""24hNetwork Caribbean Stud (sheet 000, Estonian).

Two books, because the sheet as printed cannot be what is paid: its dealer plays with "at least one ace or king" and it
returns about 120.7% of the ante. `/2` is the common game with this sheet's pay tables (about 96%).
Readings where the sheet is silent: a tie returns ante and call; where the right-hand column is empty the call is
returned; a time-out with less than a pair folds; the jackpot does not depend on call or fold.
"""

from dataclasses import replace

from backoffice.kernel.hands import Category
from backoffice.rules.book import Amounts, HouseBook, JackpotTable, Percent, Qualifier

_JACKPOT = JackpotTable(
    {
        Category.ROYAL_FLUSH: Percent(100),
        Category.STRAIGHT_FLUSH: Amounts({"EUR": 1250_00}),
        Category.FOUR_OF_A_KIND: Amounts({"EUR": 250_00}),
        Category.FULL_HOUSE: Amounts({"EUR": 25_00}),
        Category.FLUSH: Amounts({"EUR": 15_00}),
        Category.STRAIGHT: Amounts({"EUR": 3_00}),
        Category.THREE_OF_A_KIND: Amounts({"EUR": 2_00}),
    }
)

FIRST = HouseBook(
    id="caribbean-24h/1",
    sheet="000",
    seats=4,
    shared_hand=False,
    qualifier=Qualifier.ACE_OR_KING_HIGH,
    ante_unqualified="push",
    call_odds={
        Category.ROYAL_FLUSH: 200,
        Category.STRAIGHT_FLUSH: 50,
        Category.FOUR_OF_A_KIND: 20,
        Category.FULL_HOUSE: 10,
        Category.FLUSH: 6,
        Category.STRAIGHT: 4,
        Category.THREE_OF_A_KIND: 3,
        Category.TWO_PAIRS: 2,
        Category.ONE_PAIR: 1,
        Category.HIGH_CARD: 1,
    },
    call_odds_unqualified={
        Category.ROYAL_FLUSH: 100,
        Category.STRAIGHT_FLUSH: 25,
        Category.FOUR_OF_A_KIND: 5,
        Category.FULL_HOUSE: 3,
    },
    jackpot=_JACKPOT,
    timeout_calls_from=Category.ONE_PAIR,
    return_percent_over_100=True,
)

SECOND = replace(
    FIRST,
    id="caribbean-24h/2",
    qualifier=Qualifier.ACE_KING,
    ante_unqualified="win",
    return_percent_over_100=False,
)
