"""Files that workers make, each written once, however often it is asked for."""

import hashlib
import os
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from backoffice.app.orders import alone_with, note_made, note_refused
from backoffice.bootstrap import House
from backoffice.reports.books.chart import BadChart
from backoffice.reports.books.files import UnknownFile
from backoffice.reports.books.saft_amounts import Untellable
from backoffice.reports.exports import UnknownExport
from backoffice.reports.making import UnknownReport
from backoffice.reports.reading import UnknownCasino
from backoffice.reports.rendering.as_xlsx import TooLong

REFUSING = (BadChart, TooLong, UnknownCasino, UnknownExport, UnknownFile, UnknownReport, Untellable)
"""What makes a file impossible, now and later."""


def export_once(house: House, export: str, target: Path) -> bool:
    """Write an export to `target` unless it is there; whether it was written. Raises UnknownExport."""
    form = target.suffix.removeprefix(".")
    return write_once(target, lambda stream: house.export(export, form, stream))


def fill_order(house: House, number: int, folder: Path) -> bool:
    """Make what was ordered, in `folder`, and note it; whether it was made now. Nothing where somebody is at it.

    A file that is there is whole: whoever was killed between writing and noting has left only the note to do. Raises
    UnknownOrder, and what may be gone when it is tried again.
    """
    with alone_with(house.engine, number) as order:
        if order is None or not order.is_open:
            return False
        target = folder / order.file
        try:
            written = write_once(target, lambda stream: house.write_ordered(order, stream))
        except REFUSING as why:
            with house.engine.begin() as connection:
                note_refused(connection, number, str(why))
            return False
        with target.open("rb") as stream:
            digest = hashlib.file_digest(stream, "sha256").hexdigest()
        with house.engine.begin() as connection:
            note_made(connection, number, target.stat().st_size, digest)
        return written


def write_once(target: Path, write: Callable[[BinaryIO], None]) -> bool:
    """Have `target` written unless it is there; whether it was.

    It is written beside and linked into place: whoever comes second finds the first one's file and leaves it, half a
    file is never found under that name. What somebody who was killed left beside goes when the file is there.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        _tidy(target)
        return False
    beside = target.with_name(f".{target.name}.{uuid4().hex}.part")
    try:
        with beside.open("xb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        return _link(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _link(beside: Path, target: Path) -> bool:
    try:
        target.hardlink_to(beside)
    except (FileExistsError, FileNotFoundError):
        if not target.exists():
            raise
        return False
    _sync(target.parent)
    _tidy(target)
    return True


def _tidy(target: Path) -> None:
    """Nobody needs any part of a file that is there; whoever still writes one will find that out."""
    for part in target.parent.glob(f".{target.name}.*.part"):
        part.unlink(missing_ok=True)


def _sync(folder: Path) -> None:
    """The name as well as the bytes outlive a power cut."""
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)
