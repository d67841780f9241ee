"""The pot paid out: lines, stacks, side pots, odd units, rake, and what the table claims."""

import pytest
from stud_table import StudTable, command, sit

from backoffice.domain.event import Refused
from backoffice.domain.rounds.events import Discrepancy, Line, Raked, StackReturned
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.rounds.pot_decisions import decide_pot
from backoffice.kernel.money import Money

SEATED = "1 2 3 sit with 400.00"
STREETS = (
    "street 2: 1 Js, 2 5h, 3 2d",
    "3 1 2 check",
    "street 3: 1 Jd, 2 4d, 3 6h",
    "1 2 3 check",
    "street 4: 1 8s, 2 Ac, 3 7c",
    "1 2 3 check",
)


def played(**options: str) -> StudTable:
    """Everyone called the bring-in of 5.00 and checked down; seat 1 has the best hand."""
    return StudTable(**options).play(
        SEATED, "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad", "1 brings in", "2 3 call", *STREETS
    )


def dealt_out(table: StudTable, *streets: str) -> StudTable:
    """The remaining streets where nobody can bet any more, and everyone shows."""
    table.play(*streets)
    while table.turn:
        table.play(f"{table.turn} shows")
    return table.play("settle")


# Lines


def test_the_best_five_card_hand_takes_the_pot():
    table = played().play("3 1 2 show", "settle")
    assert table.settled.lines == (
        Line("1", "tallinn", "p-1", "EUR", "pot", 500, "win", 1500, "one pair takes the main pot"),
        Line("2", "tallinn", "p-2", "EUR", "pot", 500, "lose", 0, "high card is beaten"),
        Line("3", "tallinn", "p-3", "EUR", "pot", 500, "lose", 0, "high card is beaten"),
    )
    assert table.state.phase is Phase.SETTLED


def test_what_is_left_of_each_stack_goes_back():
    table = played().play("3 1 2 show", "settle")
    assert table.settled.stacks == tuple(
        StackReturned(seat, "tallinn", f"p-{seat}", Money(39500, "EUR")) for seat in ("1", "2", "3")
    )


def test_an_empty_stack_has_no_entry():
    table = StudTable().play("1 2 sit with 5.00", "street 1: 1 Kh/3d, 2 Qs/Td", "1 brings in", "2 calls")
    dealt_out(table, "street 2: 1 Js, 2 5h", "street 3: 1 Jd, 2 4d", "street 4: 1 8s, 2 Ac")
    assert table.settled.stacks == ()


def test_a_seat_that_put_nothing_in_has_no_line():
    table = StudTable().play(
        SEATED, "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad", "1 brings in", "2 folds", "3 calls"
    )
    table.play("street 2: 1 Js, 3 2d", "3 folds", "settle")
    assert [line.seat for line in table.settled.lines] == ["1", "3"]
    assert [stack.seat for stack in table.settled.stacks] == ["1", "2", "3"]


def test_the_last_player_takes_the_pot_without_showing():
    table = StudTable(ante="1.00").play(SEATED, "1 2 3 post", "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad")
    table.play("1 brings in", "2 calls", "3 folds", "street 2: 1 Js, 2 5h", "1 folds", "settle")
    assert table.line("2") == Line(
        "2", "tallinn", "p-2", "EUR", "pot", 600, "win", 1300, "the last hand left takes the main pot"
    )
    assert (table.line("1").rule, table.line("3").rule) == ("folded", "folded")


def test_an_uncalled_part_goes_back_and_is_part_of_stake_and_payout():
    table = StudTable(ante="1.00").play("1 2 sit with 400.00", "1 2 post", "street 1: 1 Kh/3d, 2 Qs/Td")
    table.play("1 brings in", "2 folds", "settle")
    assert table.line("1") == Line(
        "1",
        "tallinn",
        "p-1",
        "EUR",
        "pot",
        600,
        "win",
        700,
        "the last hand left takes the main pot, uncalled part returned",
    )


def test_a_lone_uncalled_part_is_a_lose_with_a_payout():
    table = StudTable().play(
        "1 sits with 400.00", "2 sits with 7.00", "street 1: 1 Kh/3d, 2 Qs/Td", "1 completes"
    )
    table.play("2 calls")
    dealt_out(table, "street 2: 1 Js, 2 Th", "street 3: 1 2d, 2 4d", "street 4: 1 8s, 2 Ac")
    assert table.line("1") == Line(
        "1", "tallinn", "p-1", "EUR", "pot", 1000, "lose", 300, "high card is beaten, uncalled part returned"
    )
    assert table.line("2").payout == 1400


