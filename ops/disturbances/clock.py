"""A process whose clock is wrong: everything in it that asks for the time of day is told another one.

`libfaketime` would do it from outside, and is not on every machine. What there is to be misled: Python's `time` and
`datetime`, of which Celery and kombu take their times, and the ids of events, which begin with a time and are made
outside of Python. The database's clock is its own; how long something takes is measured, not told by a clock.
"""

import datetime as dt
import time
from collections.abc import Callable
from typing import Any
from uuid import UUID

from uuid_utils import compat

_right = dt.datetime


def set_off(seconds: float) -> None:
    """From now on this process takes the time to be later by so much. To be called before Celery is imported."""
    _set_time(seconds)
    _set_ids()
    # Those who compare or store times must know them by the class they really are of.
    from workers import houses  # noqa: F401, PLC0415

    dt.datetime = _shifted(dt.timedelta(seconds=seconds))  # type: ignore[misc]


def _set_ids() -> None:
    right = compat.uuid7

    def later(*, nanoseconds: int | None = None) -> UUID:
        return right(nanoseconds=time.time_ns() if nanoseconds is None else nanoseconds)

    compat.uuid7 = later


def _set_time(seconds: float) -> None:
    right, right_ns = time.time, time.time_ns
    time.time = lambda: right() + seconds
    time.time_ns = lambda: right_ns() + int(seconds * 10**9)
    for name in ("gmtime", "localtime", "ctime"):
        setattr(time, name, _OfNow(getattr(time, name)))


class _OfNow:
    """Tells a moment, or now, as `tell` does. No function: the class of `logging.Formatter` would make a method of it."""

    def __init__(self, tell: Callable[[float], Any]) -> None:
        self._tell = tell

    def __call__(self, moment: float | None = None) -> Any:
        return self._tell(time.time() if moment is None else moment)


def _shifted(by: dt.timedelta) -> type[dt.datetime]:
    class AnyDatetime(type):
        def __instancecheck__(cls, it: object) -> bool:
            return isinstance(it, _right)

    class Later(_right, metaclass=AnyDatetime):
        """`datetime` by a clock that is wrong; what it gives are ordinary ones."""

        @classmethod
        def now(cls, tz: dt.tzinfo | None = None) -> Any:
            return _right.now(tz) + by

        @classmethod
        def utcnow(cls) -> Any:
            return _right.now(dt.UTC).replace(tzinfo=None) + by

        @classmethod
        def today(cls) -> Any:
            return cls.now()

    return Later
