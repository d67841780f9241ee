"""Files that are written whole or not at all, with a bar on a terminal while it takes long."""

import os
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO, cast
from uuid import uuid4

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn


@contextmanager
def whole_file(path: Path) -> Iterator[BinaryIO]:
    """A stream into `path`: written beside it and moved into place at the end, so that nobody ever finds half of it.

    What is there and no regular file (a pipe, `/dev/null`) cannot be replaced and is written into as it is.
    """
    if path.exists() and not path.is_file():
        with path.open("wb") as stream:
            yield stream
        return
    target = path.resolve()
    beside = target.with_name(f".{uuid4().hex}.part")
    try:
        with beside.open("xb") as stream:
            yield stream
            stream.flush()
            os.fsync(stream.fileno())
        beside.replace(target)
    finally:
        beside.unlink(missing_ok=True)


@contextmanager
def long_file(path: Path) -> Iterator[BinaryIO]:
    """The same, and a terminal is shown how much has been written; nobody knows beforehand how much it will be."""
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress,
        whole_file(path) as stream,
    ):
        yield cast("BinaryIO", _Shown(stream, progress, path.name))


class _Shown:
    """A stream into a file that moves a bar."""

    def __init__(self, stream: BinaryIO, progress: Progress, name: str) -> None:
        self._stream = stream
        self._progress = progress
        self._name = name
        self._task = progress.add_task(name, total=None)
        self._written = 0

    def write(self, piece: bytes) -> int:
        """Write, and show it."""
        self._written += len(piece)
        self._progress.update(self._task, description=f"{self._name}  {self._written:,} bytes")
        return self._stream.write(piece)

    def writelines(self, pieces: Iterable[bytes]) -> None:
        """Write piece by piece."""
        for piece in pieces:
            self.write(piece)
