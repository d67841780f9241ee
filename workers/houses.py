"""One house a process: opened when it is first needed, after a fork, and never shared over one."""

import os
from contextlib import ExitStack
from dataclasses import dataclass

from billiard.exceptions import SoftTimeLimitExceeded

from backoffice.app.reacting import Reactor
from backoffice.bootstrap import House, open_house
from backoffice.settings import Settings


@dataclass(frozen=True, slots=True)
class Workplace:
    """The house as a worker uses it, with what it remembers between tasks."""

    settings: Settings
    house: House
    reactor: Reactor


_open: dict[int, tuple[ExitStack, Workplace]] = {}
"""By process: a child that was forked finds its parent's connections here, and leaves them alone."""


def workplace() -> Workplace:
    """This process's own."""
    known = _open.get(os.getpid())
    if known is not None:
        return known[1]
    stack, settings = ExitStack(), Settings()
    house = stack.enter_context(open_house(settings))
    # A task that ran out of time says nothing about the fact it was at.
    made = Workplace(settings, house, house.reactor(passing=(SoftTimeLimitExceeded,)))
    _open[os.getpid()] = (stack, made)
    return made


def close_house() -> None:
    """Close this process's house, if it has one."""
    known = _open.pop(os.getpid(), None)
    if known is not None:
        known[0].close()
