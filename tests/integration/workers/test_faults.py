"""The short form of ops/faults: an evening in trouble comes to what a quiet one does."""

from pathlib import Path
from tempfile import TemporaryDirectory

from ops.disturbances.trial import trial
from ops.disturbances.trouble import REQUESTS_A_FAULT


def test_an_evening_in_trouble_comes_to_what_a_quiet_one_does() -> None:
    # Not in pytest's own folder: a second pytest takes away the rights on it that the server needs.
    with TemporaryDirectory(prefix="faults-") as folder:
        figures = trial(Path(folder), rounds=25, seed=11)
    assert figures.wrong == []
    assert figures.faults.total() >= figures.requests // REQUESTS_A_FAULT >= 17
    assert figures.deaths.total() >= 3
    assert figures.longest_wait_seconds < 60
