"""ops/year: plays the year. Stopped and called again with the same folder, it goes on behind the last step that was done."""

import argparse
import fcntl
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from backoffice.db import upgrade
from backoffice.embedded import running
from ops.twelvemonth.steps import steps

LONG = 1_000_000
SHORT = 4_000


def main() -> None:
    """Every step that is not done yet; ends with 1 if one fails, and names it."""
    options = _options()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # the database is stopped, too
    failed = []
    with _folder(options.data) as folder, running(folder / "postgres") as url:
        upgrade(url)
        print(f"{'step':<36} {'seconds':>9} {'peak MiB':>9} {'files':>7} {'MiB':>9}")
        for name in steps():
            done = _done(folder).get(name) or _do(
                folder, url, name, str(options.actions), str(folder), options.days
            )
            print(_line(name, done), flush=True)
            if "failed" in done:
                failed.append(name)
    sys.exit(f"failed: {', '.join(failed)}" if failed else 0)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        prog="ops/year", description="A year of play: imported, reported, cross-footed."
    )
    parser.add_argument("--actions", type=int, default=SHORT, help="how many (default: %(default)s)")
    parser.add_argument("--long", dest="actions", action="store_const", const=LONG, help=f"{LONG:,} actions")
    parser.add_argument(
        "--days", choices=("some", "every"), default="some", help="which days authorities are told"
    )
    parser.add_argument("--data", type=Path, help="a folder to keep, and to go on in (default: thrown away)")
    options = parser.parse_args()
    if options.actions >= LONG:
        options.days = "every"
    return options


@contextmanager
def _folder(given: Path | None) -> Iterator[Path]:
    if given is None:
        with TemporaryDirectory(prefix="year-") as folder:
            yield Path(folder)
        return
    given.mkdir(parents=True, exist_ok=True)
    with (given / "lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            sys.exit(f"another call is at work in {given}")
        yield given.resolve()


def _do(folder: Path, url: str, name: str, *arguments: str) -> Mapping[str, Any]:
    """One step, and a line about it in the folder, so that it is not done again."""
    began = time.monotonic()
    done = subprocess.run(
        [sys.executable, "-m", "ops.twelvemonth.one_step", name, *arguments],
        env={**os.environ, "BACKOFFICE_DATABASE_URL": url},
        capture_output=True,
        text=True,
        check=False,
    )
    seconds = time.monotonic() - began
    if done.returncode:
        return {"seconds": seconds, "failed": done.stderr.strip().splitlines()[-1]}
    made = {"step": name, "seconds": seconds, **json.loads(done.stdout.splitlines()[-1])}
    with (folder / "steps.jsonl").open("a", encoding="utf-8") as log:
        log.write(f"{json.dumps(made)}\n")
    return made


def _done(folder: Path) -> Mapping[str, Mapping[str, Any]]:
    path = folder / "steps.jsonl"
    if not path.exists():
        return {}
    return {made["step"]: made for made in map(json.loads, path.read_text(encoding="utf-8").splitlines())}


def _line(name: str, made: Mapping[str, Any]) -> str:
    if "failed" in made:
        return f"{name:<36} {made['seconds']:>9.1f}  FAILED: {made['failed']}"
    peak, size = made["peak_kib"] / 1024, made["bytes"] / 2**20
    return f"{name:<36} {made['seconds']:>9.1f} {peak:>9.0f} {made['files']:>7} {size:>9.1f}  {made['note']}".rstrip()


main()
