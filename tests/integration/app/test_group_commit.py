"""Callers of many threads share commits; each is answered as if it were alone."""

import random
import threading
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial

import pytest
from front_door import (
    ROUND_COSTS_MINOR,
    a_handler,
    action,
    balance,
    deposit,
    differences,
    events,
    founding,
    names,
    opened,
    rows,
    take,
    tallinn,
    types,
    whole_round,
    withdraw,
)
from sqlalchemy import Connection, Engine, text

from backoffice.app import handle
from backoffice.app.group_commit import Closed, GroupCommit
from backoffice.app.requests import Accepted, Declined, Outcome, Repeated, Request
from backoffice.db import make_engine
from backoffice.log.postgres import PostgresLog
from backoffice.log.verification import verify_log

THREADS = 32


@pytest.fixture(autouse=True)
def _founded(engine: Engine) -> None:
    take(a_handler(engine), founding())


def from_threads(each: Iterable[Callable[[], object]]) -> None:
    """All at once, each in a thread; raises what one raised."""
    works = list(each)
    together = threading.Barrier(len(works))

    def one(work: Callable[[], object]) -> None:
        together.wait()
        work()

    with ThreadPoolExecutor(len(works)) as threads:
        for done in [threads.submit(one, work) for work in works]:
            done.result()


def held(group: GroupCommit, engine: Engine) -> Callable[[Callable[[], object]], None]:
    """Hand things in while the log is locked by somebody else, so that they all wait and are gathered."""

    def hand_in(work: Callable[[], object]) -> None:
        with PostgresLog(engine).writing():
            first = group.submit([])  # takes the thread to the lock
            while first.running() is False:
                pass
            work()

    return hand_in


def test_many_threads_each_play_their_own_round(engine: Engine) -> None:
    players = list(names("p", THREADS))
    answers: dict[str, list[Outcome]] = {}

    def play(group: GroupCommit, player: str) -> None:
        asked = [deposit(player), *whole_round(f"of-{player}", player)]
        answers[player] = [group.handle(request) for request in asked]

    with GroupCommit(a_handler(engine)) as group:
        from_threads(partial(play, group, player) for player in players)

    written = {one.position: one for one in events(engine)}
    for player in players:
        first, *others = answers[player]
        assert isinstance(first, Accepted)
        assert player.encode() in written[first.first_position].data
        for answer in others:
            assert isinstance(answer, Accepted)
            assert written[answer.first_position].stream == f"round/of-{player}"
        assert types(engine, f"round/of-{player}")[-1] == "round.settled"
        assert balance(engine, player) == 100_000_000 - ROUND_COSTS_MINOR
    assert sorted(written) == list(range(1, len(written) + 1))
    assert verify_log(PostgresLog(engine)) is None
    assert differences(engine) == []


def test_callers_share_commits(engine: Engine) -> None:
    """What waited while one commit was made is in the next one, all of it, under one time of the log."""
    with GroupCommit(a_handler(engine)) as group:
        waiting: list[Future[list[Outcome]]] = []
        held(group, engine)(lambda: waiting.extend(group.submit([deposit(name)]) for name in names("p", 50)))
        for one in waiting:
            assert isinstance(one.result()[0], Accepted)
    assert len({one.recorded_at for one in events(engine, "wallet/tallinn")}) == 1


def test_a_commit_has_its_most_and_the_rest_is_next(engine: Engine) -> None:
    with GroupCommit(a_handler(engine), most=20) as group:
        waiting: list[Future[list[Outcome]]] = []
        held(group, engine)(lambda: waiting.extend(group.submit([deposit(name)]) for name in names("p", 50)))
        for one in waiting:
            one.result()
    assert len({one.recorded_at for one in events(engine, "wallet/tallinn")}) == 3


def test_requests_of_one_caller_are_decided_in_their_order(engine: Engine) -> None:
    with GroupCommit(a_handler(engine)) as group:
        waiting = [group.submit([deposit("ann", "5.00"), withdraw("ann", "5.00")]) for _ in range(20)]
        for one in waiting:
            assert [type(outcome) for outcome in one.result()] == [Accepted, Accepted]
    assert balance(engine, "ann") == 0


def test_a_refusal_touches_nobody_else(engine: Engine) -> None:
    def spend(group: GroupCommit, player: str) -> None:
        assert isinstance(group.handle(deposit(player, "1.00")), Accepted)
        for _ in range(5):
            assert isinstance(group.handle(withdraw(player, "2.00")), Declined)
        assert isinstance(group.handle(withdraw(player, "1.00")), Accepted)

    with GroupCommit(a_handler(engine)) as group:
        from_threads(partial(spend, group, player) for player in names("p", 16))
    assert rows(engine, "select count(*), count(distinct key) from intake.refusals") == [(80, 80)]
    assert rows(engine, "select distinct balance_minor from read.balances") == [(0,)]


