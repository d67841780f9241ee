"""Legal and illegal play of the four dealer games at random: whatever happens, every promise holds."""

from collections import Counter
from collections.abc import Iterator

from hypothesis import given, settings
from hypothesis import strategies as st
from promises import check_promises
from pure_house import accounts
from random_floor import RandomFloor

from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesDrawn, JackpotHit, JackpotHitReversed, JackpotSeeded
from backoffice.domain.rounds.events import (
    CancellationRequested,
    HandCalled,
    HandFolded,
    JackpotMarked,
    PlayerLeft,
    RoundReversed,
    RoundSettled,
    StakeUndone,
)

SEEDS = st.integers(0, 10**9)


@settings(max_examples=30, deadline=None)
@given(SEEDS)
def test_every_promise_holds_in_the_middle_and_at_the_end_and_nothing_but_refusals_is_raised(seed):
    floor = RandomFloor(seed)
    floor.play(400)
    check_promises(floor.house)
    floor.finish()
    check_promises(floor.house)
    assert not any(account.kind == "stakes" for account, _ in accounts(floor.house.events))


@settings(max_examples=10, deadline=None)
@given(SEEDS)
def test_the_same_actions_give_the_same_facts(seed):
    once, again = RandomFloor(seed), RandomFloor(seed)
    once.play(120)
    again.play(120)
    assert once.house.events == again.house.events


def test_the_random_floor_sees_everything_there_is_to_see():
    seen: Counter[str] = Counter()
    for seed in range(16):
        floor = RandomFloor(seed)
        floor.play(900)
        seen["refused"] += floor.refused
        seen.update(event.type_name for event in floor.house.events)
        seen.update(
            trait for event in floor.house.events for trait in (*traits(event), *traits_of_reserves(event))
        )
        seen.update(state.phase for state in floor.house.past.rounds.values())
    assert set(seen) >= WANTED, WANTED - set(seen)
    assert seen["refused"] > 1000


WANTED = {
    *(
        "hit 100%",
        "hit 10%",
        "hit below zero",
        "hit shared by three",
        "prizes of the pool",
        "settled",
        "cancelled",
    ),
    *("round.ante_placed", "round.bonus_placed", "round.jackpot_marked", "round.blind_placed"),
    *(
        "round.stake_undone",
        "round.player_left",
        "round.hand_called",
        "round.hand_folded",
        "round.hand_voided",
    ),
    *("round.card_exchanged", "round.hand_announced", "round.suspended", "round.resumed"),
    *("case.compensation_opened", "case.dispute_opened", "jackpot.seeded", "network.rate_set"),
    *("AUTO CALL", "AUTO FOLD", "contribution borne by the house", "payout capped"),
    *("a mark beyond the ceiling", "a mark that fills the pool", "a pool that begins with a reserve"),
    *("an overflow given back", "a reserve given back"),
    *("round.reversed", "jackpot.hit_reversed", "jackpot.fixed_prizes_returned", "a debt"),
}


def traits(event: Event) -> Iterator[str]:
    """What is rare about an event."""
    match event:
        case JackpotHit():
            yield f"hit {event.percent}%"
            if event.pool < 0:
                yield "hit below zero"
            if len(event.shares) > 2:
                yield "hit shared by three"
        case FixedPrizesDrawn():
            yield "prizes of the pool"
        case HandCalled(automatic=True):
            yield "AUTO CALL"
        case HandFolded(automatic=True):
            yield "AUTO FOLD"
        case CancellationRequested(withdrawals=marks) | StakeUndone(stakes=marks) | PlayerLeft(stakes=marks):
            if any(mark.borne_by == "house" for mark in marks):
                yield "contribution borne by the house"
        case RoundReversed(shortfalls=debts) if debts:
            yield "a debt"
        case RoundSettled(lines=lines) if any(line.cut for line in lines):
            yield "payout capped"


def traits_of_reserves(event: Event) -> Iterator[str]:
    """What is rare about an event of a jackpot with a ceiling."""
    match event:
        case JackpotMarked(reserved=over) if over:
            yield "a mark beyond the ceiling" if over == event.contribution else "a mark that fills the pool"
        case JackpotSeeded() if event.from_reserve:
            yield "a pool that begins with a reserve"
        case JackpotHitReversed() if event.to_reserve:
            yield "a reserve given back"
        case CancellationRequested(withdrawals=marks) | StakeUndone(stakes=marks) | PlayerLeft(stakes=marks):
            if any(mark.borne_by == "pool" and mark.reserved for mark in marks):
                yield "an overflow given back"
