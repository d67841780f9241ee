"""The command line on whatever database it is given, and what it says where it cannot do what it is asked."""

import os
import stat
import threading
from pathlib import Path

import pytest
from command_line import backoffice
from shared_folder import shared
from sqlalchemy import Engine, text

from backoffice.db import make_engine

NETWORK = shared("feeds", "network.toml")
COMMANDS = (
    ("verify",),
    ("export", "balances"),
    ("projections", "status"),
    ("projections", "rebuild"),
    ("projections", "compare"),
    ("round", "show", "r-1"),
    ("round", "audit", "--all"),
    ("import", shared("feeds", "sample.jsonl"), "--network", NETWORK),
)


@pytest.fixture
def feed(tmp_path: Path) -> Path:
    path = tmp_path / "feed.jsonl"
    path.write_bytes(b"".join(shared("feeds", "sample.jsonl").read_bytes().splitlines(keepends=True)[:200]))
    return path


@pytest.mark.parametrize("command", COMMANDS, ids=lambda command: " ".join(map(str, command[:2])))
def test_a_database_that_was_never_migrated_is_said_to_be(
    empty_database_url: str, command: tuple[str | Path, ...]
) -> None:
    done = backoffice(empty_database_url, *command)
    assert (done.code, done.out) == (2, "")
    assert done.err == (
        "backoffice: this database is not migrated to this program: run `backoffice db upgrade`\n"
    )


def test_an_upgraded_database_takes_a_feed(empty_database_url: str, feed: Path) -> None:
    for _ in range(2):
        assert backoffice(empty_database_url, "db", "upgrade").code == 0
    assert backoffice(empty_database_url, "import", feed, "--network", NETWORK).code == 0
    verified = backoffice(empty_database_url, "verify")
    assert (verified.code, "whole" in verified.out) == (0, True)


def test_a_database_of_a_newer_program_is_left_alone(database_url: str) -> None:
    engine = make_engine(database_url)
    with engine.begin() as connection:
        connection.execute(text("update alembic_version set version_num = '2099_01_01_0000'"))
    engine.dispose()
    done = backoffice(database_url, "verify")
    assert (done.code, done.err) == (
        2,
        "backoffice: this database is of a newer program: its migrations are at 2099_01_01_0000\n",
    )
    upgraded = backoffice(database_url, "db", "upgrade")
    assert (upgraded.code, "Traceback" in upgraded.err) == (2, False)


@pytest.mark.parametrize(
    ("url", "told"),
    [
        ("postgresql://127.0.0.1:1/nowhere", "Connection refused"),
        ("postgresql://nobody:secret@127.0.0.1:1/nowhere", "Connection refused"),
        ("somewhere", "Could not parse SQLAlchemy URL"),
        ("sqlite://", "sqlite is no PostgreSQL"),
    ],
)
def test_a_database_that_is_not_there_is_said_not_to_be(url: str, told: str) -> None:
    done = backoffice(url, "verify")
    assert done.code == 2
    assert told in done.err
    assert "Traceback" not in done.err
    assert "secret" not in done.err


def test_without_a_database_the_house_brings_its_own(tmp_path: Path, feed: Path) -> None:
    """Its folder is named on the command line or in the surroundings; what it knows is there the next time."""
    folder = tmp_path / "in" / "here"
    took = backoffice("", "--data", folder, "import", feed, "--network", NETWORK)
    assert (took.code, took.err) == (0, "")
    again = backoffice("", "import", feed, BACKOFFICE_DATA=str(folder))
    assert again.code == 0
    assert "repeated           200" in again.out
    assert backoffice("", "db", "upgrade", BACKOFFICE_DATA=str(folder)).code == 0
    exported = backoffice("", "--data", folder, "export", "balances")
    assert exported.out.startswith("casino,player,currency,balance\nlugano,")


def test_a_folder_that_postgresql_cannot_live_in_is_said_to_be_one(tmp_path: Path) -> None:
    done = backoffice("", "--data", tmp_path / "my data", "verify")
    assert done.code == 2
    assert "choose a path without blanks" in done.err


def test_an_export_is_the_same_into_a_file_and_into_a_pipe(
    engine: Engine, feed: Path, tmp_path: Path
) -> None:
    backoffice(engine, "import", feed, "--network", NETWORK)
    for form in ("csv", "jsonl"):
        out = tmp_path / f"balances.{form}"
        done = backoffice(engine, "export", "balances", "--format", form, "--out", out)
        assert (done.code, done.out) == (0, "")
        assert out.read_bytes().decode() == backoffice(engine, "export", "balances", "--format", form).out
        assert stat.S_IMODE(out.stat().st_mode) == 0o666 & ~_umask()
    assert sorted(one.name for one in tmp_path.iterdir()) == ["balances.csv", "balances.jsonl", "feed.jsonl"]


def _umask() -> int:
    now = os.umask(0)
    os.umask(now)
    return now


def test_an_export_that_fails_leaves_what_was_there(
    engine: Engine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(*arguments: object) -> None:
        stream = arguments[-1]
        stream.write(b"half of")  # type: ignore[attr-defined]
        raise OSError("the disk is full")

    out = tmp_path / "balances.csv"
    out.write_text("of yesterday")
    monkeypatch.setattr("backoffice.cli.exports.write_export", failing)
    done = backoffice(engine, "export", "balances", "--out", out)
    assert (done.code, done.err) == (2, "backoffice: the disk is full\n")
    assert out.read_text() == "of yesterday"
    assert list(tmp_path.iterdir()) == [out]


def test_what_is_no_file_is_written_into_and_not_replaced(engine: Engine, tmp_path: Path) -> None:
    """`--out /dev/null` once left a machine without it."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    read: list[bytes] = []
    reader = threading.Thread(target=lambda: read.append(pipe.read_bytes()))
    reader.start()
    assert backoffice(engine, "export", "balances", "--out", pipe).code == 0
    reader.join()
    assert read == [b"casino,player,currency,balance\n"]
    assert pipe.is_fifo()


def test_a_link_still_leads_to_its_file(engine: Engine, tmp_path: Path) -> None:
    target, link = tmp_path / "target.csv", tmp_path / "link.csv"
    link.symlink_to(target)
    assert backoffice(engine, "export", "balances", "--out", link).code == 0
    assert link.is_symlink()
    assert target.read_text() == "casino,player,currency,balance\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("export", "everything"),
        ("export", "balances", "--format", "xlsx"),
        ("export", "balances", "--out", "/nowhere/at/all.csv"),
        ("projections", "rebuild", "everything"),
        ("projections", "compare", "everything"),
        ("round", "show", "nowhere"),
        ("round", "audit", "nowhere"),
        ("round", "audit"),
        ("round", "audit", "r-1", "--all"),
        ("frobnicate",),
    ],
    ids=" ".join,
)
def test_what_is_not_there_is_said_not_to_be(engine: Engine, arguments: tuple[str, ...]) -> None:
    done = backoffice(engine, *arguments)
    assert (done.code, done.out) == (2, "")
    assert done.err
    assert "Traceback" not in done.err