def crash_on(monkeypatch: pytest.MonkeyPatch, player: str) -> None:
    """A bug: deciding anything of this player raises what nobody anticipated."""
    real = handle.decide

    def buggy(past: object, command: object) -> object:
        if getattr(command, "player", None) == player:
            raise ZeroDivisionError("of all things")
        return real(past, command)  # type: ignore[arg-type]

    monkeypatch.setattr(handle, "decide", buggy)


def test_a_bug_is_told_to_whoever_met_it_and_to_nobody_else(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_on(monkeypatch, "p-7")
    with GroupCommit(a_handler(engine)) as group:
        waiting: dict[str, Future[list[Outcome]]] = {}
        held(group, engine)(
            lambda: waiting.update((name, group.submit([deposit(name, "1.00")])) for name in names("p", 20))
        )
        with pytest.raises(ZeroDivisionError, match="of all things") as crash:
            waiting.pop("p-7").result()
        assert any("p-7" in note for note in crash.value.__notes__)
        for one in waiting.values():
            assert isinstance(one.result()[0], Accepted)
        monkeypatch.undo()
        assert isinstance(group.handle(deposit("p-7", "1.00")), Accepted)
    assert rows(engine, "select count(*), min(balance_minor), max(balance_minor) from read.balances") == [
        (20, 100, 100)
    ]


def test_of_what_a_caller_hands_in_together_all_or_nothing_is_written(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    crash_on(monkeypatch, "bad")
    with GroupCommit(a_handler(engine)) as group:
        waiting = group.submit([deposit("ann"), deposit("bad"), deposit("bob")])
        with pytest.raises(ZeroDivisionError):
            waiting.result()
    assert events(engine, "wallet/tallinn") == []


def test_rows_beside_that_cannot_be_written_fail_their_own_caller_alone(engine: Engine) -> None:
    def failing(_connection: Connection, _outcomes: Sequence[Outcome]) -> None:
        raise LookupError("no such import")

    seen: list[Outcome] = []
    with GroupCommit(a_handler(engine)) as group:
        waiting: list[Future[list[Outcome]]] = []

        def hand_in() -> None:
            waiting.append(group.submit([deposit("ann")]))
            waiting.append(group.submit([deposit("bob")], failing))
            waiting.append(group.submit([deposit("cid")], lambda _, outcomes: seen.extend(outcomes)))

        held(group, engine)(hand_in)
        with pytest.raises(LookupError, match="no such import"):
            waiting.pop(1).result()
        answers = [one.result()[0] for one in waiting]
    assert seen[-1] == answers[1]
    assert [balance(engine, name) for name in ("ann", "bob", "cid")] == [100_000_000, 0, 100_000_000]


def test_who_has_an_answer_does_not_wait_any_more(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[int] = []
    with GroupCommit(a_handler(engine)) as group:

        def count(_: object) -> None:
            counted.append(group.waiting)

        def submit(*requests: Request) -> Future[list[Outcome]]:
            answer = group.submit(requests)
            answer.add_done_callback(count)  # called in the moment of the answer, by the thread that gives it
            return answer

        def hand_in() -> None:
            submit(deposit("ann"), deposit("bob"))
            submit(deposit("cid")).cancel()
            submit(deposit("dan"))

        held(group, engine)(hand_in)
        submit(deposit("eve")).result()
        monkeypatch.setattr(handle, "decide", _fail)
        with pytest.raises(ZeroDivisionError):
            submit(deposit("fay"), deposit("gus")).result()
    assert counted[0] == 3  # called off, and not looked at yet by the thread that commits
    assert counted[1:] == [0] * 4


def _fail(*_: object) -> None:
    raise ZeroDivisionError


def test_a_row_that_the_database_refuses_fails_its_own_caller_alone(engine: Engine) -> None:
    def failing(connection: Connection, _outcomes: Sequence[Outcome]) -> None:
        connection.execute(text("select 1 / 0"))

    with GroupCommit(a_handler(engine)) as group:
        waiting: list[Future[list[Outcome]]] = []
        held(group, engine)(
            lambda: waiting.extend([group.submit([deposit("ann")], failing), group.submit([deposit("bob")])])
        )
        assert isinstance(waiting[1].result()[0], Accepted)
        assert "division by zero" in str(waiting[0].exception())
    assert balance(engine, "ann") == 0


def test_a_caller_who_went_away_stops_nobody(engine: Engine) -> None:
    """A browser was closed while its request waited; the thread that would have answered it lives on."""
    with GroupCommit(a_handler(engine)) as group:
        waiting: list[Future[list[Outcome]]] = []

        def hand_in() -> None:
            waiting.extend(group.submit([deposit(name)]) for name in ("ann", "bob"))
            assert waiting[0].cancel()

        held(group, engine)(hand_in)
        assert isinstance(waiting[1].result()[0], Accepted)
        assert isinstance(group.handle(deposit("cid")), Accepted)
    assert balance(engine, "ann") == 0


def test_leaving_finishes_what_was_handed_in(engine: Engine) -> None:
    with GroupCommit(a_handler(engine)) as group:
        waiting = [group.submit([deposit(name)]) for name in names("p", 100)]
    assert all(one.done() for one in waiting)
    assert rows(engine, "select count(*) from read.balances") == [(100,)]


def test_a_closed_door_is_closed(engine: Engine) -> None:
    """Nobody waits for ever for an answer that nobody gives."""
    group = GroupCommit(a_handler(engine))
    with pytest.raises(Closed):
        group.submit([deposit("ann")])
    with group:
        group.handle(deposit("ann"))
    with pytest.raises(Closed):
        group.submit([deposit("ann")])


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_when_its_thread_is_ended_everyone_who_waits_is_told(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    def ended(*_: object) -> None:
        raise SystemExit

    monkeypatch.setattr(handle, "decide", ended)
    with GroupCommit(a_handler(engine), most=1) as group:
        waiting: list[Future[list[Outcome]]] = []
        held(group, engine)(lambda: waiting.extend(group.submit([deposit(name)]) for name in ("ann", "bob")))
        with pytest.raises(SystemExit):
            waiting[0].result()
        with pytest.raises(Closed):
            waiting[1].result()


def test_no_wallet_is_overdrawn_however_many_stake_from_it_at_once(engine: Engine) -> None:
    """Two processes, sixteen threads each, one wallet that covers a third of what they stake."""
    stakes, each = 48, "20.00"
    with Pair(engine) as (one, other):
        one.handle(deposit("ann", "320.00"))
        for number in range(stakes):
            one.handle(opened(f"r-{number}"))
        outcomes: list[Outcome] = []
        todo = list(range(stakes))
        random.Random(7).shuffle(todo)  # noqa: S311 - the same every time

        def stake(group: GroupCommit, numbers: list[int]) -> None:
            for number in numbers:
                ante = action("ante", round=f"r-{number}", seat="1", **tallinn("ann"), amount=each)
                outcomes.append(group.handle(ante))

        works = enumerate([one, other] * 8)
        from_threads(partial(stake, group, todo[thread::16]) for thread, group in works)
    assert sum(isinstance(outcome, Accepted) for outcome in outcomes) == 16
    assert all(outcome.rule == "cover" for outcome in outcomes if isinstance(outcome, Declined))
    assert balance(engine, "ann") == 0
    assert differences(engine) == []


class Pair:
    """Two processes on one database, each with its own connections and memory."""

    def __init__(self, engine: Engine) -> None:
        self.engines = [make_engine(engine.url), make_engine(engine.url)]
        self.groups = [GroupCommit(a_handler(one)) for one in self.engines]

    def __enter__(self) -> list[GroupCommit]:
        return [group.__enter__() for group in self.groups]

    def __exit__(self, *_: object) -> None:
        for group, engine in zip(self.groups, self.engines, strict=True):
            group.__exit__()
            engine.dispose()


def test_the_same_request_through_two_processes_at_once_counts_once(engine: Engine) -> None:
    def send(group: GroupCommit, request: Request, answers: list[Outcome]) -> None:
        answers.append(group.handle(request))

    with Pair(engine) as groups:
        for number in range(10):
            request = deposit("ann", "1.00", id=f"x-{number}")
            answers: list[Outcome] = []
            from_threads(partial(send, group, request, answers) for group in groups * 4)
            assert sorted(type(one).__name__ for one in answers) == ["Accepted"] + ["Repeated"] * 7
            taken = [one for one in answers if isinstance(one, Accepted | Repeated)]
            assert len({(one.first_position, one.last_position) for one in taken}) == 1
    assert balance(engine, "ann") == 1000


def test_two_processes_play_one_table_and_agree(engine: Engine) -> None:
    """Every action is sent twice to both at once: a table whose connection stutters."""
    requests: list[Request] = [deposit("ann"), *whole_round("r-1", "ann"), *whole_round("r-2", "ann")]
    with Pair(engine) as groups:
        for request in requests:
            from_threads(partial(group.handle, request) for group in groups * 2)
    assert balance(engine, "ann") == 100_000_000 - 2 * ROUND_COSTS_MINOR
    assert differences(engine) == []
