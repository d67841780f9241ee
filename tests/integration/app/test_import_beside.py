"""What an import needs: memory that does not grow with the feed, and nobody else's patience."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from command_line import begun
from front_door import a_handler, balance, deposit, differences, founding, rows, take
from shared_folder import shared
from sqlalchemy import Engine

from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import ImportReport, import_feed
from backoffice.app.requests import Accepted

SAMPLE = shared("feeds", "sample.jsonl").read_bytes()


def evenings(path: Path, number: int) -> Path:
    """The sample feed, so many evenings in a row, each with its own ids and rounds."""
    with path.open("wb") as stream:
        for evening in range(number):
            anew = SAMPLE.replace(b'"id":"', b'"id":"%d-' % evening)
            stream.write(anew.replace(b'"round":"', b'"round":"%d-' % evening))
    return path


def peak_kilobytes(engine: Engine, feed: Path, refused: Path) -> int:
    network = shared("feeds", "network.toml")
    process = begun(engine, "import", feed, "--network", network, "--sender", feed.stem, "--refused", refused)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode in {0, 1}, process.communicate()
    process.communicate()
    return usage.ru_maxrss


def test_a_feed_three_times_as_long_needs_no_more_memory(engine: Engine, tmp_path: Path) -> None:
    small = peak_kilobytes(engine, evenings(tmp_path / "small.jsonl", 2), tmp_path / "refused")
    large = peak_kilobytes(engine, evenings(tmp_path / "large.jsonl", 6), tmp_path / "refused")
    assert rows(engine, "select count(*) from intake.imports where refused > 0") != []
    assert large < small * 1.2, (small, large)


def test_a_feed_of_nothing_but_faults_needs_no_more_memory(engine: Engine, tmp_path: Path) -> None:
    """Also where each is given back in the file of refused actions."""
    few, many = tmp_path / "few.jsonl", tmp_path / "many.jsonl"
    for path, lines in ((few, 4_000), (many, 24_000)):
        fault = (
            b'{"id":"%d","do":"close","at":"2026-03-01T20:00:00Z","round":"nowhere-%d","x":"'
            + b"y" * 900
            + b'"}\n'
        )
        path.write_bytes(b"".join(fault % (line, line) for line in range(lines)))
    small, large = (peak_kilobytes(engine, path, tmp_path / "refused") for path in (few, many))
    assert len((tmp_path / "refused").read_bytes().splitlines()) == 24_000
    assert large < small * 1.2, (small, large)


def test_one_feed_imported_twice_at_once_is_imported_once(engine: Engine, tmp_path: Path) -> None:
    take(a_handler(engine), founding())
    feed = evenings(tmp_path / "feed.jsonl", 1)

    def run(_: int) -> ImportReport:
        with GroupCommit(a_handler(engine)) as group:
            return import_feed(engine, group, feed, "floor")

    with ThreadPoolExecutor(2) as threads:
        reports = list(threads.map(run, range(2)))
    assert sum(report.accepted for report in reports) == 3991
    assert sum(report.rounds for report in reports) == 250
    assert sum(report.repeated for report in reports) == 2 * 4027 - 3991 - sum(one.refused for one in reports)
    assert differences(engine) == []


def test_others_are_served_while_a_feed_is_imported(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    take(a_handler(engine), founding())
    monkeypatch.setattr("backoffice.app.feed_batches.BATCH_LINES", 100)
    feed = evenings(tmp_path / "feed.jsonl", 1)
    with GroupCommit(a_handler(engine)) as group, ThreadPoolExecutor(1) as thread:
        importing = thread.submit(import_feed, engine, group, feed, "floor")
        served = 0
        while not importing.done():
            assert isinstance(group.handle(deposit("walk-in", "1.00")), Accepted)
            served += 1
        importing.result()
    assert served > 5
    assert balance(engine, "walk-in") == 100 * served
    assert differences(engine) == []
