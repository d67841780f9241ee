"""Sitting down and posting the ante."""

import pytest
from stud_table import AMPLE, StudTable, command, sit

from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import AntePosted, SeatTaken
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.domain.rounds.surroundings import Surroundings
from backoffice.kernel.ids import Wallet
from backoffice.kernel.money import Money

DEALT = ("1 2 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td")


def refusal(table: StudTable, **fields: str) -> str:
    with pytest.raises(Refused) as refused:
        decide_pot(table.state, sit(**{"seat": "3"} | fields), table.around)
    return refused.value.reason


def test_a_player_sits_down_with_a_stack():
    table = StudTable().play("3 sits with 250.00")
    assert table.newest == SeatTaken(
        round="r-1", seat="3", casino="tallinn", player="p-3", stack=Money(25000, "EUR")
    )
    assert table.newest.wallet == Wallet("tallinn", "p-3", "EUR")


def test_seats_stand_in_their_order_left_of_the_dealer_whoever_came_first():
    assert list(StudTable().play("10 2 9 1 sit with 400.00").state.seats) == ["1", "2", "9", "10"]


def test_a_seat_is_a_place_of_the_book():
    for seat in ("0", "11", "03", "a", "-1", "٣", "1.0", " 1"):
        assert refusal(StudTable(), seat=seat) == f"seat {seat}: the seats of this table are 1 to 10"


def test_a_table_may_have_fewer_seats_than_the_book_but_not_more():
    assert refusal(StudTable(seats=6), seat="7") == "seat 7: the seats of this table are 1 to 6"
    assert refusal(StudTable(seats=12), seat="11") == "seat 11: the seats of this table are 1 to 10"


def test_a_taken_seat_is_refused():
    assert refusal(StudTable().play("3 sits with 400.00"), player="other") == "seat 3 is taken"


def test_one_seat_a_player_a_round():
    table = StudTable().play("1 sits with 400.00")
    assert refusal(table, player="p-1") == "seat 3: this player already sits in seat 1"


def test_the_same_name_at_another_casino_is_another_player():
    table = StudTable().play("1 sits with 400.00")
    table.take(sit("2", player="p-1", casino="riga"))
    assert list(table.state.seats) == ["1", "2"]


def test_a_table_plays_in_its_own_currency():
    assert refusal(StudTable(), currency="SEK") == "seat 3: this table plays in EUR, not in SEK"


def test_only_players_of_the_tables_casinos_sit_down():
    assert refusal(StudTable(), casino="lugano") == "seat 3: this table takes no players of lugano"


def test_a_casino_plays_in_its_own_currencies():
    table = StudTable(around=Surroundings(AMPLE.balance, {"tallinn": ["SEK"]}))
    assert refusal(table) == "seat 3: tallinn does not play in EUR"


def test_a_stack_is_covered_by_the_wallet():
    table = StudTable(around=Surroundings(lambda wallet: 39999, AMPLE.currencies))
    assert refusal(table) == "seat 3: 400.00 EUR is not covered by the balance of 399.99"
    table.play("3 sits with 399.99")


def test_a_stack_is_more_than_nothing_and_has_the_currencys_digits():
    assert refusal(StudTable(), stack="0.00") == "seat 3: an amount is greater than zero"
    assert refusal(StudTable(), stack="1.001") == "seat 3: 1.001 has more digits than EUR has (2)"


def test_nobody_sits_down_once_the_cards_are_dealt():
    reason = "seat 3: the cards are dealt, nobody sits down any more"
    assert refusal(StudTable().play(*DEALT)) == reason


def test_antes_from_every_player_before_the_deal():
    table = StudTable(ante="1.00").play("1 2 sit with 400.00", "1 posts")
    assert table.newest == AntePosted(round="r-1", seat="1", amount=100)
    assert (table.stack("1"), table.put("1")) == ("399.00", "1.00")
    table.refuses("street 1: 1 Kh/3d, 2 Qs/Td", "seat 2 has not posted its ante")
    table.play("2 posts", "street 1: 1 Kh/3d, 2 Qs/Td")


def test_an_ante_is_no_bet_of_the_street():
    table = StudTable(ante="1.00").play("1 2 sit with 400.00", "1 2 post", "street 1: 1 Kh/3d, 2 Qs/Td")
    assert table.state.to_match == 0


def test_a_table_without_an_ante_takes_none():
    StudTable().play("1 sits with 400.00").refuses("1 posts", "seat 1: this table has no ante")


def test_an_ante_is_posted_once():
    StudTable(ante="1.00").play("1 sits with 400.00", "1 posts").refuses(
        "1 posts", "seat 1 has posted its ante"
    )


def test_an_empty_seat_posts_nothing():
    StudTable(ante="1.00").refuses("1 posts", "seat 1: nobody sits there")


def test_no_ante_after_the_deal():
    StudTable().play(*DEALT).refuses("1 posts", "seat 1: the cards are dealt, antes are posted before")


def test_a_stack_smaller_than_the_ante_is_all_in_for_what_is_left():
    table = StudTable(ante="1.00").play("1 sits with 0.40", "1 posts")
    assert table.newest == AntePosted(round="r-1", seat="1", amount=40, all_in=True)


def test_a_stack_of_just_the_ante_is_all_in():
    assert StudTable(ante="1.00").play("1 sits with 1.00", "1 posts").newest.all_in


@pytest.mark.parametrize(
    ("action", "reason"),
    [
        (
            command("ante", seat="1", casino="tallinn", player="p", amount="1.00", currency="EUR"),
            "ante of a player's choice: players sit, then post",
        ),
        (command("bonus", seat="1", amount="1.00"), "Bonus"),
        (command("mark", seat="1"), "jackpot"),
        (command("blind", seat="1", by="2", amount="1.00", mark=True), "blind boxes"),
        (command("undo", seat="1"), "undo: chips in the pot stay there"),
        (
            command("leave", seat="1"),
            "leaving before the deal: what is left of a stack goes back when the round ends",
        ),
        (command("close"), "closing: each street's betting ends by itself"),
        (command("exchange", seat="1", discard="As", draw="Ks"), "card exchange"),
        (command("reveal", dealer=["As"]), "dealer's hand"),
        (command("void", seat="1", reason="late"), "void hands"),
        (command("announce", seat="1"), "jackpot to announce a hand for"),
    ],
    ids=lambda value: value.do if hasattr(value, "do") else "",
)
def test_what_belongs_to_the_dealer_games_is_refused_by_name(action, reason):
    with pytest.raises(Refused) as refused:
        decide_pot(StudTable().state, action, AMPLE)
    assert refused.value.reason == f"Five Card Stud has no {reason}"


def test_a_command_for_the_shell_crashes():
    with pytest.raises(TypeError):
        decide_pot(StudTable().state, command("suspend", reason="fire"), AMPLE)
