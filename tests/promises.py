"""What must be true of any past whatsoever, however it came about. `check_promises` is asked after every transcript and
after every random play; each promise is a sentence of design.md, requirements.md or FORMAT.md."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import groupby, pairwise
from uuid import UUID

from pure_house import BEGINNING, PureHouse, accounts, bucket_sums, contents, imbalance, replayed

from backoffice.domain.cases.events import (
    CaseEvent,
    CompensationTakenBack,
    CorrectionCarriedOut,
    DebtWrittenOff,
    Kind,
    MoneyMoved,
    ProposalApproved,
    ProposalMade,
    ReversalCarriedOut,
    SeatCaseOpened,
)
from backoffice.domain.cases.opening import THE_TABLE
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event
from backoffice.domain.jackpots.events import FixedPrizesDrawn, JackpotHit, JackpotSeeded
from backoffice.domain.ledger import postings
from backoffice.domain.meters import meter_moves
from backoffice.domain.rounds.events import (
    BlindPlaced,
    JackpotMarked,
    PotSettled,
    RoundCancelled,
    RoundCorrected,
    RoundReversed,
    RoundSettled,
)
from backoffice.domain.rounds.phase import Phase
from backoffice.domain.terms import RESERVE, SEED, reserve_of
from backoffice.log.checked import check
from backoffice.log.codec import Codec
from backoffice.log.envelope import NewEvent

CODEC = Codec(EVENTS)
FINISHED = {Phase.SETTLED, Phase.CANCELLED, Phase.REVERSED}
Owner = tuple[str, str, str]
"""Casino, player, currency."""


def check_promises(house: PureHouse) -> None:
    """Raises AssertionError, naming the promise, where one is broken."""
    for promise in PROMISES:
        promise(house)


def every_event_balances_to_zero(house: PureHouse) -> None:
    """Every event maps to postings that sum to zero in every currency, and in every casino's book."""
    for event in house.events:
        assert not imbalance(event), f"{event.type_name} is out of balance: {imbalance(event)}"


def replay_equals_live(house: PureHouse) -> None:
    """The facts alone, from nothing, give the same states, balances and buckets."""
    assert contents(replayed(house.events)) == contents(house.past), "replay gives another past"


def every_event_survives_its_bytes(house: PureHouse) -> None:
    """An event read back from its bytes is equal, and the log's edge takes those bytes."""
    for version, event in enumerate(house.events, 1):
        data = CODEC.encode(event)
        again = CODEC.decode(event.type_name, event.schema_number, data)
        assert again == event, f"{event.type_name} changes on its way through the log"
        check([_in_envelope(event, version, data)])


def stakes_of_finished_rounds_are_gone(house: PureHouse) -> None:
    """A settled or cancelled round holds no money."""
    balances = accounts(house.events)
    finished = {name for name, state in house.past.rounds.items() if state.phase in FINISHED}
    held = {
        key: minor for key, minor in balances.items() if key[0].kind == "stakes" and key[0].owner in finished
    }
    assert not held, f"finished rounds still hold {held}"


def a_cancelled_round_moved_nobodys_balance(house: PureHouse) -> None:
    """What a cancelled round took from a wallet is what it gave back."""
    for name in {event.round for event in house.events if isinstance(event, RoundCancelled)}:
        moved: Counter[Owner] = Counter()
        for owner, minor in _player_moves(house.events_of(name)):
            moved[owner] += minor
        assert not any(moved.values()), f"cancelled round {name} leaves {moved}"


def a_reversed_round_left_nobody_richer_or_poorer(house: PureHouse) -> None:
    """What a reversed round, its hits and what was paid about them did to a player is undone, but for what became a debt."""
    hanging = {
        event.case: event.round
        for event in house.events
        if isinstance(event, SeatCaseOpened) and event.kind in {Kind.DISPUTE, Kind.LARGE_WIN}
    }
    for name in {name for name, state in house.past.rounds.items() if state.phase is Phase.REVERSED}:
        own = [
            event
            for event in house.events
            if getattr(event, "round", None) == name
            or (isinstance(event, CaseEvent) and hanging.get(event.case) == name)
        ]
        left = {
            (account, currency): minor
            for (account, currency), minor in accounts(own).items()
            if account.kind in {"player", "held", "receivable"}
        }
        owed: Counter[tuple[str, str, str]] = Counter()
        for (account, currency), minor in left.items():
            owed[account.owner, account.holder, currency] += minor
        assert not any(owed.values()), f"reversed round {name} leaves {left}"


