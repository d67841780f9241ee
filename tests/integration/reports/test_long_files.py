"""A long file in the foreground: a terminal is shown how it grows, a pipe is not; it is whole or not there."""

import os
import pty
import subprocess
import sys
from pathlib import Path

from command_line import ROOT, backoffice, url_of

from backoffice.bootstrap import House


def on_a_terminal(house: House, *arguments: str | Path) -> str:
    """`backoffice ...` with a terminal for its errors; what that was shown."""
    ours, theirs = pty.openpty()
    program = "from backoffice.cli.main import main; main()"
    environment = {**os.environ, "BACKOFFICE_DATABASE_URL": url_of(house.engine), "TERM": "xterm"}
    process = subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)], env=environment, cwd=ROOT, stderr=theirs
    )
    os.close(theirs)
    shown = b""
    try:
        while piece := os.read(ours, 4096):
            shown += piece
    except OSError:  # Linux says so when the other end is closed
        pass
    os.close(ours)
    assert process.wait() == 0, shown
    return shown.decode()


def test_a_terminal_sees_a_report_and_an_export_grow(sample_house: House, tmp_path: Path) -> None:
    report, export = tmp_path / "rounds.csv", tmp_path / "lines.csv"
    assert "rounds.csv" in on_a_terminal(sample_house, "report", "revenue-rounds", "--out", report)
    assert "lines.csv" in on_a_terminal(sample_house, "export", "round-lines", "--out", export)
    assert sorted(tmp_path.iterdir()) == [export, report]


def test_a_pipe_is_not_shown_any(sample_house: House, tmp_path: Path) -> None:
    done = backoffice(sample_house.engine, "report", "revenue", "--out", tmp_path / "revenue.html")
    assert (done.code, done.out, done.err) == (0, "", "")
