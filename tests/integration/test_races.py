"""Two decisions about one round, or one case, at the same moment, through two processes' front doors: one of them is made.

Two group commits on one database, each with a memory of its own, take what many threads hand in; each pair is handed in
together, one half at each door. A thousand rounds in all.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import chain
from typing import Any

import pytest
from front_door import a_handler, action, deposit, founding, opened, staff, tallinn
from sqlalchemy import Engine

from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Accepted, Declined, Outcome, Request
from backoffice.bootstrap import CODEC
from backoffice.domain.cases.commands import Approve, OpenCase, Propose, RequestReversal
from backoffice.domain.ledger import postings
from backoffice.log.postgres import PostgresLog
from backoffice.log.verification import verify_log
from backoffice.projections.projector import Projector

ROUNDS = 125
THREADS = 24
Doors = tuple[GroupCommit, GroupCommit]
Half = list[Request]


@pytest.fixture
def doors(engine: Engine) -> Iterator[Doors]:
    """The front doors of two processes."""
    with GroupCommit(a_handler(engine)) as one, GroupCommit(a_handler(engine)) as other:
        accepted(one.submit([founding()]).result())
        yield one, other


def accepted(outcomes: Sequence[Outcome]) -> None:
    assert all(isinstance(outcome, Accepted) for outcome in outcomes), outcomes


def play(name: str, upto: str) -> list[Request]:
    """A round of one player's with a full house and a mark, as far as an action; the call is the player's."""
    at, player = {"round": name}, f"p-{name}"
    hands = {"1": ["8s", "8h", "8d", "4c", "4s"]}
    whole = {
        "open": opened(name),
        "ante": action("ante", **at, seat="1", **tallinn(player), amount="20.00"),
        "mark": action("mark", **at, seat="1"),
        "close": action("close", **at),
        "deal": action("deal", **at, hands=hands, up="Kd"),
        "call": action("call", **at, seat="1"),
        "reveal": action("reveal", **at, dealer=["Kd", "Kc", "3h", "5s", "7d"]),
        "settle": action("settle", **at, payouts={"1": {"call": "1000.00"}}),
    }
    steps = list(whole)[: list(whole).index(upto) + 1]
    return [deposit(player, "100.00"), *(whole[step] for step in steps)]


def prepare(doors: Doors, upto: str, more: Callable[[str], list[Request]] = lambda _: []) -> list[str]:
    names = [f"r-{number:03}" for number in range(ROUNDS)]
    whole = list(chain.from_iterable([*play(name, upto), *more(name)] for name in names))
    accepted(doors[0].submit(whole).result())
    return names


def race(doors: Doors, names: Sequence[str], *halves: Callable[[str], Half]) -> list[tuple[bool, ...]]:
    """Both halves of every pair at once, each at its own door, now this one first, now that one; which were accepted."""

    def run(index: int) -> tuple[bool, ...]:
        asked = [(door, half(names[index])) for door, half in zip(doors, halves, strict=True)]
        first, second = (0, 1) if index % 2 else (1, 0)
        pending = {first: asked[first][0].submit(asked[first][1])}
        if index < 2:
            pending[first].result()  # either order comes once for certain, however the threads run
        pending[second] = asked[second][0].submit(asked[second][1])
        answers = [pending[which].result() for which in range(2)]
        return tuple(all(isinstance(one, Accepted) for one in answer) for answer in answers)

    with ThreadPoolExecutor(THREADS) as threads:
        return list(threads.map(run, range(len(names))))


def table(do: str, **fields: Any) -> Callable[[str], Half]:
    return lambda name: [action(do, round=name, **fields)]


def approve(case: str, by: str) -> Callable[[str], Half]:
    return lambda name: [staff(Approve, by, case=case.format(name), proposal=1)]


def check_books(engine: Engine, names: Sequence[str]) -> Counter[str]:
    """The chain is whole, every event balances, nothing is left at stake, tables are what the log says; what happened."""
    log = PostgresLog(engine)
    assert verify_log(log) is None
    stakes: Counter[str] = Counter()
    happened: Counter[str] = Counter()
    for recorded in log.read():
        event = CODEC.decode(recorded.type, recorded.schema, recorded.data)
        happened[recorded.type] += 1
        assert not sum(minor for _, _, minor in postings(event))  # all in euro here
        for account, _, minor in postings(event):
            if account.kind == "stakes":
                stakes[account.owner] += minor
    assert not any(stakes.values())
    projector = Projector(engine, CODEC)
    projector.catch_up()
    assert list(projector.compare()) == []
    return happened


def test_a_round_is_settled_or_cancelled(engine: Engine, doors: Doors) -> None:
    names = prepare(doors, "reveal")
    won = race(doors, names, table("settle"), table("cancel", reason="misdeal"))
    assert set(won) == {(True, False), (False, True)}
    happened = check_books(engine, names)
    settled = sum(settled for settled, _ in won)
    assert (happened["round.settled"], happened["round.cancelled"]) == (settled, ROUNDS - settled)
    assert happened["case.compensation_opened"] == ROUNDS - settled


def test_a_round_is_cancelled_once(engine: Engine, doors: Doors) -> None:
    names = prepare(doors, "call")
    won = race(doors, names, table("cancel", reason="misdeal"), table("cancel", reason="misdeal"))
    assert all(sum(pair) == 1 for pair in won)
    assert check_books(engine, names)["round.cancelled"] == ROUNDS


def test_a_late_action_comes_before_the_cancellation_or_not_at_all(engine: Engine, doors: Doors) -> None:
    names = prepare(doors, "deal")
    won = race(doors, names, table("call", seat="1"), table("cancel", reason="misdeal"))
    assert all(cancelled for _, cancelled in won)
    called = sum(called for called, _ in won)
    assert 0 < called < ROUNDS
    happened = check_books(engine, names)
    assert (happened["round.hand_called"], happened["round.cancelled"]) == (called, ROUNDS)


def test_a_hand_is_compensated_by_the_case_of_its_cancelled_round_only(engine: Engine, doors: Doors) -> None:
    def claim(name: str) -> Half:
        hand = {"grounds": "jackpot hand not paid", "reason": "a full house", "round": name}
        return [staff(OpenCase, "mia", **tallinn(f"p-{name}"), **hand)]

    names = prepare(doors, "deal")
    assert set(race(doors, names, claim, table("cancel", reason="misdeal"))) == {(False, True)}
    happened = check_books(engine, names)
    assert (happened["case.claim_opened"], happened["case.compensation_opened"]) == (0, ROUNDS)


def proposed(name: str) -> list[Request]:
    """The dispute about the call, with the difference proposed."""
    case = f"dispute/{name}/1/call"
    return [staff(Propose, "mia", case=case, amount="560.00", reason="the table has paid it")]


def test_a_proposal_is_approved_once(engine: Engine, doors: Doors) -> None:
    names = prepare(doors, "settle", proposed)
    won = race(doors, names, approve("dispute/{}/1/call", "otto"), approve("dispute/{}/1/call", "nina"))
    assert all(sum(pair) == 1 for pair in won)
    happened = check_books(engine, names)
    assert (happened["case.proposal_approved"], happened["case.compensation_paid"]) == (ROUNDS, ROUNDS)


def test_a_proposal_is_approved_or_changed(engine: Engine, doors: Doors) -> None:
    def change(name: str) -> Half:
        return [staff(Propose, "nina", case=f"dispute/{name}/1/call", amount="0", reason="it has not")]

    names = prepare(doors, "settle", proposed)
    won = race(doors, names, approve("dispute/{}/1/call", "otto"), change)
    assert all(sum(pair) == 1 for pair in won)
    assert check_books(engine, names)["case.compensation_paid"] == sum(approved for approved, _ in won)


def test_a_disputed_payout_waits_for_the_reversal_that_is_asked_for(engine: Engine, doors: Doors) -> None:
    def asked(name: str) -> list[Request]:
        return [*proposed(name), staff(RequestReversal, "mia", round=name, reason="misdeal")]

    names = prepare(doors, "settle", asked)
    won = race(doors, names, approve("dispute/{}/1/call", "otto"), approve("reversal/{}", "otto"))
    assert set(won) == {(False, True)}
    happened = check_books(engine, names)
    assert (happened["case.compensation_paid"], happened["case.voided"]) == (0, ROUNDS)
    check_nobody_gained(engine)


def test_paid_and_taken_back_or_never_paid_it_comes_to_the_same(engine: Engine, doors: Doors) -> None:
    """Here the reversal is asked for, and approved, while the dispute is approved."""

    def reverse(name: str) -> Half:
        asked = staff(RequestReversal, "mia", round=name, reason="misdeal")
        return [asked, staff(Approve, "nina", case=f"reversal/{name}", proposal=1)]

    names = prepare(doors, "settle", proposed)
    won = race(doors, names, approve("dispute/{}/1/call", "otto"), reverse)
    paid = sum(paid for paid, _ in won)
    assert all(reversed_round for _, reversed_round in won)
    happened = check_books(engine, names)
    assert happened["case.compensation_paid"] == happened["case.compensation_taken_back"] == paid
    assert happened["case.voided"] == ROUNDS - paid
    check_nobody_gained(engine)


def check_nobody_gained(engine: Engine) -> None:
    """Everyone has what was brought."""
    with engine.connect() as connection:
        held = connection.exec_driver_sql("select distinct balance_minor from read.balances").scalars().all()
    assert held == [10_000]


def test_what_is_refused_says_why(engine: Engine, doors: Doors) -> None:
    prepare(doors, "reveal")
    (settled,) = doors[0].submit(table("settle")("r-000")).result()
    (late,) = doors[1].submit(table("cancel", reason="misdeal")("r-000")).result()
    assert isinstance(settled, Accepted)
    assert isinstance(late, Declined)
    assert late.reason == (
        "the round is settled: reversing it needs an operator's request and a second person's approval"
    )
