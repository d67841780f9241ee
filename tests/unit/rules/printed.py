"""The sheets' pay tables as literals, by category."""

from backoffice.kernel.hands import Category

RF, SF, FOUR, FULL = (
    Category.ROYAL_FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.FOUR_OF_A_KIND,
    Category.FULL_HOUSE,
)
FLUSH, STRAIGHT, THREE = Category.FLUSH, Category.STRAIGHT, Category.THREE_OF_A_KIND
TWO, PAIR, HIGH = Category.TWO_PAIRS, Category.ONE_PAIR, Category.HIGH_CARD

CALL_ODDS = {
    "caribbean-24h/1": {
        RF: 200,
        SF: 50,
        FOUR: 20,
        FULL: 10,
        FLUSH: 6,
        STRAIGHT: 4,
        THREE: 3,
        TWO: 2,
        PAIR: 1,
        HIGH: 1,
    },
    "caribbean-24h/2": {
        RF: 200,
        SF: 50,
        FOUR: 20,
        FULL: 10,
        FLUSH: 6,
        STRAIGHT: 4,
        THREE: 3,
        TWO: 2,
        PAIR: 1,
        HIGH: 1,
    },
    "stud-dublinbet/1": {
        RF: 100,
        SF: 50,
        FOUR: 20,
        FULL: 7,
        FLUSH: 5,
        STRAIGHT: 4,
        THREE: 3,
        TWO: 2,
        PAIR: 1,
        HIGH: 1,
    },
    "caribbean-live/1": {
        RF: 100,
        SF: 50,
        FOUR: 25,
        FULL: 10,
        FLUSH: 7,
        STRAIGHT: 5,
        THREE: 3,
        TWO: 2,
        PAIR: 1,
        HIGH: 1,
    },
    "caribbean-swiss/1": {
        RF: 100,
        SF: 50,
        FOUR: 20,
        FULL: 7,
        FLUSH: 5,
        STRAIGHT: 4,
        THREE: 3,
        TWO: 2,
        PAIR: 1,
        HIGH: 1,
    },
}

CALL_ODDS_UNQUALIFIED = {RF: 100, SF: 25, FOUR: 5, FULL: 3}
"""The right-hand column of the 24h sheet; no other game has one."""

FIVE_PLUS_ONE = {RF: 1000, SF: 200, FOUR: 100, FULL: 20, FLUSH: 15, STRAIGHT: 10, THREE: 7}

DUBLIN_BONUS = {RF: 10_000_00, SF: 1_000_00, FOUR: 500_00, FULL: 250_00, FLUSH: 150_00}
"""In cents."""
