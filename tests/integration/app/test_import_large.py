"""A large feed is read by a process of its own; nobody but the clock can tell."""

import os
import signal
import time
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pytest
from command_line import backoffice, begun
from front_door import a_handler, founding, rows, said, take
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app import importing
from backoffice.app import reading_ahead as reading_ahead_module
from backoffice.app.feed_batches import Place, read_batches
from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import import_feed
from backoffice.app.reading_ahead import Garbled, ReaderGone, reading_ahead

NETWORK = shared("feeds", "network.toml")
SAMPLE = shared("feeds", "sample.jsonl")


@pytest.fixture
def large(tmp_path: Path) -> Path:
    """The sample feed with so much air in it that it is large."""
    path = tmp_path / "large.jsonl"
    air = b" " * 1000 + b"\n"
    path.write_bytes(b"\n".join(line + air * 3 for line in SAMPLE.read_bytes().splitlines()))
    assert path.stat().st_size > 2 * importing.READ_AHEAD_BYTES
    return path


def test_a_large_feed_comes_to_the_same(engine: Engine, large: Path) -> None:
    done = backoffice(engine, "import", large, "--network", NETWORK)
    assert (done.code, done.err) == (0, "")
    assert "accepted          3991" in done.out
    expected = shared("feeds", "expected", "round-lines.csv").read_bytes().decode()
    assert backoffice(engine, "export", "round-lines").out == expected


def test_a_large_import_that_was_killed_goes_on_and_leaves_no_process_behind(
    engine: Engine, large: Path
) -> None:
    process = begun(engine, "import", large, "--network", NETWORK, lines_a_batch=100)
    _wait_until(engine, "offset_bytes > 0")
    (reader,) = _children(process.pid)
    process.kill()
    process.communicate()
    _wait_for(lambda: not Path(f"/proc/{reader}").exists())
    last = backoffice(engine, "import", large, "--network", NETWORK)
    assert (last.code, "rounds             250" in last.out) == (0, True)
    expected = shared("feeds", "expected", "balances.csv").read_bytes().decode()
    assert backoffice(engine, "export", "balances").out == expected


def test_a_person_may_interrupt_it(engine: Engine, large: Path) -> None:
    process = begun(engine, "import", large, "--network", NETWORK, lines_a_batch=100, own_group=True)
    _wait_until(engine, "offset_bytes > 0")
    os.killpg(process.pid, signal.SIGINT)
    _, told = process.communicate()
    assert (process.returncode, told) == (130, "")
    assert backoffice(engine, "import", large).code == 0


def test_an_import_whose_reader_was_ended_says_so_and_goes_on_the_next_time(
    engine: Engine, large: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())

    def end_the_reader(_: int) -> None:
        for child in _children(os.getpid()):
            if b"reading_ahead" in Path(f"/proc/{child}/cmdline").read_bytes():
                os.kill(child, signal.SIGKILL)

    with GroupCommit(a_handler(engine)) as group, pytest.raises(ReaderGone):
        import_feed(engine, group, large, "floor", end_the_reader)
    before = len(said(engine))
    with GroupCommit(a_handler(engine)) as group:
        report = import_feed(engine, group, large, "floor")
    assert report.resumed_at_line > 0
    assert report.rounds == 250
    assert len(said(engine)) > before


def test_what_goes_wrong_over_there_is_raised_here(capfd: pytest.CaptureFixture[str]) -> None:
    with (
        pytest.raises(FileNotFoundError),
        reading_ahead(read_batches, Path("/nowhere"), Place(0, 0), 1, "x") as read,
    ):
        next(read)
    assert capfd.readouterr().err == ""


def test_what_does_not_arrive_as_it_was_sent_is_never_taken_for_lines() -> None:
    sent = BytesIO()
    reading_ahead_module._send(sent, ([1, 2, 3], None))
    whole = sent.getvalue()
    assert next(reading_ahead_module._received(BytesIO(whole))) == [1, 2, 3]
    changed = bytearray(whole)
    changed[-5] ^= 1
    with pytest.raises(Garbled):
        next(reading_ahead_module._received(BytesIO(changed)))
    for cut in (0, 5, len(whole) - 1):
        with pytest.raises(ReaderGone):
            next(reading_ahead_module._received(BytesIO(whole[:cut])))


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _wait_until(engine: Engine, condition: str) -> None:
    _wait_for(lambda: bool(rows(engine, f"select 1 from intake.imports where {condition}")))  # noqa: S608


def _wait_for(true: Callable[[], bool]) -> None:
    give_up = time.monotonic() + 60
    while not true():
        assert time.monotonic() < give_up, "it does not come to that"
        time.sleep(0.01)
