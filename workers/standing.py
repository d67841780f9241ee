"""How the workers stand: what waits, what lags, what is stuck, who leads; and whether that is well."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from backoffice.app.orders import unmade
from backoffice.app.reactions import REACTING
from backoffice.app.runs import Deadly, deadly_tasks
from backoffice.bootstrap import House
from backoffice.projections.leading import SILENT_SECONDS, Leader, leaders_of
from backoffice.projections.statuses import Lag
from backoffice.projections.stuck import Stuck, stuck_events

UNMADE_SECONDS = 7200.0
"""What was ordered is made within this time, twice what the longest task may take: an older order is not well."""
LATE_SECONDS = 60.0
"""A lost message is made good within this time: what is due for longer is not well."""


@dataclass(frozen=True, slots=True)
class Standing:
    """Everything that `backoffice workers status` shows."""

    queues: Mapping[str, int] | None
    """None where the broker does not answer; empty where there is none."""
    lags: tuple[Lag, ...]
    stuck: tuple[Stuck, ...]
    leaders: Mapping[str, Leader]
    deadly: tuple[Deadly, ...] = ()
    unmade: int = 0
    """How many files that were ordered are still to be made."""
    unmade_seconds: float = 0.0
    """For how long the oldest of them has been."""

    def complaints(self) -> Iterator[str]:
        """What is not well, a sentence each; nothing where all is."""
        if self.queues is None:
            yield "the broker does not answer"
        for lag in self.lags:
            leader = self.leaders.get(lag.reader)
            if leader is None and self.queues != {}:
                yield f"nobody leads {lag.reader}"
            elif leader is not None and not leader.alive:
                silent = f"{leader.silent_seconds:.0f} s, more than {SILENT_SECONDS:.0f} s"
                yield f"{leader.leader}, who leads {lag.reader}, has not been seen for {silent}"
            if lag.seconds > LATE_SECONDS:
                yield f"{lag.reader} is {lag.seconds:.0f} s behind"
        if self.stuck:
            yield f"{len(self.stuck)} events are stuck, the oldest for {self.oldest_stuck_seconds:.0f} s"
        if self.unmade_seconds > UNMADE_SECONDS:
            yield f"{self.unmade} files that were ordered are not made, the oldest for {self.unmade_seconds:.0f} s"
        for task in self.deadly:
            if task.left_alone:
                yield f"{task.deaths} workers died of {task.task}, which is left alone now"

    @property
    def oldest_stuck_seconds(self) -> float:
        """The age of what is stuck longest; 0 where nothing is."""
        return max((event.age_seconds for event in self.stuck), default=0.0)


def standing(house: House, queues: Mapping[str, int] | None) -> Standing:
    """How everything stands by the database's clock. What lags is told from the log, whoever is alive or dead."""
    lags = house.projector().lags()
    with house.engine.connect() as connection:
        stuck, deadly = stuck_events(connection), deadly_tasks(connection)
        orders, orders_age_seconds = unmade(connection)
    leaders = {leader.reader: leader for leader in leaders_of(house.engine)}
    due = house.reactor().oldest_due()
    lags.append(Lag(REACTING, due.waiting, due.age_seconds))
    return Standing(
        queues,
        tuple(lags),
        tuple(stuck),
        leaders,
        tuple(deadly),
        unmade=orders,
        unmade_seconds=orders_age_seconds,
    )