def test_an_uncalled_part_returns_to_a_mucked_hand_as_well():
    table = StudTable().play(
        "1 sits with 400.00", "2 sits with 7.00", "street 1: 1 Kh/3d, 2 Qs/Td", "1 completes"
    )
    table.play("2 calls", "street 2: 1 Js, 2 Th", "street 3: 1 2d, 2 4d", "street 4: 1 8s, 2 Ac", "1 mucks")
    table.play("2 shows", "settle")
    assert (table.line("1").result, table.line("1").payout) == ("lose", 300)
    assert table.line("1").rule == "mucked, uncalled part returned"


# Side pots


def test_side_pots_follow_what_each_seat_put_in():
    table = StudTable().play("1 sits with 5.00", "2 sits with 15.00", "3 4 sit with 400.00")
    table.play("street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/8d, 4 2s/Jc", "1 brings in", "2 3 4 call")
    table.play("street 2: 1 Ks, 2 Qh, 3 4h, 4 5c", "2 bets", "3 4 call")  # the king is all-in, so 2 opens
    table.play("street 3: 1 4s, 2 5h, 3 9c, 4 6c", "3 bets", "4 calls")
    table.play("street 4: 1 8s, 2 7h, 3 Th, 4 Tc", "3 4 check", "4 1 2 3 show", "settle")
    assert table.paid == {"1": "20.00", "2": "30.00", "3": "40.00"}
    assert table.line("1").rule == "one pair takes the main pot"
    assert table.line("2").rule == "one pair takes side pot 1"
    assert table.line("3").rule == "one pair takes side pot 2"


def test_one_hand_may_take_several_pots():
    table = StudTable().play("1 sits with 5.00", "2 3 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad")
    table.play("1 brings in", "2 3 call", "street 2: 1 Js, 2 Th, 3 2d", "2 bets", "3 calls")
    table.play("street 3: 1 4s, 2 4d, 3 6h", "2 3 check", "street 4: 1 8s, 2 Ac, 3 7c", "2 3 check")
    table.play("3 1 2 show", "settle")
    assert table.paid == {"2": "35.00"}
    assert table.line("2").rule == "one pair takes the main pot, one pair takes side pot 1"


def test_a_folded_seats_chips_stay_in_the_pots_it_paid_into():
    table = StudTable().play("1 sits with 5.00", "2 3 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad")
    table.play("1 brings in", "2 3 call", "street 2: 1 Js, 2 Th, 3 2d", "2 bets", "3 calls")
    table.play(
        "street 3: 1 Jd, 2 4d, 3 6h", "2 bets", "3 folds", "street 4: 1 8s, 2 Ac", "1 2 show", "settle"
    )
    assert table.paid == {"1": "15.00", "2": "40.00"}


# Splits


def tie(**options: str) -> StudTable:
    """Seats 1 and 3 both end with K-Q-J-9-7; seat 2 brings in and folds."""
    table = StudTable(small="1.00", big="2.00", **options)
    return table.play(
        SEATED,
        "street 1: 1 Kh/9d, 2 Qs/8d, 3 9h/Kd",
        "2 brings in",
        "3 1 call",
        "street 2: 1 Qd, 2 Qc, 3 Qh",
        "3 1 check",
        "2 folds",
        "street 3: 1 Js, 3 Jc",
        "3 1 check",
        "street 4: 1 7s, 3 7c",
        "3 1 check",
    )


def test_equal_hands_split_the_pot_whatever_their_suits():
    table = tie(bring_in="0.50").play("1 3 show", "settle")
    assert table.paid == {"1": "0.75", "3": "0.75"}
    assert table.line("1").rule == "high card splits the main pot"
    assert table.line("3").result == "win"


def test_an_odd_minor_unit_goes_to_the_first_winner_left_of_the_dealer():
    assert tie(bring_in="0.55").play("1 3 show", "settle").paid == {"1": "0.83", "3": "0.82"}


def test_a_muck_leaves_the_whole_pot_to_the_other():
    assert tie(bring_in="0.55").play("1 mucks", "3 shows", "settle").paid == {"3": "1.65"}


# Rake


def test_no_rake_by_default():
    assert played().play("3 1 2 show", "settle").settled.raked == ()


def test_the_rake_is_a_percentage_of_the_pot_rounded_down():
    table = played(rake_percent="2.5", bring_in="4.99").play("3 1 2 show", "settle")
    assert table.settled.raked == (Raked("tallinn", Money(37, "EUR")),)  # 2.5% of 14.97 is 0.37425
    assert table.paid == {"1": "14.60"}


def test_the_uncalled_part_is_not_raked():
    table = StudTable(ante="1.00", rake_percent="10").play("1 2 sit with 400.00", "1 2 post")
    table.play("street 1: 1 Kh/3d, 2 Qs/Td", "1 brings in", "2 folds", "settle")
    assert table.settled.raked == (Raked("tallinn", Money(20, "EUR")),)
    assert table.paid == {"1": "6.80"}


