"""What facts come to in each read model."""

from datetime import UTC, datetime
from typing import Any

import pytest

from backoffice.domain.cases.events import CompensationOpened, DisputeOpened
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import JackpotHit, JackpotSeeded, Share
from backoffice.domain.rounds.events import (
    AntePlaced,
    BettingClosed,
    CancellationRequested,
    DealerRevealed,
    HandFolded,
    HandsDealt,
    HandShown,
    JackpotMarked,
    Line,
    PotSettled,
    RoundCancelled,
    RoundOpened,
    RoundResumed,
    RoundReversed,
    RoundSettled,
    RoundSuspended,
    StakeUndone,
    StreetDealt,
    TakenBack,
    Withdrawal,
)
from backoffice.domain.terms import StudTerms, TableTerms
from backoffice.domain.wallet.events import MoneyDeposited
from backoffice.kernel.money import Money
from backoffice.projections.balances import BALANCES, balances
from backoffice.projections.cases import CASES, cases
from backoffice.projections.catalogue import PROJECTIONS
from backoffice.projections.changes import Add, Amend, Change, Put
from backoffice.projections.fact import Fact
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.projections.jackpot_shares import JACKPOT_SHARES, jackpot_shares
from backoffice.projections.projection import Projection
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS, rounds

AT = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
ANN = ("tallinn", "ann", "EUR")
SEAT: dict[str, Any] = {"seat": "1", "casino": "tallinn", "player": "ann"}
WON = Line("1", *ANN, "call", 2000, "win", 6000, "two pairs", odds=2, cut=5)
LOST = Line("1", *ANN, "jackpot", 100, "lose", 0, "no jackpot prize", pooled=70, paid_by="pool")


def changes(projection: Projection, event: Event, position: int = 7) -> list[Change]:
    assert type(event) in projection.wants
    return list(projection.changes(Fact(position, AT, event)))


def opened(**terms: Any) -> RoundOpened:
    return RoundOpened(
        round="r1",
        table="floor-7",
        number="17",
        terms=TableTerms(**{"ruleset": "caribbean-live/1", "casinos": ("tallinn",), **terms}),
        dealer="d9",
    )


def test_a_stake_comes_off_its_wallet() -> None:
    ante = AntePlaced(round="r1", **SEAT, stake=Money(500, "EUR"))
    assert changes(BALANCES, ante) == [Add(balances, ANN, (-500,))]


def test_a_settled_line_pays_its_wallet_and_a_lost_one_does_not_touch_it() -> None:
    assert changes(BALANCES, RoundSettled(round="r1", lines=(WON, LOST))) == [Add(balances, ANN, (6000,))]


def test_a_deposit_makes_a_wallet() -> None:
    deposit = MoneyDeposited(casino="tallinn", player="ann", amount=Money(1, "KWD"))
    assert changes(BALANCES, deposit) == [Add(balances, ("tallinn", "ann", "KWD"), (1,))]


def test_a_seed_is_contributed_by_the_network() -> None:
    seeded = JackpotSeeded(jackpot="royal", cycle=1, seed=Money(5000, "EUR"))
    assert changes(JACKPOT_METERS, seeded) == [Add(jackpot_meters, ("royal", "-", "EUR"), (5000, 0, 0, 5000))]


def test_a_mark_taken_back_stays_in_what_was_contributed() -> None:
    mark = JackpotMarked(
        round="r1", **SEAT, stake=Money(100, "EUR"), jackpot="royal", cycle=1, contribution=70
    )
    back = TakenBack("1", "tallinn", "ann", "jackpot", Money(100, "EUR"), contribution=70)
    undone = StakeUndone(round="r1", seat="1", stakes=(back,), jackpot="royal")
    key = ("royal", "tallinn", "EUR")
    assert changes(JACKPOT_METERS, mark) == [Add(jackpot_meters, key, (70, 0, 0, 70))]
    assert changes(JACKPOT_METERS, undone) == [Add(jackpot_meters, key, (0, 70, 0, -70))]


