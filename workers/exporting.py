"""Exports into files, each written once, however often it is asked for."""

import os
from pathlib import Path
from uuid import uuid4

from backoffice.bootstrap import House


def export_once(house: House, export: str, target: Path) -> bool:
    """Write an export to `target` unless it is there; whether it was written.

    It is written beside and linked into place: whoever comes second finds the first one's file and leaves it, half a
    file is never found under that name. Raises UnknownExport.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    if target.exists():
        return False
    beside = target.with_name(f".{uuid4().hex}.part")
    try:
        with beside.open("xb") as stream:
            house.export(export, target.suffix.removeprefix("."), stream)
            stream.flush()
            os.fsync(stream.fileno())
        return _link(beside, target)
    finally:
        beside.unlink(missing_ok=True)


def _link(beside: Path, target: Path) -> bool:
    try:
        target.hardlink_to(beside)
    except FileExistsError:
        return False
    return True
