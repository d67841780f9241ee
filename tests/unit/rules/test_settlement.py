"""What each bet pays: case by case, and at random against a second reading of the pages with another judge of hands."""

from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from phevaluator import evaluate_cards
from printed import CALL_ODDS, CALL_ODDS_UNQUALIFIED, DUBLIN_BONUS, FIVE_PLUS_ONE

from backoffice.kernel.cards import DECK
from backoffice.kernel.hands import Category
from backoffice.rules.book import FixedBonus, HouseBook
from backoffice.rules.books import SHELF
from backoffice.rules.settlement import Box, Dealer, Decision, PayLine, settle_box

DEALERS = [book.id for book in SHELF.values() if isinstance(book, HouseBook)]
PAIR_OF_NINES = "9h 9d 2c 5s Kh"
ACE_KING = "Ac Kd 8d 6s 4h"
NOTHING = "Qc Jd 8d 6s 4h"
TENS = "Tc Td 8d 6s 4h"


def house_book(name: str) -> HouseBook:
    book = SHELF[name]
    assert isinstance(book, HouseBook)
    return book


def settled(
    name: str, cards: str, dealer: str, decision: Decision = Decision.CALL, cap: int | None = None, **box: int
) -> dict[str, PayLine]:
    book, against = house_book(name), dealer.split()
    stakes = {"ante": 10_00, **({"call": 20_00} if decision is Decision.CALL else {}), **box}
    hand = Box(cards=tuple(cards.split()), decision=decision, **stakes)
    return {line.bet: line for line in settle_box(book, hand, Dealer.of(book, against, against[0]), cap)}


def said(lines: dict[str, PayLine]) -> dict[str, tuple[str, int]]:
    return {bet: (line.result, line.payout) for bet, line in lines.items()}


def test_odds_of_n_to_one_pay_n_times_the_stake_and_return_the_stake():
    lines = settled("caribbean-live/1", "9h 9d 9c 5s Kh", ACE_KING)
    assert (lines["call"].stake, lines["call"].odds, lines["call"].payout) == (20_00, 3, 80_00)
    assert (lines["ante"].odds, lines["ante"].payout) == (1, 20_00)
    assert lines["call"].won == 60_00


def test_a_push_returns_the_stake():
    lines = settled("caribbean-live/1", "As Kh 8c 6d 4c", ACE_KING)
    assert said(lines) == {"ante": ("push", 10_00), "call": ("push", 20_00)}
    assert [line.odds for line in lines.values()] == [None, None]


def test_a_loss_takes_the_stake():
    assert said(settled("caribbean-live/1", PAIR_OF_NINES, TENS)) == {
        "ante": ("lose", 0),
        "call": ("lose", 0),
    }


@pytest.mark.parametrize("name", DEALERS)
def test_a_fold_gives_up_the_ante_and_has_no_call(name):
    assert said(settled(name, PAIR_OF_NINES, NOTHING, Decision.FOLD)) == {"ante": ("lose", 0)}


@pytest.mark.parametrize("name", DEALERS)
def test_where_the_dealer_qualifies_and_is_better_all_is_lost(name):
    assert said(settled(name, PAIR_OF_NINES, TENS)) == {"ante": ("lose", 0), "call": ("lose", 0)}


@pytest.mark.parametrize("name", DEALERS)
def test_where_the_dealer_does_not_qualify_the_call_comes_back(name):
    ante = ("push", 10_00) if name == "caribbean-24h/1" else ("win", 20_00)
    assert said(settled(name, PAIR_OF_NINES, NOTHING)) == {"ante": ante, "call": ("push", 20_00)}


def test_only_the_24h_sheet_pays_a_call_although_the_dealer_does_not_qualify():
    fours = {name: settled(name, "9h 9d 9c 9s Kh", NOTHING)["call"] for name in DEALERS}
    assert {name: line.odds for name, line in fours.items()} == {
        "caribbean-24h/1": 5,
        "caribbean-24h/2": 5,
        "stud-dublinbet/1": None,
        "caribbean-live/1": None,
        "caribbean-swiss/1": None,
    }


