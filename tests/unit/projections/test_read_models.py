"""What facts come to in each read model."""

from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from backoffice.domain.cases.events import (
    CaseDismissed,
    CaseEvent,
    CaseVoided,
    ClaimOpened,
    CompensationOpened,
    CompensationPaid,
    CompensationTakenBack,
    CorrectionCarriedOut,
    CorrectionRequested,
    DebtWrittenOff,
    DisputeOpened,
    LargeWinHeld,
    LargeWinReleased,
    ProposalApproved,
    ProposalMade,
    ProposalRefused,
    ReversalCarriedOut,
    ReversalRequested,
    WriteOffRequested,
)
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import JackpotHit, JackpotHitReversed, JackpotSeeded, Share
from backoffice.domain.rounds.events import (
    AntePlaced,
    BettingClosed,
    CancellationRequested,
    CardExchanged,
    DealerRevealed,
    HandFolded,
    HandsDealt,
    HandShown,
    JackpotMarked,
    Line,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
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
from backoffice.projections.cases import CASES, case_casinos, cases
from backoffice.projections.catalogue import HALVES, PROJECTIONS
from backoffice.projections.changes import Add, Amend, Change, Keep, Put
from backoffice.projections.fact import Fact
from backoffice.projections.jackpot_meters import JACKPOT_METERS, jackpot_meters
from backoffice.projections.jackpot_shares import JACKPOT_SHARES, jackpot_shares
from backoffice.projections.projection import Projection
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import DEALER, ROUNDS, round_casinos, round_hands, round_players, rounds

AT = datetime(2026, 3, 1, 20, 15, tzinfo=UTC)
ANN = ("tallinn", "ann", "EUR")
SEAT: dict[str, Any] = {"seat": "1", "casino": "tallinn", "player": "ann"}
WON = Line("1", *ANN, "call", 2000, "win", 6000, "two pairs", odds=2, cut=5)
LOST = Line("1", *ANN, "jackpot", 100, "lose", 0, "no jackpot prize", pooled=70, paid_by="pool")


def changes(projection: Projection, event: Event, position: int = 7) -> list[Change]:
    assert type(event) in projection.wants
    return list(projection.changes(Fact(position, AT, AT, event)))


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
        ),
        Put(round_casinos, {"round": "r1", "casino": "tallinn", "opened_at": AT, "position": 7}),
    ]


def test_a_pot_game_begins_with_the_seating() -> None:
    stud = StudTerms("EUR", small=100, big=200, ante=10, bring_in=50)
    put, _ = changes(ROUNDS, opened(ruleset="five-card-stud/1", stud=stud))
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


def test_who_stakes_in_a_round_is_found_by_the_first_stake() -> None:
    ante = AntePlaced(round="r1", **SEAT, stake=Money(500, "EUR"))
    joined = {"round": "r1", "casino": "tallinn", "player": "ann", "joined_at": AT, "position": 7}
    assert changes(ROUNDS, ante) == [
        Amend(rounds, ("r1",), {"last_position": 7}),
        Keep(round_players, joined),
    ]


FULL_HOUSE = ("Ts", "As", "Td", "Ah", "Th")


@pytest.mark.parametrize(
    ("event", "seats"),
    [
        (HandsDealt(round="r1", hands={"1": FULL_HOUSE, "2": FULL_HOUSE[:4]}, up="2c"), ["1"]),
        (CardExchanged(round="r1", **SEAT, stake=Money(5, "EUR"), discard="2c", draw="Ts", hand=FULL_HOUSE), ["1"]),
        (CardExchanged(round="r1", **SEAT, stake=Money(5, "EUR"), discard="2c", draw="Ts"), []),
        (HandShown(round="r1", seat="1", cards=FULL_HOUSE), ["1"]),
        (DealerRevealed(round="r1", dealer=FULL_HOUSE), [DEALER]),
        (RoundCorrected(round="r1", number=2, stakes=(), hands={"1": FULL_HOUSE}), ["1"]),
    ],
)  # fmt: skip
def test_a_hand_of_five_cards_is_found_by_its_name_and_its_cards(event: Event, seats: list[str]) -> None:
    puts = [change.row for change in changes(ROUNDS, event) if change.table is round_hands]
    assert puts == [
        {
            "round": "r1",
            "seat": seat,
            "position": 7,
            "hand": "full house",
            "cards": "As Ah Ts Th Td",
            "happened_at": AT,
        }
        for seat in seats
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
                "number": 1,
                "replaced_at": None,
            },
        )
    ]


