"""An import that is interrupted anywhere and called again ends where one that was not interrupted ends."""

import json
import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from command_line import backoffice, begun
from front_door import a_handler, differences, founding, rows, said, take
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app import feed_batches, handle, importing
from backoffice.app.feed_lines import FeedLines
from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import ImportReport, TakenOver, import_feed
from backoffice.db import make_engine
from backoffice.domain.wallet.commands import Deposit

NETWORK = shared("feeds", "network.toml")
COUNTED = "select lines, accepted, repeated, refused, rounds, offset_bytes, digest from intake.imports"


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    """The sample feed, with trouble in it: what is refused where it stands, and would not be any more a little later."""
    path = tmp_path / "feed.jsonl"
    path.write_bytes(b"\n".join(_troubled(shared("feeds", "sample.jsonl").read_bytes().splitlines())))
    return path


def _troubled(lines: list[bytes]) -> Iterator[bytes]:
    """Every twenty lines somebody asks for money that comes in forty lines later; and now and then there is a fault."""
    chance = random.Random(5)  # noqa: S311 - the same every time
    for number, line in enumerate(lines):
        if number % 20 == 10:
            yield _cashier("withdraw", number, "5.00")
        if number >= 50 and number % 20 == 10:
            yield _cashier("deposit", number - 40, "10.00")
        if number % 90 == 7:
            yield chance.choice([b"", b"nonsense", line[:-9], lines[number - 5].replace(b'0"', b'1"')])
        yield line


def _cashier(do: str, number: int, amount: str) -> bytes:
    who = {"casino": "tallinn", "player": f"poor-{number}", "currency": "EUR"}
    action = {"id": f"{do}-{number}", "at": "2026-03-01T20:00:00Z", "do": do, **who, "amount": amount}
    return json.dumps(action).encode()


def refused(engine: Engine) -> list[tuple[Any, ...]]:
    return rows(engine, "select line, rule, reason, action from intake.refusals order by line, refusal")


def state(engine: Engine) -> dict[str, Any]:
    """Everything that an import leaves behind, apart from when and under which ids."""
    names = ("round-lines", "balances", "jackpot-meters", "jackpot-shares", "compensation-cases")
    exports = {name: backoffice(engine, "export", name).out for name in names}
    return {
        "said": said(engine)[20:],
        "refused": refused(engine),
        "counted": rows(engine, COUNTED),
        **exports,
    }


def run(engine: Engine, feed: Path, sender: str = "floor") -> ImportReport:
    with GroupCommit(a_handler(engine)) as group:
        return import_feed(engine, group, feed, sender)


@pytest.fixture
def uninterrupted(fresh_engine: Callable[[], Engine], feed: Path) -> dict[str, Any]:
    engine = fresh_engine()
    assert backoffice(engine, "import", feed, "--network", NETWORK).code == 1
    return state(engine)


def test_killed_at_any_moment_and_called_again_it_ends_in_the_same_state(
    fresh_engine: Callable[[], Engine], feed: Path, uninterrupted: dict[str, Any], tmp_path: Path
) -> None:
    engine = fresh_engine()
    chance = random.Random(11)  # noqa: S311 - the same every time
    arguments = ("import", feed, "--network", NETWORK, "--refused", tmp_path / "refused.jsonl")
    for fraction in sorted(chance.uniform(0, 0.7) for _ in range(3)):
        process = begun(engine, *arguments, lines_a_batch=30)
        _wait_until(engine, f"offset_bytes >= {fraction * feed.stat().st_size}")
        time.sleep(chance.random() * 0.02)
        process.kill()
        process.communicate()
    assert rows(engine, "select finished_at is null from intake.imports") == [(True,)]
    last = backoffice(engine, *arguments)
    assert last.code == 1
    assert "went on behind line " in last.out
    assert state(engine) == uninterrupted
    assert differences(engine) == []
    told = [json.loads(line)["line"] for line in (tmp_path / "refused.jsonl").read_text().splitlines()]
    assert told == [line for line, *_ in uninterrupted["refused"]]


def _wait_until(engine: Engine, condition: str) -> None:
    give_up = time.monotonic() + 60
    while not rows(engine, f"select 1 from intake.imports where {condition}"):  # noqa: S608
        assert time.monotonic() < give_up, "the import does not come so far"
        time.sleep(0.005)


