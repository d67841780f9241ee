"""A house on whose floor rounds are being played, and anybody who may send tasks."""

from functools import cache
from itertools import islice

from celery import Celery
from kombu.entity import Queue
from sqlalchemy import Engine, text

from backoffice.app.feed import read_action
from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Accepted, Request, Unreadable
from backoffice.bootstrap import House
from ops.disturbances.evening import SENDER, feed_requests, opening
from ops.disturbances.servers import wait_until
from workers.queues import QUEUES


class Broker:
    """Sends tasks as anybody could."""

    def __init__(self, url: str) -> None:
        self.app = Celery(broker=url)
        self.app.conf.task_queues = [Queue(name) for name in QUEUES]

    def send(self, task: str, queue: str = "cases", **named: object) -> None:
        self.app.send_task(task, kwargs=named, queue=queue)


class Floor:
    """A house in the middle of an evening: rounds are being played at eleven tables."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.engine = house.engine
        self._ids = 0
        with house.group_commit() as group:
            self._take(group, evening())
        house.reactor().carry_out_due()

    def open_rounds(self) -> list[str]:
        """Those in which something was staked and nothing is decided yet."""
        query = text("""
            select stream from log.events where stream like 'round/%' group by stream having count(*) > 3
            and count(*) filter (where type in ('round.settled', 'round.pot_settled', 'round.cancellation_requested')) = 0
            order by stream
        """)
        with self.engine.connect() as connection:
            return [stream.removeprefix("round/") for stream in connection.scalars(query)]

    def cancel(self, *rounds: str) -> list[int]:
        """Ask for rounds to be cancelled; where in the log that stands."""
        asked = []
        for name in rounds:
            self._ids += 1
            line = f'{{"id":"c{self._ids}","at":"2026-05-05T08:00:00Z","do":"cancel","round":"{name}","reason":"test"}}'
            asked.append(read_action(line.encode(), SENDER))
        with self.house.group_commit() as group:
            return [outcome.first_position for outcome in self._take(group, asked)]

    def refunds(self, *rounds: str) -> list[int]:
        """How often each of these rounds was refunded."""
        query = text("select count(*) from log.events where stream = :stream and type = 'round.cancelled'")
        with self.engine.connect() as connection:
            return [connection.execute(query, {"stream": f"round/{name}"}).scalar_one() for name in rounds]

    def wait_for_refunds(self, *rounds: str, seconds: float = 60) -> None:
        wait_until(lambda: all(self.refunds(*rounds)), f"{rounds} are refunded", seconds)
        assert self.refunds(*rounds) == [1] * len(rounds)

    def _take(self, group: GroupCommit, requests: list[Request | Unreadable]) -> list[Accepted]:
        outcomes = group.submit(requests).result()
        return [outcome for outcome in outcomes if isinstance(outcome, Accepted)]


@cache
def evening() -> list[Request | Unreadable]:
    """Up to where ten rounds are being played."""
    return [opening(), *islice(feed_requests(40, seed=11), 486)]


def silence(engine: Engine) -> None:
    """Nobody who leads has been seen for a minute."""
    with engine.begin() as connection:
        connection.execute(text("update read.leaders set seen_at = seen_at - interval '1 minute'"))
