"""The six books against the rule pages: every number as a literal here, and read from the page itself."""

from decimal import Decimal

import pytest
from printed import (
    CALL_ODDS,
    CALL_ODDS_UNQUALIFIED,
    DUBLIN_BONUS,
    FIVE_PLUS_ONE,
    FLUSH,
    FOUR,
    FULL,
    HIGH,
    PAIR,
    RF,
    SF,
    STRAIGHT,
    THREE,
)
from rule_pages import Table, table_headed

from backoffice.kernel.hands import Category
from backoffice.rules.book import (
    Amounts,
    Chips,
    FixedBonus,
    HouseBook,
    JackpotPrize,
    OddsBonus,
    Percent,
    PotBook,
    Qualifier,
)
from backoffice.rules.books import SHELF

DEALERS = [book for book in SHELF.values() if isinstance(book, HouseBook)]


def house_book(name: str) -> HouseBook:
    book = SHELF[name]
    assert isinstance(book, HouseBook)
    return book


def categories(name: str) -> list[Category]:
    """`"two pairs"`, `"one pair or less"`, `"less (...)"` as the categories they mean."""
    if name.startswith("one pair") and "less" in name:
        return [PAIR, HIGH]
    if name.startswith("less"):
        return [HIGH]
    return [Category[name.replace(" ", "_").upper()]]


def column(rows: Table, index: int) -> dict[Category, str]:
    return {category: row[index] for row in rows for category in categories(row[0])}


def odds(cells: dict[Category, str]) -> dict[Category, int]:
    return {category: int(cell.split(":1")[0]) for category, cell in cells.items() if ":1" in cell}


def euro_cents(cell: str) -> int:
    return int(Decimal(cell.split()[1].replace(",", "")) * 100)


def prizes(cells: dict[Category, str]) -> dict[Category, JackpotPrize]:
    found: dict[Category, JackpotPrize] = {}
    for category, cell in cells.items():
        text = cell.replace("*", "")
        if "%" in text:
            found[category] = Percent(int(text.split("%")[0]))
        elif text[:3] in {"EUR", "CHF"}:
            found[category] = Amounts({text[:3]: euro_cents(text)})
        elif text != "-":
            found[category] = Chips(int(text))
    return found


def test_there_are_six_books():
    assert list(SHELF) == [
        "caribbean-24h/1",
        "caribbean-24h/2",
        "stud-dublinbet/1",
        "caribbean-live/1",
        "caribbean-swiss/1",
        "five-card-stud/1",
    ]


@pytest.mark.parametrize("name", CALL_ODDS)
def test_a_call_is_paid_by_its_books_table(name):
    assert house_book(name).call_odds == CALL_ODDS[name]


@pytest.mark.parametrize("book", DEALERS, ids=lambda book: book.id)
def test_every_hand_has_odds(book):
    assert set(book.call_odds) == set(Category)


@pytest.mark.parametrize("name", ["caribbean-24h/1", "caribbean-24h/2"])
def test_the_24h_tables_are_the_pages(name):
    book = house_book(name)
    rows = table_headed("caribbean-24h.md", "player's hand")
    assert book.call_odds == odds(column(rows, 1))
    assert book.call_odds_unqualified == odds(column(rows, 2)) == CALL_ODDS_UNQUALIFIED
    assert book.jackpot is not None
    assert book.jackpot.prizes == prizes(column(table_headed("caribbean-24h.md", "hand", "prize"), 1))
    assert not book.jackpot.must_announce


def test_the_live_tables_are_the_pages():
    book = house_book("caribbean-live/1")
    rows = table_headed("caribbean-live.md", "hand", "call")
    assert book.call_odds == odds(column(rows, 1))
    assert isinstance(book.bonus, OddsBonus)
    assert book.bonus.odds == odds(column(rows, 2)) == FIVE_PLUS_ONE
    assert book.jackpot is not None
    assert book.jackpot.prizes == prizes(column(rows, 3))
    assert book.jackpot.prizes == {
        RF: Percent(100),
        SF: Chips(2500),
        FOUR: Chips(250),
        FULL: Chips(50),
        FLUSH: Chips(25),
        STRAIGHT: Chips(10),
        THREE: Chips(3),
    }


