"""Files are produced once, whole, under numbers without a gap, whatever dies; and made again to the byte."""

import json
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from command_line import backoffice
from filing import LATER, LEGAL, a_round, license_all, produce, register
from front_door import a_handler, deposit, take
from sqlalchemy import Engine, text

from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Outcome, Request
from backoffice.bootstrap import house_on
from backoffice.domain.event import Refused
from backoffice.log.errors import CheckpointElsewhere
from backoffice.reports.regulators import producing
from backoffice.reports.regulators.producing import Placed
from backoffice.reports.regulators.refusals import (
    InTheWay,
    NotOver,
    OtherBytes,
    ParticularMissing,
    UnknownFile,
)
from backoffice.reports.regulators.register import Entry, Register

DAY = "dk-end-of-day"
SESSIONS = "dk-single-player-sessions"
SIX = datetime(2026, 3, 1, 18, tzinfo=UTC)


@pytest.fixture
def played(engine: Engine) -> Engine:
    """Tallinn, licensed; ann played a round."""
    license_all(engine)
    take(a_handler(engine), deposit("ann"), *a_round("r-1", "ann", SIX))
    return engine


def a_late_round(engine: Engine, name: str) -> None:
    take(a_handler(engine), *a_round(name, "ann", SIX + timedelta(minutes=5)))


def numbers(engine: Engine) -> list[int]:
    return [entry.file.number for entry in register(engine, "tallinn")]


def files_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


class Killed(BaseException):
    """The process is gone."""


def dying(monkeypatch: pytest.MonkeyPatch, owner: Any, name: str, *, after: bool) -> None:
    """`name` is the last thing that happens, or the last that does not."""
    real: Callable[..., Any] = getattr(owner, name)

    def dies(*args: Any, **kwargs: Any) -> Any:
        if after:
            real(*args, **kwargs)
        raise Killed

    monkeypatch.setattr(owner, name, dies)


