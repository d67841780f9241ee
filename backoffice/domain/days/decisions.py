"""Closing days: each once, in their order, when it is over."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from backoffice.domain.days.commands import CloseDay
from backoffice.domain.days.events import DayClosed
from backoffice.domain.event import Refused
from backoffice.domain.staff import Role, check_acts
from backoffice.kernel.calendar import Calendar

CLOSING = frozenset({Role.SHIFT_MANAGER, Role.ACCOUNTANT, Role.ADMINISTRATOR})
"""Who may close a day."""
NAMED = 5
"""So many unfinished rounds are named in a refusal."""


def close_day(last: DayClosed | None, calendars: Mapping[str, Calendar], command: CloseDay) -> DayClosed:
    """The day, closed; `last` is the day closed before it. Raises Refused.

    The first day that a casino closes may be any; those before it count as closed with it.
    """
    _check_who(calendars, command)
    begins_at, ends_at = calendars[command.casino].bounds(command.day)
    _check_order(last, command)
    if command.at < ends_at:
        raise Refused(
            f"{command.day} of {command.casino} is not over before {ends_at:%Y-%m-%d %H:%M} UTC", "over"
        )
    _check_unfinished(command)
    return DayClosed(
        begins_at=begins_at,
        ends_at=ends_at,
        by=command.by.name,
        **{name: getattr(command, name) for name in _TAKEN_OVER},
    )


def refuse_moving(last: DayClosed | None, since: datetime | None) -> None:
    """Raise Refused where a clock that is set since then would move days that are closed; `last` is the last of them."""
    if last is not None and since is not None and since < last.begins_at:
        raise Refused(
            f"{last.day} of {last.casino} is closed: no clock is set for it or a day before it any more",
            "closed",
        )


_TAKEN_OVER = ("casino", "day", "upto", "hash", "figures", "unfinished")


def _check_who(calendars: Mapping[str, Calendar], command: CloseDay) -> None:
    if command.casino not in calendars:
        raise Refused(f"there is no casino {command.casino}", "casino")
    check_acts(command.by, CLOSING, "that role closes no day", [command.casino])


def _check_order(last: DayClosed | None, command: CloseDay) -> None:
    if last is None:
        return
    if command.day <= last.day:
        raise Refused(f"{command.day} of {command.casino} is closed already", "closed")
    following = last.day + timedelta(days=1)
    if command.day != following:
        raise Refused(
            f"{following} of {command.casino} is still open: days are closed in their order", "order"
        )
    if command.upto < last.upto:
        raise Refused(
            f"these figures are of position {command.upto}, {last.day} was closed at {last.upto}", "position"
        )


def _check_unfinished(command: CloseDay) -> None:
    if not command.unfinished or command.carry_over:
        return
    names = ", ".join(one.round for one in command.unfinished[:NAMED])
    more = len(command.unfinished) - NAMED
    raise Refused(
        f"{command.day} of {command.casino} has rounds without a result: {names}"
        f"{f' and {more} more' if more > 0 else ''}; settle or cancel them, or carry them over",
        "unfinished",
    )