def test_the_swiss_tables_are_the_pages():
    book = house_book("caribbean-swiss/1")
    rows = table_headed("caribbean-swiss.md", "hand", "bet")
    assert book.call_odds == odds(column(rows, 1))
    assert book.jackpot is not None
    assert book.jackpot.prizes == prizes(column(rows, 2))
    assert book.jackpot.prizes == {
        RF: Percent(100),
        SF: Percent(10),
        FOUR: Amounts({"CHF": 1000_00}),
        FULL: Amounts({"CHF": 500_00}),
        FLUSH: Amounts({"CHF": 250_00}),
    }
    assert book.jackpot.must_announce


def test_the_dublin_tables_are_the_pages():
    book = house_book("stud-dublinbet/1")
    rows = table_headed("stud-dublinbet.md", "hand", "bet")
    assert book.call_odds == odds(column(rows, 1))
    assert isinstance(book.bonus, FixedBonus)
    cells = {category: cell for category, cell in column(rows, 2).items() if cell != "-"}
    assert book.bonus.prizes == {category: euro_cents(cell) for category, cell in cells.items()}
    assert book.bonus.prizes == DUBLIN_BONUS
    assert (book.bonus.stake, book.bonus.currency, book.bonus.returns_stake) == (100, "EUR", False)
    assert book.jackpot is None


def test_the_24h_jackpot_pays_these_sums():
    jackpot = house_book("caribbean-24h/2").jackpot
    assert jackpot is not None
    assert jackpot.prizes == {
        RF: Percent(100),
        SF: Amounts({"EUR": 1250_00}),
        FOUR: Amounts({"EUR": 250_00}),
        FULL: Amounts({"EUR": 25_00}),
        FLUSH: Amounts({"EUR": 15_00}),
        STRAIGHT: Amounts({"EUR": 3_00}),
        THREE: Amounts({"EUR": 2_00}),
    }


@pytest.mark.parametrize(
    ("name", "qualifier", "ante"),
    [
        ("caribbean-24h/1", Qualifier.ACE_OR_KING_HIGH, "push"),
        ("caribbean-24h/2", Qualifier.ACE_KING, "win"),
        ("stud-dublinbet/1", Qualifier.ACE_KING, "win"),
        ("caribbean-live/1", Qualifier.ACE_KING, "win"),
        ("caribbean-swiss/1", Qualifier.ACE_KING, "win"),
    ],
)
def test_each_dealer_has_a_least_hand_and_an_ante_when_he_has_less(name, qualifier, ante):
    book = house_book(name)
    assert (book.qualifier, book.ante_unqualified) == (qualifier, ante)


@pytest.mark.parametrize(
    ("name", "seats", "shared"),
    [
        ("caribbean-24h/1", 4, False),
        ("caribbean-24h/2", 4, False),
        ("stud-dublinbet/1", 7, False),
        ("caribbean-live/1", None, True),
        ("caribbean-swiss/1", 7, False),
    ],
)
def test_each_table_has_its_boxes(name, seats, shared):
    book = house_book(name)
    assert (book.seats, book.shared_hand) == (seats, shared)


def test_only_some_books_have_what_only_some_games_have():
    def having(**wanted: object) -> set[str]:
        ((trait, value),) = wanted.items()
        return {book.id for book in DEALERS if getattr(book, trait) == value}

    assert having(exchange=True) == having(blind_boxes=2) == {"caribbean-swiss/1"}
    assert (
        having(voids_hands=True)
        == having(capped=True)
        == having(fold_loses_bonus=True)
        == {"stud-dublinbet/1"}
    )
    assert having(timeout_calls_from=PAIR) == {"caribbean-24h/1", "caribbean-24h/2"}
    assert having(return_percent_over_100=True) == {"caribbean-24h/1"}


def test_the_two_24h_books_differ_in_the_dealers_least_hand_and_the_ante_only():
    first, second = house_book("caribbean-24h/1"), house_book("caribbean-24h/2")
    same = {"sheet", "seats", "shared_hand", "call_odds", "call_odds_unqualified", "bonus", "jackpot"}
    assert all(getattr(first, trait) == getattr(second, trait) for trait in same)
    assert first.timeout_calls_from == second.timeout_calls_from


def test_the_pot_game_is_a_book_of_its_own_kind():
    book = SHELF["five-card-stud/1"]
    assert isinstance(book, PotBook)
    assert (book.raises, book.open_pair_round, book.big_from_round, book.last_card) == (3, 2, 3, "up")


@pytest.mark.parametrize("book", SHELF.values(), ids=lambda book: book.id)
def test_a_published_book_cannot_be_changed(book):
    with pytest.raises(AttributeError):
        book.seats = 5