def test_the_exchange_fee_is_kept_whatever_happens():
    for dealer in (NOTHING, ACE_KING, TENS):
        assert settled("caribbean-swiss/1", PAIR_OF_NINES, dealer, fee=10_00)["exchange"].payout == 0


def test_every_line_names_its_rule():
    lines = settled("stud-dublinbet/1", "Ah Jh 9h 5h 3h", ACE_KING, bonus=1_00)
    assert {bet: line.rule for bet, line in lines.items()} == {
        "ante": "better than the dealer: flush",
        "call": "better than the dealer: flush",
        "bonus": "Bonus for flush",
    }


def test_a_bonus_staked_in_a_book_without_one_crashes():
    with pytest.raises(ValueError, match="has no Bonus"):
        settled("caribbean-swiss/1", PAIR_OF_NINES, NOTHING, bonus=1_00)


def test_only_dublin_knows_a_cap():
    royal = "Ah Kh Qh Jh Th"
    paid = {name: settled(name, royal, ACE_KING, cap=1)["call"].payout for name in DEALERS}
    assert paid.pop("stud-dublinbet/1") == 20_01
    assert all(payout >= 2000_00 for payout in paid.values())


@given(st.integers(0, 12_000_00), st.sampled_from(["Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h", "9h 9d 9c 5s 5h"]))
def test_the_cut_comes_off_the_bonus_first_then_off_the_bet(cap, cards):
    lines = settled("stud-dublinbet/1", cards, ACE_KING, cap=cap, bonus=1_00)
    free = settled("stud-dublinbet/1", cards, ACE_KING, bonus=1_00)
    bonus, call = lines["bonus"], lines["call"]
    assert bonus.won + call.won == min(cap, free["bonus"].won + free["call"].won)
    assert call.cut == 0 or bonus.won == 0
    assert (bonus.won + bonus.cut, call.won + call.cut) == (free["bonus"].won, free["call"].won)
    assert (lines["ante"], call.odds) == (free["ante"], free["call"].odds)


# A second reading of the pages, with phevaluator's ranks.

CATEGORY_FROM = [
    (1, Category.ROYAL_FLUSH),
    (10, Category.STRAIGHT_FLUSH),
    (166, Category.FOUR_OF_A_KIND),
    (322, Category.FULL_HOUSE),
    (1599, Category.FLUSH),
    (1609, Category.STRAIGHT),
    (2467, Category.THREE_OF_A_KIND),
    (3325, Category.TWO_PAIRS),
    (6185, Category.ONE_PAIR),
    (7462, Category.HIGH_CARD),
]
"""phevaluator's ranks, 1 the best: up to which each category goes."""


def judged(cards: Sequence[str]) -> tuple[int, Category]:
    rank = evaluate_cards(*cards)
    return rank, next(category for last, category in CATEGORY_FROM if rank <= last)


def expected(name: str, box: Box, dealer: Sequence[str]) -> dict[str, tuple[str, int]]:
    """The pages' settlement tables, in the order of their rows."""
    (rank, category), (dealer_rank, dealer_category) = judged(box.cards), judged(dealer)
    high = {card[0] for card in dealer} & {"A", "K"}
    least = len(high) >= (1 if name == "caribbean-24h/1" else 2)
    lines = {"ante": ("lose", 0), "call": ("lose", 0)}
    if box.decision is Decision.VOID:
        lines = {"ante": ("void", 0), "call": ("void", 0)}
    elif box.decision is Decision.FOLD:
        pass
    elif dealer_category is Category.HIGH_CARD and not least:
        lines["ante"] = ("push", box.ante) if name == "caribbean-24h/1" else ("win", 2 * box.ante)
        odds = CALL_ODDS_UNQUALIFIED.get(category) if name.startswith("caribbean-24h") else None
        lines["call"] = ("win", box.call * (odds + 1)) if odds else ("push", box.call)
    elif rank < dealer_rank:
        lines = {"ante": ("win", 2 * box.ante), "call": ("win", box.call * (CALL_ODDS[name][category] + 1))}
    elif rank == dealer_rank:
        lines = {"ante": ("push", box.ante), "call": ("push", box.call)}
    if not box.call:
        del lines["call"]
    if box.bonus:
        lines["bonus"] = expected_bonus(name, box, dealer, category)
    if box.fee:
        lines["exchange"] = ("lose", 0)
    return lines


