"""The command line, called in this process or, where it is to be killed, in one of its own."""

import os
import subprocess
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from dataclasses import dataclass
from io import BytesIO, StringIO, TextIOWrapper
from pathlib import Path

import pytest
from sqlalchemy import Engine

from backoffice.cli.main import main

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Done:
    """What a command ended with, and what it said."""

    code: int
    out: str
    err: str


def backoffice(database: Engine | str, *arguments: str | Path, **surroundings: str) -> Done:
    """`backoffice ...` on a database, in this process; `surroundings` are environment variables."""
    out, err = TextIOWrapper(BytesIO(), "utf-8", newline=""), StringIO()
    with pytest.MonkeyPatch.context() as patched, redirect_stdout(out), redirect_stderr(err):
        patched.setattr(sys, "argv", ["backoffice", *map(str, arguments)])
        for name, value in _environment(database, surroundings).items():
            patched.setenv(name, value)
        code: object = 0
        try:
            main()
        except SystemExit as end:
            code = end.code
    out.flush()
    assert isinstance(code, int)
    return Done(code, out.buffer.getvalue().decode(), err.getvalue())  # type: ignore[attr-defined]


def begun(
    database: Engine | str,
    *arguments: str | Path,
    lines_a_batch: int = 2000,
    own_group: bool = False,
    **surroundings: str,
) -> "subprocess.Popen[str]":
    """`backoffice ...` in a process of its own, which may be killed; `own_group` as a terminal would start it."""
    # In the background of a shell, as CI may run these tests, SIGINT is ignored: a terminal's foreground is not like that.
    listening = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n" if own_group else ""
    )
    program = (
        f"{listening}from backoffice.app import feed_batches\n"
        f"feed_batches.BATCH_LINES = {lines_a_batch}\n"
        "from backoffice.cli.main import main\n"
        "main()"
    )
    return subprocess.Popen(
        [sys.executable, "-c", program, *map(str, arguments)],
        env={**os.environ, **_environment(database, surroundings)},
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=own_group,
    )


def url_of(engine: Engine) -> str:
    """The engine's database as one gives it on the command line."""
    return engine.url.render_as_string(hide_password=False)


def _environment(database: Engine | str, surroundings: Mapping[str, str]) -> dict[str, str]:
    url = database if isinstance(database, str) else url_of(database)
    return {"BACKOFFICE_DATABASE_URL": url, "BACKOFFICE_SENDER": "", **surroundings}
