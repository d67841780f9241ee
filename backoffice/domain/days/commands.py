"""What is asked when the figures of a day have been drawn up: that they be frozen."""

from typing import Annotated

from pydantic import Field, StringConstraints

from backoffice.domain.days.events import DayFigures, UnfinishedRound
from backoffice.domain.event import Command, Day, Id
from backoffice.domain.staff import Person
from backoffice.kernel.values import value


@value
class CloseDay(Command):
    """Close a gaming day: its figures are frozen as they were drawn up, from the log up to position `upto`; `at` is the clock
    that says whether the day is over.

    With `carry_over`, rounds without a result are left to later days; without it they are in the way.
    """

    by: Person
    casino: Id
    day: Day
    upto: Annotated[int, Field(ge=0)]
    hash: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
    figures: tuple[DayFigures, ...]
    unfinished: tuple[UnfinishedRound, ...]
    carry_over: bool = False