def test_a_contribution_that_the_house_bears_moves_no_meter() -> None:
    request = CancellationRequested(
        round="r1",
        reason="misdeal",
        jackpot="royal",
        withdrawals=(
            Withdrawal("1", "tallinn", "EUR", 70, "house"),
            Withdrawal("2", "tallinn", "EUR", 30, "pool"),
        ),
    )
    assert changes(JACKPOT_METERS, request) == [
        Add(jackpot_meters, ("royal", "tallinn", "EUR"), (0, 30, 0, -30))
    ]


def test_a_round_begins_where_it_was_opened_with_its_book() -> None:
    assert changes(ROUNDS, opened(jackpot="royal")) == [
        Put(
            rounds,
            {
                "round": "r1",
                "table_id": "floor-7",
                "number": "17",
                "ruleset": "caribbean-live/1",
                "jackpot": "royal",
                "dealer": "d9",
                "shift": None,
                "phase": "betting",
                "suspended": False,
                "opened_at": AT,
                "ended_at": None,
                "first_position": 7,
                "last_position": 7,
            },
        )
    ]


def test_a_pot_game_begins_with_the_seating() -> None:
    stud = StudTerms("EUR", small=100, big=200, ante=10, bring_in=50)
    (put,) = changes(ROUNDS, opened(ruleset="five-card-stud/1", stud=stud))
    assert isinstance(put, Put)
    assert put.row["phase"] == "seating"


@pytest.mark.parametrize(
    ("event", "phase"),
    [
        (BettingClosed(round="r1"), "closed"),
        (HandsDealt(round="r1", hands={}, up="As"), "dealt"),
        (DealerRevealed(round="r1", dealer=()), "revealed"),
        (StreetDealt(round="r1", street=1, down={}, up={}), "playing"),
        (HandShown(round="r1", seat="1", cards=()), "showdown"),
        (CancellationRequested(round="r1", reason="misdeal"), "cancelling"),
        (RoundSettled(round="r1", lines=()), "settled"),
        (PotSettled(round="r1", lines=(), stacks=()), "settled"),
        (RoundCancelled(round="r1", lines=()), "cancelled"),
        (RoundReversed(round="r1", lines=()), "reversed"),
    ],
)
def test_facts_move_a_round_from_phase_to_phase(event: Event, phase: str) -> None:
    (amend,) = changes(ROUNDS, event)
    assert isinstance(amend, Amend)
    assert amend[:2] == (rounds, ("r1",))
    assert amend.values["phase"] == phase
    assert amend.values["last_position"] == 7


def test_a_fact_that_changes_no_phase_moves_a_round_s_last_position_only() -> None:
    assert changes(ROUNDS, HandFolded(round="r1", seat="1"), position=9) == [
        Amend(rounds, ("r1",), {"last_position": 9})
    ]


def test_a_round_ends_when_its_last_fact_happened_at_the_table() -> None:
    (amend,) = changes(ROUNDS, RoundSettled(round="r1", lines=()))
    assert isinstance(amend, Amend)
    assert amend.values["ended_at"] == AT


@pytest.mark.parametrize(
    ("event", "suspended"),
    [
        (RoundSuspended(round="r1", reason="card on the floor"), True),
        (RoundResumed(round="r1", reason="found"), False),
        (CancellationRequested(round="r1", reason="lost"), False),
    ],
)
def test_a_round_is_suspended_until_it_goes_on_or_is_given_up(event: Event, suspended: bool) -> None:
    (amend,) = changes(ROUNDS, event)
    assert isinstance(amend, Amend)
    assert amend.values["suspended"] is suspended


