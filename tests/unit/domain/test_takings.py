"""What facts bring a casino, against what the ledger posts of them; and the examples of the Danish standard record."""

from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_office import played

from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.ledger import POSTED, postings
from backoffice.domain.rounds.events import (
    Line,
    PotSettled,
    Raked,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
)
from backoffice.domain.takings import COUNTS, MONEY, PAYOUTS, RESULTS, STAKES, TAKING, commissions, takings
from backoffice.kernel.money import Money

DANE = ("dane", "ann", "DKK")


def by_the_ledger(event: Event, kind: str) -> Counter[tuple[str, str]]:
    """What an event posts to one kind of account, by casino and currency."""
    sums: Counter[tuple[str, str]] = Counter()
    for account, currency, minor in postings(event):
        if account.kind == kind:
            sums[account.owner, currency] += minor
    return Counter({drawer: minor for drawer, minor in sums.items() if minor})


def by_takings(event: Event, **signs: int) -> Counter[tuple[str, str]]:
    """The same by what the event brought."""
    sums: Counter[tuple[str, str]] = Counter()
    for drawer, brought in takings(event).items():
        sums[drawer] += sum(sign * brought[name] for name, sign in signs.items())
    return Counter({drawer: minor for drawer, minor in sums.items() if minor})


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10**9))
def test_revenue_less_what_is_explained_is_what_the_house_account_moves_fact_by_fact(seed):
    house, _ = played(seed, 500)
    for event in house.events:
        assert by_takings(event, ggr=1, borne=-1, written_off=-1) == by_the_ledger(event, "house"), event
        assert by_takings(event, compensation=-1) == by_the_ledger(event, "compensation"), event


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_ggr_is_stakes_less_winnings_without_contributions_and_pool_prizes(seed):
    house, _ = played(seed, 500)
    for event in house.events:
        for brought in takings(event).values():
            stakes = sum(brought[name] for name in STAKES if name != "pot_stakes")
            winnings = sum(brought[name] for name in PAYOUTS if name not in {"pot_payouts", "pool_prizes"})
            assert brought["ggr"] - brought["rake"] == stakes - brought["contributions"] - winnings


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_a_reversed_round_leaves_nothing_but_refunds(seed):
    house, _ = played(seed, 700)
    for reversal in house.events:
        if isinstance(reversal, RoundReversed) and reversal.number == 2:
            sums: Counter[str] = Counter()
            for event in house.events_of(reversal.round):
                if event is reversal or (isinstance(event, RoundSettled) and event.number == 1):
                    for brought in takings(event).values():
                        sums.update(brought)
            left = {name for name, minor in sums.items() if minor}
            assert left <= {"refunds", "cancelled", "borne"}


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 10**9))
def test_what_is_counted_is_what_the_last_result_of_each_round_says(seed):
    house, _ = played(seed, 700)
    counted: Counter[tuple[str, str, str]] = Counter()
    last: dict[str, Event] = {}
    for event in house.events:
        for drawer, brought in takings(event).items():
            counted.update({(*drawer, name): brought[name] for name in (*COUNTS, "refunds")})
        if type(event) in RESULTS:
            last[event.round] = event
    assert +counted == +sum(map(by_last_result, last.values()), Counter())


def by_last_result(event: Event) -> Counter[tuple[str, str, str]]:
    """One settled round, or one cancelled one with its stakes back, for each casino and currency in it."""
    if isinstance(event, RoundCorrected):
        return Counter()
    counted: Counter[tuple[str, str, str]] = Counter()
    drawers = {(line.casino, line.currency) for line in event.lines}
    for drawer in drawers:
        lines = [line for line in event.lines if (line.casino, line.currency) == drawer]
        if isinstance(event, RoundSettled | PotSettled):
            counted.update({(*drawer, "rounds"): 1, (*drawer, "hands"): len({line.seat for line in lines})})
        else:
            refunded = sum(line.stake for line in lines)
            counted.update({(*drawer, "cancelled"): 1, (*drawer, "refunds"): refunded})
    return counted


