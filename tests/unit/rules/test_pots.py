"""Uncalled parts, side pots, splits and rake, by numbers."""

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from backoffice.kernel.hands import hand_value
from backoffice.rules.pots import Award, Pot, award, divide, form_pots, rake_of, uncalled

ACES = hand_value(["As", "Ad", "Kc", "Qc", "Jc"])
KINGS = hand_value(["Ks", "Kd", "Qh", "Jh", "Th"])


def test_what_the_second_highest_matched_is_called_the_rest_goes_back():
    assert uncalled({"1": 50, "2": 30, "3": 10}) == {"1": 20}


def test_a_folded_seats_put_in_calls_too():
    assert form_pots({"1": 50, "2": 50, "3": 10}, ["1", "3"]) == (Pot(30, ("1", "3")), Pot(80, ("1",)))


def test_equal_put_ins_leave_nothing_uncalled():
    assert uncalled({"1": 50, "2": 50}) == {}
    assert uncalled({}) == {}


def test_one_put_in_alone_is_all_uncalled():
    assert uncalled({"1": 5, "2": 0}) == {"1": 5}
    assert form_pots({"1": 5, "2": 0}, ["1", "2"]) == ()


def test_main_pot_and_side_pots_in_order():
    assert form_pots({"1": 10, "2": 30, "3": 60, "4": 60}, ["1", "2", "3", "4"]) == (
        Pot(40, ("1", "2", "3", "4")),
        Pot(60, ("2", "3", "4")),
        Pot(60, ("3", "4")),
    )


def test_a_folded_put_in_makes_no_pot_of_its_own():
    assert form_pots({"1": 7, "2": 30, "3": 30}, ["2", "3"]) == (Pot(67, ("2", "3")),)


def test_what_does_not_divide_goes_to_the_first_winner():
    assert divide(100, ["2", "4", "5"]) == {"2": 34, "4": 33, "5": 33}
    assert divide(101, ["2", "4", "5"]) == {"2": 35, "4": 33, "5": 33}
    assert divide(1, ["2", "4", "5"]) == {"2": 1, "4": 0, "5": 0}


def test_the_rake_is_rounded_down():
    assert rake_of(999, "10") == 99
    assert rake_of(1497, "2.5") == 37
    assert rake_of(10**15, "0.01") == 10**11
    assert rake_of(100, "0") == 0


def test_a_pot_goes_to_the_best_contender_less_the_rake():
    pot = Pot(100, ("1", "2"))
    assert award(pot, {"1": KINGS, "2": ACES, "3": ACES}, "5") == Award(pot, 5, {"2": 95}, {"2": 5})


def test_a_lone_contender_needs_no_hand():
    assert award(Pot(100, ("1",)), {}, "0").shares == {"1": 100}


def test_rake_and_pot_are_split_by_the_same_rule():
    pot = Pot(105, ("1", "2"))
    assert award(pot, {"1": ACES, "2": ACES}, "3") == Award(pot, 3, {"1": 51, "2": 51}, {"1": 2, "2": 1})


@given(st.lists(st.integers(0, 1000), min_size=2, max_size=10), st.data())
def test_no_chip_is_lost_between_put_ins_and_pots(amounts, data):
    put = {str(seat): amount for seat, amount in enumerate(amounts, 1)}
    highest = max(put, key=put.__getitem__)
    contenders = [seat for seat in put if seat == highest or data.draw(st.booleans())]
    pots = form_pots(put, contenders)
    assert sum(pot.amount for pot in pots) + sum(uncalled(put).values()) == sum(amounts)
    assert all(set(later.contenders) < set(earlier.contenders) for earlier, later in pairwise(pots))


@given(st.integers(0, 10**12), st.integers(1, 10))
def test_parts_add_up_and_differ_by_the_odd_units_only(amount, winners):
    parts = divide(amount, [str(seat) for seat in range(winners)])
    assert sum(parts.values()) == amount
    assert len(set(list(parts.values())[1:])) <= 1