@pytest.mark.parametrize(
    "event",
    [
        RoundSettled(round="r1", lines=(WON,)),
        PotSettled(round="r1", lines=(WON,), stacks=()),
        RoundCancelled(round="r1", lines=(WON,)),
    ],
)
def test_a_line_is_kept_as_it_was_settled(event: Event) -> None:
    assert changes(ROUND_LINES, event) == [
        Put(
            round_lines,
            {
                "round": "r1",
                "seat": "1",
                "bet": "call",
                "position": 7,
                "happened_at": AT,
                "casino": "tallinn",
                "player": "ann",
                "currency": "EUR",
                "stake_minor": 2000,
                "result": "win",
                "odds": 2,
                "payout_minor": 6000,
                "rule": "two pairs",
                "cut_minor": 5,
                "pooled_minor": 0,
                "paid_by": "house",
            },
        )
    ]


def test_every_winner_of_a_hit_has_a_share() -> None:
    hit = JackpotHit(
        jackpot="royal",
        round="r1",
        cycle=3,
        percent=100,
        base="EUR",
        pool=1000,
        amount=1000,
        buckets=(),
        shares=(Share("1", *ANN, 500, "1", 500), Share("2", "stockholm", "bo", "SEK", 500, "11.4210", 5711)),
        rounding=0,
    )
    first, second = changes(JACKPOT_SHARES, hit)
    assert isinstance(first, Put)
    assert isinstance(second, Put)
    assert first.row["amount_minor"] == 500
    assert second == Put(
        jackpot_shares,
        {
            "position": 7,
            "seat": "2",
            "jackpot": "royal",
            "cycle": 3,
            "percent": 100,
            "round": "r1",
            "casino": "stockholm",
            "player": "bo",
            "currency": "SEK",
            "base_currency": "EUR",
            "share_base_minor": 500,
            "rate": "11.4210",
            "amount_minor": 5711,
            "happened_at": AT,
        },
    )


def test_a_compensation_case_opens_with_the_hand_and_what_is_suggested() -> None:
    event = CompensationOpened(
        case="r1/1", round="r1", **SEAT, hand="flush", cards=("As", "Ks"), suggested=Money(2500, "EUR")
    )
    (put,) = changes(CASES, event)
    assert isinstance(put, Put)
    assert put.table is cases
    assert {name: value for name, value in put.row.items() if value is not None} == {
        "case_id": "r1/1",
        "kind": "compensation",
        "state": "open",
        "round": "r1",
        "seat": "1",
        "casino": "tallinn",
        "player": "ann",
        "currency": "EUR",
        "hand": "flush",
        "cards": "As Ks",
        "suggested_minor": 2500,
        "opened_at": AT,
        "position": 7,
    }


def test_a_dispute_opens_with_what_is_claimed_and_what_is_due() -> None:
    event = DisputeOpened(
        case="r1/1/call", round="r1", **SEAT, bet="call", claimed=Money(700, "EUR"), due=Money(0, "EUR")
    )
    (put,) = changes(CASES, event)
    assert isinstance(put, Put)
    said = {
        name: put.row[name]
        for name in ("kind", "state", "currency", "bet", "claimed_minor", "due_minor", "hand")
    }
    assert said == {
        "kind": "dispute",
        "state": "open",
        "currency": "EUR",
        "bet": "call",
        "claimed_minor": 700,
        "due_minor": 0,
        "hand": None,
    }


def test_names_and_tables_of_projections_are_their_own() -> None:
    tables = [table for projection in PROJECTIONS for table in projection.tables]
    assert len({projection.name for projection in PROJECTIONS}) == len(PROJECTIONS)
    assert len(set(tables)) == len(tables)


def test_projections_want_published_events_only() -> None:
    assert all(set(projection.wants) <= set(EVENTS) for projection in PROJECTIONS)


def test_a_put_row_names_every_column_of_its_table() -> None:
    for put in (
        *changes(ROUNDS, opened()),
        *changes(ROUND_LINES, RoundSettled(round="r1", lines=(WON,))),
    ):
        assert isinstance(put, Put)
        assert list(put.row) == put.table.columns.keys()
