"""Files on the disk: written beside, with their digest, and given their name when they are whole."""

import hashlib
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from backoffice.reports.regulators.nodes import Document, write_document
from backoffice.reports.regulators.refusals import InTheWay


@dataclass(frozen=True, slots=True)
class Written:
    """What was written: its digest, how long it is, and how many records it has."""

    sha256: str
    size_bytes: int
    records: int


@contextmanager
def beside(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """A file of a name that nobody looks for, and a stream into it; gone at the end, unless it was moved into place."""
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f".{uuid4().hex}.part"
    try:
        with path.open("xb") as stream:
            yield path, stream
    finally:
        path.unlink(missing_ok=True)


def write(document: Document, stream: BinaryIO) -> Written:
    """Write a document, and see it through to the disk's cache."""
    digesting = _Digesting(stream)
    records = write_document(document, digesting)
    stream.flush()
    return Written(digesting.digest.hexdigest(), digesting.size_bytes, records)


def move(written: Path, path: Path, sha256: str) -> None:
    """Give a whole file its name, unless it lies there already. Raises InTheWay."""
    with written.open("rb") as stream:
        os.fsync(stream.fileno())
    try:
        path.hardlink_to(written)
    except FileExistsError:
        lies_there(path, sha256)


def lies_there(path: Path, sha256: str) -> bool:
    """Whether the file of this digest is in its place. Raises InTheWay where another one is."""
    try:
        with path.open("rb") as stream:
            found = hashlib.file_digest(stream, "sha256").hexdigest()
    except FileNotFoundError:
        return False
    if found != sha256:
        raise InTheWay(f"{path} is another file than the one that belongs there: it is left as it is")
    return True


class _Digesting:
    """Passes on what is written, and keeps its digest and length."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self.digest = hashlib.sha256()
        self.size_bytes = 0

    def write(self, content: bytes) -> int:
        """Pass on."""
        self.digest.update(content)
        self.size_bytes += len(content)
        return self._stream.write(content)