def test_a_reversal_refunds_every_bet_and_what_was_settled_holds_no_longer() -> None:
    replaced, refund = changes(ROUND_LINES, RoundReversed(round="r1", lines=(WON,), number=2))
    assert replaced == Amend(round_lines, ("r1", "1", "call", 1), {"replaced_at": AT})
    assert isinstance(refund, Put)
    told = ("number", "stake_minor", "result", "odds", "payout_minor", "cut_minor", "replaced_at")
    assert [refund.row[name] for name in told] == [2, 2000, "refund", None, 2000, 0, None]


def test_a_correction_takes_the_refunds_place_and_is_settled_anew() -> None:
    again = TakenBack("1", "tallinn", "ann", "call", Money(2000, "EUR"))
    corrected = RoundCorrected(round="r1", number=2, stakes=(again,), hands={})
    assert changes(ROUND_LINES, corrected) == [
        Amend(round_lines, ("r1", "1", "call", 2), {"replaced_at": AT})
    ]
    (put,) = changes(ROUND_LINES, RoundSettled(round="r1", lines=(WON,), number=3))
    assert isinstance(put, Put)
    assert put.row["number"] == 3


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
            "round": "r1",
            "seat": "2",
            "percent": 100,
            "number": 1,
            "position": 7,
            "jackpot": "royal",
            "cycle": 3,
            "casino": "stockholm",
            "player": "bo",
            "currency": "SEK",
            "base_currency": "EUR",
            "share_base_minor": 500,
            "rate": "11.4210",
            "amount_minor": 5711,
            "happened_at": AT,
            "reversed_at": None,
        },
    )


def test_the_shares_of_a_reversed_hit_say_so() -> None:
    share = Share("2", "stockholm", "bo", "SEK", 500, "11.4210", 5711)
    taken_back = JackpotHitReversed(
        jackpot="royal",
        round="r1",
        cycle=3,
        percent=10,
        base="EUR",
        buckets=(),
        shares=(share,),
        rounding=0,
        number=3,
    )
    assert changes(JACKPOT_SHARES, taken_back) == [
        Amend(jackpot_shares, ("r1", "2", 10, 3), {"reversed_at": AT})
    ]


def case_row(event: CaseEvent) -> dict[str, Any]:
    """What an opening puts, without what is empty."""
    put, *casinos = changes(CASES, event)
    assert isinstance(put, Put)
    assert all(isinstance(one, Put) and one.table is case_casinos for one in casinos)
    same = {"case_id": "c", "standing": "open", "opened_at": AT, "position": 7, "last_position": 7}
    said = {name: value for name, value in put.row.items() if value is not None}
    assert same.items() <= said.items()
    return {name: value for name, value in said.items() if name not in same}


def test_a_case_opens_with_what_is_known_of_it() -> None:
    about = {"round": "r1", **SEAT}
    suggested = Money(2500, "EUR")
    assert case_row(
        CompensationOpened(case="c", **about, hand="flush", cards=("As", "Ks"), suggested=suggested)
    ) == {
        **about,
        "kind": "compensation",
        "currency": "EUR",
        "hand": "flush",
        "cards": "As Ks",
        "suggested_minor": 2500,
    }
    claimed, due = Money(700, "EUR"), Money(0, "EUR")
    assert case_row(DisputeOpened(case="c", **about, bet="call", claimed=claimed, due=due)) == {
        **about,
        "kind": "dispute",
        "currency": "EUR",
        "bet": "call",
        "claimed_minor": 700,
        "due_minor": 0,
    }
    assert case_row(LargeWinHeld(case="c", **about, jackpot="royal", held=Money(5, "EUR"))) == {
        **about,
        "kind": "large-win",
        "currency": "EUR",
        "jackpot": "royal",
        "held_minor": 5,
    }
    by = {"by": "mia", "reason": "late"}
    opened = {"opened_by": "mia", "reason": "late"}
    player = {"casino": "tallinn", "player": "ann"}
    assert case_row(ClaimOpened(case="c", **player, currency="EUR", grounds="goodwill", **by)) == {
        **player,
        **opened,
        "kind": "claim",
        "currency": "EUR",
        "grounds": "goodwill",
    }
    assert case_row(WriteOffRequested(case="c", **player, amount=Money(9, "EUR"), **by)) == {
        **player,
        **opened,
        "kind": "write-off",
        "currency": "EUR",
        "asked_minor": 9,
    }
    casinos = ("riga", "tallinn")
    for kind, event in (
        ("reversal", ReversalRequested(case="c", round="r1", casinos=casinos, **by)),
        ("correction", CorrectionRequested(case="c", round="r1", casinos=casinos, **by)),
    ):
        assert case_row(event) == {"kind": kind, "round": "r1", **opened}
        _, *whose = changes(CASES, event)
        assert [one.row["casino"] for one in whose if isinstance(one, Put)] == list(casinos)