def test_a_bug_stops_an_import_there_and_once_it_is_mended_it_goes_on(
    fresh_engine: Callable[[], Engine],
    feed: Path,
    uninterrupted: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """What had been read ahead of the bug must not be written behind it."""
    engine = fresh_engine()
    take(a_handler(engine), founding())
    lines = feed.read_bytes().splitlines()
    (where,) = (number for number, line in enumerate(lines, 1) if b'"deposit-2010"' in line)
    real = handle.decide

    def buggy(past: Any, command: Any) -> Any:
        if isinstance(command, Deposit) and command.player == "poor-2010":
            raise ZeroDivisionError("of all things")
        return real(past, command)

    with monkeypatch.context() as patched:
        patched.setattr(handle, "decide", buggy)
        patched.setattr(feed_batches, "BATCH_LINES", 100)
        with pytest.raises(ZeroDivisionError, match="of all things") as bug:
            run(engine, feed, "baltic")
    assert f"line={where})" in "".join(bug.value.__notes__)
    assert run(engine, feed, "baltic").resumed_at_line == where // 100 * 100
    assert state(engine) == uninterrupted


def test_a_command_that_meets_a_bug_does_not_end_like_one_that_refused_something(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def buggy(*_: object) -> None:
        raise ZeroDivisionError("of all things")

    take(a_handler(engine), founding())
    monkeypatch.setattr(handle, "decide", buggy)
    done = backoffice(engine, "import", feed)
    assert done.code == 70
    assert "ZeroDivisionError: of all things" in done.err


@contextmanager
def halted(monkeypatch: pytest.MonkeyPatch, at_batch: int, meanwhile: Callable[[], object]) -> Iterator[None]:
    """Whatever is imported in here first does something else before it reads its n-th batch."""
    real, left = feed_batches._next_batch, [at_batch]

    def next_batch(*arguments: Any) -> Any:
        left[0] -= 1
        if left[0] == 0:
            meanwhile()
        return real(*arguments)

    with monkeypatch.context() as patched:
        patched.setattr(feed_batches, "BATCH_LINES", 100)
        patched.setattr(feed_batches, "_next_batch", next_batch)
        yield


def test_one_that_slept_while_another_went_on_writes_nothing_more(
    fresh_engine: Callable[[], Engine],
    feed: Path,
    uninterrupted: dict[str, Any],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A laptop's lid was closed; somebody called the import again elsewhere; the lid is opened."""
    engine = fresh_engine()
    take(a_handler(engine), founding())
    reports: list[ImportReport] = []

    def elsewhere() -> None:
        _wait_until(engine, "lines >= 900")
        reports.append(run(engine, feed, "baltic"))

    with halted(monkeypatch, 10, elsewhere), pytest.raises(TakenOver, match="Another process goes on"):
        run(engine, feed, "baltic")
    assert reports[0].resumed_at_line == 900
    assert state(engine) == uninterrupted


def test_imports_of_several_feeds_run_beside_each_other(
    engine: Engine, feed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    other = tmp_path / "other.jsonl"
    other.write_bytes(
        feed.read_bytes().replace(b'"round":"', b'"round":"other-').replace(b"poor-", b"broke-")
    )
    reports: list[ImportReport] = []
    with halted(monkeypatch, 10, lambda: reports.append(run(engine, other, "tower"))):
        reports.append(run(engine, feed, "floor"))
    assert len({(one.accepted, one.refused, one.rounds, one.resumed_at_line) for one in reports}) == 1
    assert differences(engine) == []


@contextmanager
def interrupted(monkeypatch: pytest.MonkeyPatch, after_batches: int) -> Iterator[None]:
    """Whatever is imported in here stops, as if its process were ended, when it wants its n-th batch."""
    with halted(monkeypatch, after_batches + 1, _interrupt), suppress(KeyboardInterrupt):
        yield


def _interrupt(*_: object) -> None:
    raise KeyboardInterrupt


def test_a_feed_that_became_longer_meanwhile_goes_on(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    whole = feed.read_bytes()
    feed.write_bytes(whole[: len(whole) // 2])
    with interrupted(monkeypatch, 5):
        run(engine, feed)
    feed.write_bytes(whole)
    report = run(engine, feed)
    assert report.resumed_at_line == 500
    assert report.rounds == 250


def test_a_feed_whose_beginning_changed_is_another_feed(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody corrected a line of it: that line must be looked at."""
    take(a_handler(engine), founding())
    with interrupted(monkeypatch, 5):
        run(engine, feed)
    feed.write_bytes(_cashier("deposit", 0, "1.00") + b"\n" + feed.read_bytes())
    report = run(engine, feed)
    assert report.resumed_at_line == 0
    assert report.accepted + report.repeated > 4000


def test_an_import_goes_on_for_its_own_sender_only(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    with interrupted(monkeypatch, 5):
        run(engine, feed, "floor")
    assert run(engine, feed, "tower").resumed_at_line == 0
    assert run(engine, feed, "floor").resumed_at_line == 500


def test_one_interrupted_before_its_first_batch_begins_anew(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    with interrupted(monkeypatch, 0):
        run(engine, feed)
    assert run(engine, feed).resumed_at_line == 0


def test_one_interrupted_behind_its_last_batch_has_only_to_be_finished(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    with monkeypatch.context() as patched, suppress(KeyboardInterrupt):
        patched.setattr(importing, "_finished", _interrupt)
        run(engine, feed)
    before = said(engine)
    report = run(engine, feed)
    assert report.resumed_at_line == report.lines
    assert report.rounds == 250
    assert said(engine) == before


def test_reading_up_to_where_one_stopped_may_take_its_time(
    engine: Engine, feed: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The server ends a session that sits idle in a transaction: a feed of a terabyte could never be gone on with."""
    take(a_handler(engine), founding())
    with interrupted(monkeypatch, 5):
        run(engine, feed)
    real = FeedLines.__init__

    def slowly(self: FeedLines, *arguments: Any) -> None:
        real(self, *arguments)
        time.sleep(1)

    monkeypatch.setattr(FeedLines, "__init__", slowly)
    impatient = make_engine(engine.url, idle_in_transaction_seconds=0.6)
    assert run(impatient, feed).resumed_at_line == 500
    impatient.dispose()


def test_progress_is_told_in_bytes_up_to_the_end(engine: Engine, feed: Path) -> None:
    take(a_handler(engine), founding())
    told: list[int] = []
    with GroupCommit(a_handler(engine)) as group:
        import_feed(engine, group, feed, "floor", told.append)
    assert told == sorted(told)
    assert told[-1] == feed.stat().st_size