def test_a_prize_is_the_houses_or_the_pools():
    fixed = settled(Line("1", *DANE, "jackpot", 100, "win", 5_000, "a flush", pooled=50))
    assert (fixed["fixed_prizes"], fixed["pool_prizes"], fixed["ggr"]) == (5_000, 0, 50 - 5_000)


def test_whatever_moves_the_house_or_compensations_is_taken_into_account():
    moving = {event for event in EVENTS if event in POSTED}
    assert set(TAKING) <= moving
    assert len(set(MONEY)) == len(MONEY)


def settled(*lines: Line) -> Counter[str]:
    (brought,) = takings(RoundSettled(round="r", lines=lines)).values()
    return brought


def test_danish_example_1_stakes_and_winnings_of_a_session_are_the_sums_of_its_plays():
    """Three plays of 1.00; the first and the last win 1.00."""
    plays = [
        settled(Line("1", *DANE, "ante", 100, "win" if won else "lose", won, "so it fell"))
        for won in (100, 0, 100)
    ]
    session = sum(plays, Counter())
    assert (session["ante_stakes"], session["ante_payouts"]) == (300, 200)
    assert sum(play["ggr"] for play in plays) == 100


def test_danish_example_2_what_goes_to_the_pot_is_no_stake_and_a_pot_won_no_winning():
    """10.00 staked, 0.50 of it for the jackpot; 100.00 won."""
    brought = settled(
        Line("1", *DANE, "ante", 900, "win", 10_000, "so it fell"),
        Line("1", *DANE, "jackpot", 100, "lose", 0, "no jackpot hand", pooled=50),
    )
    stakes = sum(brought[name] for name in STAKES)
    assert (stakes - brought["contributions"], brought["contributions"]) == (950, 50)
    assert brought["ante_payouts"] == 10_000
    assert brought["ggr"] == 950 - 10_000


@pytest.mark.parametrize("share", [0, 1_000_000])
def test_ggr_does_not_move_on_a_pool_win(share):
    brought = settled(
        Line("1", *DANE, "jackpot", 100, "win", share, "royal flush", pooled=50, paid_by="pool"),
    )
    assert (brought["pool_prizes"], brought["fixed_prizes"], brought["ggr"]) == (share, 0, 50)


def test_danish_example_3_the_houses_part_of_a_pot_is_commission_and_no_stake():
    """A Dane and somebody else stake 100.00 each, 5.00 of each is commission; the Dane wins."""
    other = ("elsewhere", "bob", "DKK")
    lines = (
        Line("1", *DANE, "pot", 10_000, "win", 19_000, "takes the main pot"),
        Line("2", *other, "pot", 10_000, "lose", 0, "is beaten"),
    )
    brought = takings(
        PotSettled(round="r", lines=lines, stacks=(), raked=(Raked("dane", Money(1000, "DKK")),))
    )
    dane = brought["dane", "DKK"]
    assert (dane["pot_stakes"] - dane["commission"], dane["commission"]) == (9_500, 500)
    assert dane["pot_payouts"] == 19_000
    assert brought["elsewhere", "DKK"]["commission"] == 500
    assert dane["rake"] == dane["ggr"] == 1000


def test_a_pot_that_is_taken_back_takes_its_rake_back():
    lines = (
        Line("1", *DANE, "pot", 10_000, "win", 19_000, "takes the main pot"),
        Line("2", *DANE, "pot", 10_000, "lose", 0, "is beaten"),
    )
    raked = (Raked("dane", Money(1000, "DKK")),)
    settled = takings(PotSettled(round="r", lines=lines, stacks=(), raked=raked))["dane", "DKK"]
    undone = takings(RoundReversed(round="r", lines=lines, raked=raked))["dane", "DKK"]
    settled.update(undone)
    assert {name: minor for name, minor in settled.items() if minor} == {"refunds": 20_000, "cancelled": 1}
    assert undone["rake"] == undone["commission"] == undone["ggr"] == -1000


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=8), st.integers(0, 1000))
def test_a_rake_is_borne_to_the_last_unit(stakes, rake):
    lines = [Line(str(seat), *DANE, "pot", stake, "lose", 0, "") for seat, stake in enumerate(stakes)]
    raked = [Raked("dane", Money(rake, "DKK"))] if rake else []
    assert sum(commissions(lines, raked)) == rake