def amended(event: CaseEvent) -> dict[str, Any]:
    (amend,) = changes(CASES, event, position=9)
    assert isinstance(amend, Amend)
    assert amend[:2] == (cases, ("c",))
    assert amend.values["last_position"] == 9
    return {name: value for name, value in amend.values.items() if name != "last_position"}


def test_a_proposal_stands_with_all_about_it_and_nothing_is_decided() -> None:
    later = AT + timedelta(hours=72)
    made = ProposalMade(
        case="c", proposal=2, amount=Money(100, "EUR"), reason="so", by="mia", expires_at=later
    )
    assert amended(made) == {
        "standing": "proposed",
        "proposal": 2,
        "proposed_minor": 100,
        "proposed_by": "mia",
        "proposed_at": AT,
        "proposed_because": "so",
        "expires_at": later,
        **dict.fromkeys(("seconded_by", "decision", "decided_by", "decided_at", "decided_because")),
        **dict.fromkeys(("outcome", "closed_at")),
    }


def test_a_case_is_seconded_approved_or_refused_by_somebody() -> None:
    seconded = ProposalApproved(case="c", proposal=1, by="otto", role="shift_manager", final=False)
    assert amended(seconded) == {"seconded_by": "otto"}
    assert amended(replace(seconded, final=True)) == {
        "standing": "approved",
        "decision": "approved",
        "decided_by": "otto",
        "decided_at": AT,
    }
    assert amended(ProposalRefused(case="c", proposal=1, by="otto", reason="no")) == {
        "standing": "open",
        "decision": "refused",
        "decided_by": "otto",
        "decided_at": AT,
        "decided_because": "no",
    }


MOVED: dict[str, Any] = {"case": "c", "casino": "tallinn", "player": "ann", "amount": Money(70, "EUR")}


@pytest.mark.parametrize(
    ("event", "outcome", "moved"),
    [
        (CaseDismissed(case="c"), "dismissed", {}),
        (CaseVoided(case="c", reason="the round was reversed"), "void", {}),
        (CompensationPaid(**MOVED), "paid", {"moved_minor": 70}),
        (LargeWinReleased(**MOVED), "released", {"moved_minor": 70}),
        (DebtWrittenOff(**MOVED), "written off", {"moved_minor": 70}),
        (ReversalCarriedOut(case="c", round="r1"), "carried out", {}),
        (CorrectionCarriedOut(case="c", round="r1"), "carried out", {}),
    ],
)
def test_a_case_is_closed_with_its_outcome(event: CaseEvent, outcome: str, moved: dict[str, int]) -> None:
    assert amended(event) == {"standing": "closed", "outcome": outcome, "closed_at": AT, **moved}


def test_what_was_paid_and_taken_back_is_not_paid() -> None:
    assert amended(CompensationTakenBack(**MOVED)) == {"outcome": "taken back", "moved_minor": 0}


def test_every_fact_of_a_case_is_told() -> None:
    assert set(CASES.wants) == {kind for kind in EVENTS if issubclass(kind, CaseEvent)}


def test_names_and_tables_of_projections_are_their_own() -> None:
    tables = [table for projection in PROJECTIONS for table in projection.tables]
    assert len({projection.name for projection in PROJECTIONS}) == len(PROJECTIONS)
    assert len(set(tables)) == len(tables)


def test_two_halves_are_all_of_them() -> None:
    assert Counter(projection.name for half in HALVES for projection in half) == Counter(
        projection.name for projection in PROJECTIONS
    )


def test_projections_want_published_events_only() -> None:
    assert all(set(projection.wants) <= set(EVENTS) for projection in PROJECTIONS)


def test_a_put_row_names_every_column_of_its_table() -> None:
    for put in (
        *changes(ROUNDS, opened()),
        *changes(ROUND_LINES, RoundSettled(round="r1", lines=(WON,))),
    ):
        assert isinstance(put, Put)
        assert list(put.row) == put.table.columns.keys()