def buckets_are_meters_are_accounts(house: PureHouse) -> None:
    """A pool's buckets equal the sum of their meters' moves, and of the postings to its pool and seed accounts."""
    assert house.past.buckets == bucket_sums(house.events), "buckets differ from the meters' moves"
    booked: Counter[tuple[str, str, str]] = Counter()
    for (account, currency), minor in accounts(house.events).items():
        if account.kind == "pool":
            booked[account.owner, account.holder, currency] += minor
        elif account.kind == "reserve":
            booked[reserve_of(account.owner), account.holder, currency] += minor
        elif account.kind == "seed":
            booked[account.owner, SEED, currency] += minor
    held = {
        (jackpot, *bucket): minor
        for jackpot, buckets in house.past.buckets.items()
        for bucket, minor in buckets.items()
        if minor
    }
    assert dict(booked) == held, "buckets differ from the ledger's pool, reserve and seed accounts"


def no_money_of_a_jackpot_is_lost(house: PureHouse) -> None:
    """seed + contributions = paid + refunded + shown + reserve, for each jackpot and bucket (Alderney TS 2.13).

    Said of the facts, not of the meters: what was put in is what marks and seeds say.
    """
    put_in: Counter[tuple[str, str, str]] = Counter()
    for event in house.events:
        match event:
            case JackpotMarked() | BlindPlaced() if event.jackpot is not None:
                put_in[event.jackpot, event.casino, event.stake.currency] += event.contribution
            case RoundCorrected():
                for again in event.stakes:
                    if again.contribution and again.borne_by == "pool":
                        put_in[event.jackpot or "", again.casino, again.stake.currency] += again.contribution
            case JackpotSeeded():
                put_in[event.jackpot, SEED, event.seed.currency] += event.seed.minor
    left: Counter[tuple[str, str, str]] = Counter()
    for event in house.events:
        for move in meter_moves(event):
            left[move.jackpot.removeprefix(RESERVE), move.casino, move.currency] += (
                move.refunded + move.paid_out + move.balance
            )
    assert {key: minor for key, minor in put_in.items() if minor} == {
        key: minor for key, minor in left.items() if minor
    }


def a_reserve_is_never_below_zero(house: PureHouse) -> None:
    """It gives back what it was given and no more; where there is no ceiling it is given nothing."""
    held: Counter[tuple[str, str, str]] = Counter()
    for start, end in pairwise([0, *house.appends]):
        for event in house.events[start:end]:
            for move in meter_moves(event):
                held[move[:3]] += move.balance
        low = {key: minor for key, minor in held.items() if key[0].startswith(RESERVE) and minor < 0}
        assert not low, f"{house.events[start:end]} overdraws {low}"


def shares_sum_to_what_was_won(house: PureHouse) -> None:
    """The shares of a hit sum to the amount won; a full hit empties every bucket, no other hit does more than its amount."""
    for event in house.events:
        if not isinstance(event, JackpotHit):
            continue
        assert sum(share.share_base for share in event.shares) == event.amount
        if event.percent == 100:
            assert all(bucket.taken == bucket.before for bucket in event.buckets)
            assert (
                sum(bucket.base for bucket in event.buckets) == event.pool == event.amount - event.shortfall
            )
        else:
            assert [(bucket.casino, bucket.taken) for bucket in event.buckets] == [(SEED, event.amount)]


def what_the_pool_paid_is_what_the_lines_say(house: PureHouse) -> None:
    """The jackpot lines that the pool pays are, seat by seat, its shares and its fixed prizes."""
    said: Counter[Owner] = Counter()
    paid: Counter[Owner] = Counter()
    for event in house.events:
        match event:
            case RoundSettled(round=name, lines=lines):
                for line in lines:
                    if line.paid_by == "pool":
                        said[name, line.seat, line.currency] += line.payout
            case JackpotHit(round=name, shares=shares):
                for share in shares:
                    paid[name, share.seat, share.currency] += share.amount
            case FixedPrizesDrawn(round=name, prizes=prizes):
                for prize in prizes:
                    paid[name, prize.seat, prize.amount.currency] += prize.amount.minor
    assert said == paid, "what the pool paid is not what the round's lines say"