def test_a_pot_that_nobody_else_put_chips_in_is_not_raked():
    table = StudTable(rake_percent="10").play(
        "1 2 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td", "1 brings in"
    )
    table.play("2 folds", "settle")
    assert (table.settled.raked, table.paid) == ((), {"1": "5.00"})
    rule = "the last hand left, uncalled part returned"
    assert (table.line("1").result, table.line("1").rule) == ("win", rule)


def test_the_last_hand_left_wins_what_it_completed_though_nobody_matched_it():
    table = StudTable().play("1 2 sit with 400.00", "street 1: 1 Kh/3d, 2 Qs/Td", "1 completes")
    table.play("2 folds", "settle")
    assert (table.line("1").result, table.paid) == ("win", {"1": "10.00"})


def test_the_rake_of_a_split_pot_is_split_among_the_winners_casinos():
    table = StudTable(small="1.00", big="2.00", bring_in="0.55", rake_percent="10")
    table.take(sit("1", casino="riga"))
    table.play("2 3 sit with 400.00", "street 1: 1 Kh/9d, 2 Qs/8d, 3 9h/Kd", "2 brings in", "3 1 call")
    table.play("street 2: 1 Qd, 2 Qc, 3 Qh", "3 1 check", "2 folds", "street 3: 1 Js, 3 Jc", "3 1 check")
    table.play("street 4: 1 7s, 3 7c", "3 1 check", "1 3 show", "settle")
    assert table.settled.raked == (Raked("riga", Money(8, "EUR")), Raked("tallinn", Money(8, "EUR")))
    assert table.paid == {"1": "0.75", "3": "0.74"}


def test_every_pot_is_raked_by_itself():
    table = StudTable(rake_percent="3.3").play("1 sits with 5.00", "2 3 sit with 400.00")
    table.play("street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad", "1 brings in", "2 3 call")
    table.play("street 2: 1 Js, 2 Th, 3 2d", "2 bets", "3 calls", "street 3: 1 Jd, 2 4d, 3 6h", "2 3 check")
    table.play("street 4: 1 8s, 2 Ac, 3 7c", "2 3 check", "3 1 2 show", "settle")
    assert table.paid == {"1": "14.51", "2": "19.34"}  # 15.00 less 0.49, 20.00 less 0.66
    assert table.settled.raked == (Raked("tallinn", Money(115, "EUR")),)


# When a pot may be settled


def test_everyone_still_in_has_shown_or_mucked_before_the_pot_is_settled():
    table = played().play("3 shows")
    table.refuses("settle", "seat 1 has neither shown nor mucked")
    table.play("1 shows").refuses("settle", "seat 2 has neither shown nor mucked")
    table.play("2 mucks", "settle")


def test_no_settling_before_the_last_betting_round_is_over():
    reason = "the pot is not settled before the last betting round is over"
    StudTable().refuses("settle", reason)
    StudTable().play(SEATED).refuses("settle", reason)
    StudTable().play(SEATED, "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad").refuses("settle", reason)


# What the table says it paid


def settle_with(table: StudTable, payouts: dict[str, dict[str, str]]) -> tuple[Discrepancy, ...]:
    table.take(command("settle", payouts=payouts))
    return table.settled.discrepancies


def shown() -> StudTable:
    """Seat 1 takes 15.00."""
    return played().play("3 1 2 show")


def test_payouts_as_the_rules_have_them_are_no_discrepancy():
    assert settle_with(shown(), {"1": {"pot": "15.00"}, "2": {"pot": "0.00"}}) == ()


def test_what_is_not_given_is_not_compared():
    assert settle_with(shown(), {"2": {"pot": "0.00"}}) == ()
    assert settle_with(shown(), {}) == ()


def test_a_payout_that_differs_is_a_discrepancy_and_the_rules_pay():
    table = shown()
    found = settle_with(table, {"1": {"pot": "14.00"}, "2": {"pot": "1.00"}})
    assert [(each.seat, each.bet, each.claimed, each.due) for each in found] == [
        ("1", "pot", Money(1400, "EUR"), Money(1500, "EUR")),
        ("2", "pot", Money(100, "EUR"), Money(0, "EUR")),
    ]
    assert table.paid == {"1": "15.00"}


def test_a_bet_that_pot_games_do_not_have_is_due_nothing():
    found = settle_with(shown(), {"1": {"ante": "1.00"}})
    assert [(each.bet, each.claimed, each.due) for each in found] == [
        ("ante", Money(100, "EUR"), Money(0, "EUR"))
    ]


def test_a_seat_that_put_nothing_in_may_be_said_to_be_paid_nothing():
    table = StudTable().play(SEATED, "street 1: 1 Kh/3d, 2 Qs/Td, 3 9h/Ad", "1 brings in", "2 3 fold")
    assert settle_with(table, {"2": {"pot": "0.00"}}) == ()


def test_a_payout_with_too_many_digits_is_refused():
    with pytest.raises(Refused, match="more digits than EUR has"):
        decide_pot(shown().state, command("settle", payouts={"1": {"pot": "15.001"}}), shown().around)
