"""Python's search for cycles, while millions of small objects come and go and make none."""

import gc
from collections.abc import Iterator
from contextlib import contextmanager

_YOUNG = 1_000_000
"""So many new objects may live before cycles are looked for: more than a batch of a feed makes, with what follows from it."""


@contextmanager
def seldom_collecting() -> Iterator[None]:
    """Within, hardly ever. Whoever makes objects by the batch and lets go of them all spent a twentieth of its time on it."""
    thresholds = gc.get_threshold()
    gc.set_threshold(_YOUNG, *thresholds[1:])
    try:
        yield
    finally:
        gc.set_threshold(*thresholds)
