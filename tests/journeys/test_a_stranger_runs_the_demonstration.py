"""README's first command, as a stranger runs it."""

import subprocess
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_demonstration_imports_settles_and_finds_nothing_wrong() -> None:
    done = subprocess.run([ROOT / "ops" / "demo"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    for told in ("refused              0", "rounds             250", "no difference", "0 differ", "whole"):
        assert told in done.stdout