def expected_bonus(name: str, box: Box, dealer: Sequence[str], category: Category) -> tuple[str, int]:
    if name == "caribbean-live/1":
        odds = FIVE_PLUS_ONE.get(judged([*box.cards, dealer[0]])[1])
        return ("win", box.bonus * (odds + 1)) if odds else ("lose", 0)
    prize = DUBLIN_BONUS.get(category) if box.decision is Decision.CALL else None
    return ("win", prize) if prize else ("lose", 0)


@st.composite
def tables(draw: st.DrawFn) -> tuple[str, Box, list[str]]:
    """A book, a box and a dealer's hand; every other time the box gets a hand that is rarely dealt."""
    name = draw(st.sampled_from(DEALERS))
    rare = draw(st.sampled_from(["", "Ah Kh Qh Jh Th", "9h 8h 7h 6h 5h", "9h 9d 9c 9s 5h", "9h 9d 9c 5s 5h"]))
    hand = rare.split()
    deck = draw(st.permutations([card for card in DECK if card not in hand]))
    cards = tuple(hand or deck[5:10])
    book = house_book(name)
    decisions = [Decision.CALL, Decision.FOLD, *([Decision.VOID] if book.voids_hands else [])]
    decision = draw(st.sampled_from(decisions))
    ante = draw(st.integers(1, 500_00))
    called = decision is Decision.CALL or (decision is Decision.VOID and draw(st.booleans()))
    bonus = {
        "caribbean-live/1": draw(st.integers(0, 100_00)),
        "stud-dublinbet/1": draw(st.sampled_from([0, 1_00])),
    }
    fee = ante if book.exchange and draw(st.booleans()) else 0
    box = Box(ante, cards, decision, call=2 * ante if called else 0, bonus=bonus.get(name, 0), fee=fee)
    return name, box, deck[:5]


@settings(max_examples=500)
@given(tables())
def test_settling_agrees_with_a_second_reading_of_the_pages(table):
    name, box, dealer = table
    lines = settle_box(house_book(name), box, Dealer.of(house_book(name), dealer, dealer[0]))
    assert {line.bet: (line.result, line.payout) for line in lines} == expected(name, box, dealer)


@given(tables())
def test_no_bet_is_settled_twice_and_none_is_forgotten(table):
    name, box, dealer = table
    lines = settle_box(house_book(name), box, Dealer.of(house_book(name), dealer, dealer[0]))
    assert {line.bet: line.stake for line in lines} == {
        bet: stake
        for bet, stake in {
            "ante": box.ante,
            "call": box.call,
            "bonus": box.bonus,
            "exchange": box.fee,
        }.items()
        if stake
    }


@given(tables())
def test_what_is_won_and_what_is_returned_make_the_payout(table):
    name, box, dealer = table
    for line in settle_box(house_book(name), box, Dealer.of(house_book(name), dealer, dealer[0])):
        assert line.won + line.returned == line.payout
        assert (line.payout > 0) == (line.result in {"win", "push"})
        assert line.odds is None or line.result == "win"


def test_a_fixed_bonus_may_return_its_stake_by_option():
    book = house_book("stud-dublinbet/1")
    assert isinstance(book.bonus, FixedBonus)
    returning = replace(book, bonus=replace(book.bonus, returns_stake=True))
    dealer = NOTHING.split()
    box = Box(10_00, ("Ah", "Jh", "9h", "5h", "3h"), Decision.CALL, call=20_00, bonus=1_00)
    line = settle_box(returning, box, Dealer.of(returning, dealer, dealer[0]))[-1]
    assert (line.payout, line.returned, line.won) == (151_00, 1_00, 150_00)
