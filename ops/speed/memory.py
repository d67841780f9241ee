"""How much memory a command of the command line needs at most. Linux only: it reads /proc.

Run as a program it is such a command, and tells its own peak at the end: what a parent is told about a child that it
started includes the parent's own memory.
"""

import os
import subprocess
import sys
from pathlib import Path

from sqlalchemy import URL

from backoffice.cli.main import main


def peak_kib(url: URL, *command: str | Path) -> int:
    """The largest resident set of one `backoffice` command, in KiB. Raises CalledProcessError where it fails."""
    address = url.render_as_string(hide_password=False)
    done = subprocess.run(
        [sys.executable, "-m", "ops.speed.memory", *command],
        env={**os.environ, "BACKOFFICE_DATABASE_URL": address},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return int(done.stdout.splitlines()[-1])


def own_peak_kib() -> int:
    """The largest resident set of this process so far, in KiB."""
    status = Path("/proc/self/status").read_text(encoding="ascii")
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM:"))


if __name__ == "__main__":
    try:
        main()
    finally:
        print(own_peak_kib())