def a_round_ends_once(house: PureHouse) -> None:
    """A round is settled or cancelled, once; then only a reversal and a correction, in turn, give it another result."""
    ends: dict[str, list[tuple[str, int]]] = {}
    for event in house.events:
        match event:
            case RoundSettled(number=number) | PotSettled(number=number) | RoundReversed(number=number):
                ends.setdefault(event.round, []).append((event.type_name, number))
            case RoundCancelled():
                ends.setdefault(event.round, []).append((event.type_name, 1))
    for name, results in ends.items():
        assert [number for _, number in results] == list(range(1, len(results) + 1)), f"{name}: {results}"
        assert all(one != other for (one, _), (other, _) in pairwise(results)), f"{name}: {results}"


def nobody_is_overdrawn(house: PureHouse) -> None:
    """A player's account never goes below zero: a bet is covered, and what a reversal leaves is a debt."""
    held: Counter[Owner] = Counter()
    for start, end in pairwise([0, *house.appends]):
        for owner, minor in _player_moves(house.events[start:end]):
            held[owner] += minor
        for owner, _ in _player_moves(house.events[start:end]):
            assert held[owner] >= 0, f"{house.events[start:end]} overdraws {owner}"


def debts_are_what_is_receivable(house: PureHouse) -> None:
    """What a player owes stands in the receivable account, and nobody ever repays more than that."""
    booked = {
        (account.owner, account.holder, currency): -minor
        for (account, currency), minor in accounts(house.events).items()
        if account.kind == "receivable"
    }
    owed = {
        (*player, currency): minor
        for player, debts in house.past.debts.items()
        for currency, minor in debts.items()
        if minor
    }
    assert owed == booked
    assert all(minor > 0 for minor in owed.values())


def whatever_is_carried_out_was_approved_by_another(house: PureHouse) -> None:
    """Nothing is done that one person alone wanted; each approved proposal is carried out once, as it stood."""
    decided = [event for event in house.events if isinstance(event, CaseEvent)]
    for case, facts in groupby(sorted(decided, key=lambda event: event.case), key=lambda event: event.case):
        made: dict[int, ProposalMade] = {}
        approved: list[ProposalApproved] = []
        for event in facts:
            match event:
                case ProposalMade():
                    assert event.proposal == len(made) + 1, f"{case}: {event} out of turn"
                    made[event.proposal], approved = event, []
                case ProposalApproved():
                    assert event.proposal == len(made), f"{case}: an old proposal is approved"
                    assert event.by not in {made[event.proposal].by, *(one.by for one in approved)}
                    approved.append(event)
                case CompensationTakenBack():
                    pass
                case MoneyMoved() | ReversalCarriedOut() | CorrectionCarriedOut():
                    assert approved, f"{case}: {event} and nobody approved it"
                    assert approved[-1].final, f"{case}: {event} before the last approval"
                    _check_amount(event, made[len(made)])
                    approved = []


def _check_amount(event: Event, proposal: ProposalMade) -> None:
    if isinstance(event, MoneyMoved):
        assert proposal.amount is not None
        less = isinstance(event, DebtWrittenOff) and event.amount.minor < proposal.amount.minor
        assert less or event.amount == proposal.amount
    assert proposal.by == THE_TABLE or proposal.expires_at is not None


PROMISES: tuple[Callable[[PureHouse], None], ...] = (
    every_event_balances_to_zero,
    replay_equals_live,
    every_event_survives_its_bytes,
    stakes_of_finished_rounds_are_gone,
    a_cancelled_round_moved_nobodys_balance,
    a_reversed_round_left_nobody_richer_or_poorer,
    buckets_are_meters_are_accounts,
    no_money_of_a_jackpot_is_lost,
    a_reserve_is_never_below_zero,
    shares_sum_to_what_was_won,
    what_the_pool_paid_is_what_the_lines_say,
    a_round_ends_once,
    nobody_is_overdrawn,
    debts_are_what_is_receivable,
    whatever_is_carried_out_was_approved_by_another,
)


def _player_moves(events: Iterable[Event]) -> Iterator[tuple[Owner, int]]:
    for event in events:
        for account, currency, minor in postings(event):
            if account.kind == "player":
                yield (account.owner, account.holder, currency), minor


def _in_envelope(event: Event, version: int, data: bytes) -> NewEvent:
    return NewEvent(
        event_id=UUID(int=version),
        stream=event.stream,
        version=version,
        type=event.type_name,
        schema=event.schema_number,
        happened_at=BEGINNING,
        actor="table",
        cause=None,
        correlation=None,
        data=data,
    )