def test_whoever_dies_before_a_file_is_entered_has_used_no_number(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        dying(patched, GroupCommit, "handle", after=False)
        with pytest.raises(Killed):
            produce(played, DAY, "tallinn", tmp_path)
    assert numbers(played) == []
    assert files_in(tmp_path) == []
    assert [(one.number, one.new) for one in produce(played, DAY, "tallinn", tmp_path)] == [(1, True)]


def test_whoever_dies_before_an_entered_file_is_in_place_finds_it_made_again_under_its_number(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        dying(patched, producing, "move", after=False)
        with pytest.raises(Killed):
            produce(played, DAY, "tallinn", tmp_path)
    assert numbers(played) == [1]
    assert files_in(tmp_path) == []
    (placed,) = produce(played, DAY, "tallinn", tmp_path)
    assert (placed.number, placed.new) == (1, False)
    assert numbers(played) == [1]
    assert placed.path.exists()


def test_two_who_produce_at_once_get_the_same_file_under_one_number(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, 2)
    outcomes = at_once(played, [(DAY, tmp_path / "a"), (DAY, tmp_path / "b")])
    assert sorted((one.number, one.new) for one in outcomes) == [(1, False), (1, True)]
    assert outcomes[0].path.read_bytes() == outcomes[1].path.read_bytes()
    assert numbers(played) == [1]


def test_two_who_produce_at_once_into_one_folder_do_not_get_into_each_others_way(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Malta's file says when it was made: what the second one wrote is not what lies there then."""
    name = "mga-live-tables"
    second_wrote, first_placed = threading.Event(), threading.Event()
    real = producing.lies_there

    def waits(path: Path, sha256: str) -> bool:
        if threading.current_thread() is not threading.main_thread():
            second_wrote.set()
            assert first_placed.wait(30)
        return real(path, sha256)

    monkeypatch.setattr(producing, "lies_there", waits)
    with ThreadPoolExecutor(1) as threads:
        second = threads.submit(produce, played, name, "tallinn", tmp_path, now=LATER + timedelta(hours=1))
        assert second_wrote.wait(30)
        (first,) = produce(played, name, "tallinn", tmp_path)
        first_placed.set()
        (same,) = second.result()
    assert (same.path, same.number, same.new) == (first.path, first.number, False)
    assert [entry.file.number for entry in register(played, "tallinn", "mga")] == [1]


def test_two_kinds_produced_at_once_get_numbers_one_behind_the_other(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    meanwhile(monkeypatch, 2)
    outcomes = at_once(played, [(DAY, tmp_path), (SESSIONS, tmp_path)])
    assert sorted((one.number, one.new) for one in outcomes) == [(1, True), (2, True)]
    assert numbers(played) == [1, 2]


def test_whoever_always_finds_another_file_between_is_told_so(
    played: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Register, "next_number", property(lambda self: 7))
    with pytest.raises(
        Refused, match="tallinn has 0 files for dk, another one came between: produce file 7 again"
    ):
        produce(played, DAY, "tallinn", tmp_path)
    assert files_in(tmp_path) == []


def meanwhile(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """So many have written a file before the first of them enters it."""
    all_written = threading.Barrier(number, timeout=30)
    waited = threading.local()
    real = GroupCommit.handle

    def together(self: GroupCommit, request: Request) -> Outcome:
        if not getattr(waited, "once", False):
            waited.once = True
            all_written.wait()
        return real(self, request)

    monkeypatch.setattr(GroupCommit, "handle", together)


def at_once(engine: Engine, asked: Sequence[tuple[str, Path]]) -> list[Placed]:
    """Several productions, a thread each."""
    with ThreadPoolExecutor(len(asked)) as threads:
        made = [threads.submit(produce, engine, name, "tallinn", out) for name, out in asked]
        return [one for each in made for one in each.result()]


def test_the_same_again_gives_the_same_bytes_and_no_new_number_wherever_it_is_put(
    played: Engine, tmp_path: Path
) -> None:
    for name in (SESSIONS, DAY):
        (first,) = produce(played, name, "tallinn", tmp_path)
        (again,) = produce(played, name, "tallinn", tmp_path / "elsewhere", now=LATER + timedelta(days=9))
        assert (again.number, again.new) == (first.number, False)
        assert again.path.read_bytes() == first.path.read_bytes()
    assert numbers(played) == [1, 2]


def test_what_does_not_concern_the_day_makes_no_new_file(played: Engine, tmp_path: Path) -> None:
    for name in (SESSIONS, DAY):
        produce(played, name, "tallinn", tmp_path)
    take(a_handler(played), *a_round("next-day", "ann", SIX + timedelta(days=1)))
    assert [one.new for name in (SESSIONS, DAY) for one in produce(played, name, "tallinn", tmp_path)] == [
        False
    ] * 2


def test_particulars_that_change_make_a_new_report_and_leave_the_old_one_as_it_was(
    played: Engine, tmp_path: Path
) -> None:
    (first,) = produce(played, DAY, "tallinn", tmp_path)
    before = first.path.read_bytes()
    license_all(played, {**LEGAL, "dk": {**LEGAL["dk"], "certificate": "tt-4712"}})
    (second,) = produce(played, DAY, "tallinn", tmp_path)
    assert (second.number, second.new) == (2, True)
    assert b"tt-4712" in second.path.read_bytes()
    first.path.unlink()
    told = backoffice(played, "files", "show", "tallinn", "dk", "1", "--out", tmp_path)
    assert Path(json.loads(told.out)["path"]).read_bytes() == before


def test_every_file_of_a_chain_can_be_made_again_to_the_byte(played: Engine, tmp_path: Path) -> None:
    for name in ("late-1", "late-2"):
        produce(played, SESSIONS, "tallinn", tmp_path)
        produce(played, DAY, "tallinn", tmp_path)
        a_late_round(played, name)
    house = house_on(played)
    for entry in register(played, "tallinn"):
        again = house.produce_again(entry, tmp_path / "again")
        assert again.path.read_bytes() == (tmp_path / again.path.name).read_bytes()
    assert len(numbers(played)) == 4


def test_a_day_that_goes_on_has_no_file(played: Engine, tmp_path: Path) -> None:
    end = datetime(2026, 3, 1, 22, tzinfo=UTC)
    with pytest.raises(
        NotOver, match=r"the day 2026-03-01 of tallinn is not over: it ends at 2026-03-01T22:00:00\+00:00"
    ):
        produce(played, DAY, "tallinn", tmp_path, now=end - timedelta(microseconds=1))
    assert produce(played, DAY, "tallinn", tmp_path, now=end)


@pytest.mark.parametrize("field", ["certificate", "channel", "generator", "generator_software"])
def test_a_particular_that_is_missing_is_named_and_uses_no_number(
    played: Engine, tmp_path: Path, field: str
) -> None:
    license_all(played, {"dk": {name: value for name, value in LEGAL["dk"].items() if name != field}})
    with pytest.raises(
        ParticularMissing,
        match=f"casino tallinn: legal.dk.{field} is missing in the network file, this file needs it",
    ):
        produce(played, SESSIONS, "tallinn", tmp_path)
    assert numbers(played) == []
    assert files_in(tmp_path) == []


def test_another_file_in_its_place_is_left_and_no_number_is_given(played: Engine, tmp_path: Path) -> None:
    """So it is where a log was restored from a time before the file was produced."""
    other = tmp_path / "tallinn-dk-end-of-day-2026-03-01-000001.xml"
    other.write_text("what was handed in", encoding="utf-8")
    with pytest.raises(InTheWay, match="another file than the one that belongs there"):
        produce(played, DAY, "tallinn", tmp_path)
    assert other.read_text(encoding="utf-8") == "what was handed in"
    assert numbers(played) == []


def test_a_read_table_that_was_changed_is_found_when_a_file_is_made_again(
    played: Engine, tmp_path: Path
) -> None:
    produce(played, SESSIONS, "tallinn", tmp_path)
    with played.begin() as connection:
        connection.execute(text("update read.round_lines set stake_minor = stake_minor + 1"))
    with pytest.raises(OtherBytes, match="file 1 of tallinn for dk was"):
        produce(played, SESSIONS, "tallinn", tmp_path / "elsewhere")


def test_a_register_of_another_past_is_noticed(played: Engine, tmp_path: Path) -> None:
    produce(played, DAY, "tallinn", tmp_path)
    (entry,) = register(played, "tallinn")
    forged = replace(entry.file, hash="0" * 64)
    with pytest.raises(CheckpointElsewhere):
        house_on(played).produce_again(Entry(forged, entry.made_at, "x", entry.position), tmp_path / "b")


def test_who_may_not_hand_in_produces_nothing(played: Engine, tmp_path: Path) -> None:
    done = backoffice(
        played, "files", "produce", DAY, "--casino", "tallinn", "--day", "2026-03-01",
        "--out", tmp_path, "--as", "ann:auditor",
    )  # fmt: skip
    assert (done.code, done.err) == (1, "refused: ann acts as auditor: that role hands nothing in\n")
    assert files_in(tmp_path) == []


def test_an_unknown_kind_or_casino_is_said(played: Engine, tmp_path: Path) -> None:
    with pytest.raises(UnknownFile, match="there is no file dk-lottery: dk-single-player-sessions, "):
        produce(played, "dk-lottery", "tallinn", tmp_path)
    done = backoffice(
        played, "files", "produce", DAY, "--casino", "oslo", "--day", "2026-03-01", "--out", tmp_path
    )
    assert (done.code, done.err) == (2, "backoffice: there is no casino oslo: lugano, stockholm, tallinn\n")


def test_the_command_line_produces_lists_and_shows(played: Engine, tmp_path: Path) -> None:
    asked = ("--casino", "tallinn", "--day", "2026-03-01", "--out", tmp_path, "--as", "ann:compliance")
    path = tmp_path / "tallinn-dk-end-of-day-2026-03-01-000001.xml"
    done = backoffice(played, "files", "produce", DAY, *asked)
    assert (done.code, done.out) == (0, f"{path}  number 1, 2 records, produced\n")
    assert (
        backoffice(played, "files", "produce", DAY, *asked).out == f"{path}  number 1, 2 records, unchanged\n"
    )
    nothing = backoffice(played, "files", "produce", "dk-jackpots", *asked)
    assert nothing.out == "no activity: tallinn has nothing to hand in as dk-jackpots for 2026-03-01\n"

    (listed,) = map(json.loads, backoffice(played, "files", "list", "--json").out.splitlines())
    (entry,) = register(played, "tallinn")
    assert listed["sha256"] == entry.file.sha256
    assert (listed["by"], listed["position"], listed["number"]) == ("ann", entry.file.position, 1)
    (line,) = backoffice(played, "files", "list", "--casino", "tallinn").out.splitlines()
    assert line.startswith("tallinn dk      1  dk-end-of-day 2026-03-01 EUR, version 0; position ")
    assert json.loads(backoffice(played, "files", "show", "tallinn", "dk", "1").out) == listed
    missing = backoffice(played, "files", "show", "tallinn", "dk", "2")
    assert (missing.code, missing.err) == (2, "backoffice: tallinn has produced no file 2 for dk\n")
    assert "EndOfDayRapport" in backoffice(played, "files", "kinds").out


def test_a_file_says_from_where_in_which_log_it_was_made(played: Engine, tmp_path: Path) -> None:
    (placed,) = produce(played, DAY, "tallinn", tmp_path)
    (entry,) = register(played, "tallinn")
    head = house_on(played).log.head()
    assert entry.file.position == head.position - 1
    notice = f"<!-- log {head.log_id} position {entry.file.position} hash {entry.file.hash} -->"
    assert placed.path.read_text(encoding="utf-8").splitlines()[1] == notice
