"""The points at which a process may die: at every step of a commit, before it and behind it, and between two."""

import os
from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import Any

from backoffice.app import handle
from backoffice.app.reacting import Reactor
from backoffice.bootstrap import House
from backoffice.log.postgres import PostgresWriter
from backoffice.projections import catching_up
from backoffice.projections.projector import Projector

REACTING = {
    "before-reacting": (Reactor, "carry_out", "before"),
    "head-locked": (handle.Handler, "_decided", "before"),
    "events-appended": (PostgresWriter, "append_blocks", "after"),
    "keys-written": (handle, "remember_keys", "after"),
    "balances-written": (handle, "apply_inline", "after"),
    "decided": (handle.Handler, "_decided", "after"),
    "head-moved": (PostgresWriter, "finish", "after"),
    "committed": (handle.Handler, "commit", "after"),
    "before-acknowledging": (Reactor, "carry_out", "after"),
}
"""Where a worker may die while it carries out a reaction."""
FOLLOWING = {
    "rows-written": (catching_up, "project_around", "after"),
    "checkpoint-moved": (catching_up, "advance", "after"),
    "projection-committed": (Projector, "catch_up_leading", "after"),
    "surveyed": (Reactor, "survey", "after"),
}
"""Where a tail (or, at the last one, a sweeping worker) may die."""
POINTS = {**REACTING, **FOLLOWING}
"""Where anybody dies in a trial."""
EXPORTING = {"exporting": (House, "export", "after"), "rendering": (House, "write_ordered", "after")}
"""Where a worker may die while it writes an export, or what was ordered: before the file is in its place."""


def arm(folder: Path) -> None:
    """From now on this process gets the signal that a file named after a point says, when it passes it: whoever is first."""
    for name, (owner, function, when) in {**POINTS, **EXPORTING}.items():
        setattr(owner, function, _mortal(getattr(owner, function), folder / name, when))


def _mortal(function: Callable[..., Any], order: Path, when: str) -> Callable[..., Any]:
    @wraps(function)
    def mortal(*given: Any, **named: Any) -> Any:
        if when == "before":
            _obey(order)
        result = function(*given, **named)
        if when == "after":
            _obey(order)
        return result

    return mortal


def _obey(order: Path) -> None:
    try:
        number = int(order.read_text())
        order.unlink()
    except FileNotFoundError:
        return
    os.kill(os.getpid(), number)
