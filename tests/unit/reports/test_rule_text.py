"""Every book can be read by a person, and its pay table says the numbers that pay."""

import pytest

from backoffice.domain.terms import ChipTerms, JackpotTerms, StudTerms, TableTerms
from backoffice.reports.rule_text import rules_in_force
from backoffice.rules.books import READINGS, SHELF

STUD = StudTerms("EUR", small=10_00, big=20_00, ante=1_00, bring_in=5_00, rake_percent="2.5")


def terms(book: str) -> TableTerms:
    return TableTerms(
        ruleset=book,
        casinos=("tallinn", "stockholm"),
        jackpot="royal",
        limits={"ante": {"EUR": (1_00, 500_00), "JPY": (200, 80_000)}},
        max_payout={"EUR": 5_000_00},
        stud=STUD if book.startswith("five") else None,
    )


def pay_table(book: str) -> dict[str, list[str]]:
    table = rules_in_force(terms(book))["pay_table"]
    return {row[0]: row[1:] for row in [table["columns"], *table["rows"]]}


@pytest.mark.parametrize("book", SHELF)
def test_every_book_says_what_it_is_and_how_its_sheet_was_read(book):
    rules = rules_in_force(terms(book))
    assert rules["about"] == READINGS[book]
    assert SHELF[book].sheet in rules["about"]
    assert rules["sentences"][0] == "The table is open to players of tallinn and stockholm."
    assert all(sentence.endswith(".") for sentence in rules["sentences"])


def test_each_book_of_one_sheet_says_when_its_own_dealer_plays():
    first, second = (rules_in_force(terms(f"caribbean-24h/{number}"))["sentences"] for number in (1, 2))
    assert "The dealer plays with ace or king high, or better." in first
    assert "This book as printed returns more than it takes." in first
    assert "The dealer plays with ace-king or better." in second
    assert "This book as printed returns more than it takes." not in second


def test_pay_tables_say_odds_chips_sums_and_parts_of_the_pool():
    live, dublin = pay_table("caribbean-live/1"), pay_table("stud-dublinbet/1")
    assert live["hand"] == ["call", "5+1 Bonus", "jackpot"]
    assert live["straight flush"] == ["50 : 1", "200 : 1", "2500 chips"]
    assert live["two pairs"] == ["2 : 1", "-", "-"]
    assert dublin["royal flush"] == ["100 : 1", "10000.00 EUR"]
    assert pay_table("caribbean-swiss/1")["straight flush"] == ["50 : 1", "10% of the pool"]
    assert pay_table("caribbean-24h/1")["full house"] == ["10 : 1", "3 : 1", "25.00 EUR"]


def test_the_tables_own_numbers_are_told_with_the_digits_of_their_currency():
    rules = rules_in_force(terms("stud-dublinbet/1"))
    assert rules["limits"][1] == {"bet": "ante", "currency": "JPY", "minimum": "200", "maximum": "80000"}
    assert "Winnings of call and Bonus together are paid up to 5000.00 EUR a player." in rules["sentences"]
    assert "The house takes 2.5% of each pot." in rules_in_force(terms("five-card-stud/1"))["sentences"]


def test_a_jackpots_parameters_are_told_where_there_is_one():
    jackpot = JackpotTerms(
        currency="EUR",
        seed=50_000_00,
        chip={"EUR": ChipTerms(1_00, 50), "JPY": ChipTerms(160, 80)},
        fixed_prizes="pool",
        split="by_stake",
        ceiling=90_000_00,
        verify_over=5_000_00,
    )
    plain, told = (rules_in_force(terms("caribbean-live/1"), one)["sentences"] for one in (None, jackpot))
    assert told[len(plain) :] == [
        "A chip costs 1.00 EUR, of which 0.50 EUR go into the pool.",
        "A chip costs 160 JPY, of which 80 JPY go into the pool.",
        "What several win of the pool is divided among them by what each one's chip cost.",
        "Fixed prizes are paid by the pool.",
        "What comes in above 90000.00 EUR waits in a reserve for the next pool.",
        "A share of more than 5000.00 EUR is held until a second person confirms it.",
    ]
