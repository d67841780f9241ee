"""Who makes the trouble: faults by a seed, one after the other, while everything else goes on."""

import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from random import Random
from threading import Event, Thread
from types import TracebackType
from typing import Self

import kombu
from celery import Celery
from sqlalchemy import Engine, text
from sqlalchemy.exc import DBAPIError

from backoffice.app.reactions import CAUSES
from ops.disturbances.crew import Crew
from ops.disturbances.points import POINTS
from ops.disturbances.servers import Postgres, Redis

WORKERS, TAILS = ("prefork", "solo"), ("tail-1", "tail-2")
REQUESTS_A_FAULT = 40
"""How much of the evening goes with a fault: a slow machine has as many as a fast one, and not all while a worker starts."""
AHEAD = 5
"""How many faults may come before their part of the evening: who waits for what is due is left in peace after those."""
_GLANCE_SECONDS = 0.05
_NO_ANSWER = (DBAPIError, kombu.exceptions.OperationalError)


class Trouble(Thread):
    """Does something bad every now and then, in step with an evening, until it is left.

    A context manager; `done` counts what it did.
    """

    def __init__(
        self, crew: Crew, redis: Redis, postgres: Postgres, engine: Engine, seed: int, *, pause_seconds: float
    ) -> None:
        super().__init__(name="trouble", daemon=True)
        self._crew, self._redis, self._postgres, self._engine = crew, redis, postgres, engine
        self._chance = Random(seed)  # noqa: S311 - the same trouble again
        self._pause_seconds = pause_seconds
        self._celery = Celery(broker=redis.url)
        self._over = Event()
        self._requests = 0
        self._failed: BaseException | None = None
        self._points: list[str] = []
        self._waiting: set[str] = set()
        self.done: Counter[str] = Counter()
        self.deaths: Counter[str] = Counter()

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self.join()
        self._count_deaths()
        for point in POINTS:
            self._crew.spare(point)
        self._celery.close()
        if self._failed is not None:
            raise self._failed from error

    def keep_step(self, requests: int) -> None:
        """So many more requests were answered: return when the faults that go with them were made."""
        self._requests += requests
        while self.is_alive() and self.done.total() < self._requests // REQUESTS_A_FAULT:
            time.sleep(_GLANCE_SECONDS)

    def run(self) -> None:
        """One fault after the other, in turns of all kinds, each turn in another order."""
        try:
            for fault in self._faults():
                if not self._its_time():
                    return
                fault()
                self.done[fault.__name__.strip("_").replace("_", " ")] += 1
        except BaseException as error:
            self._failed = error
            raise

    def _its_time(self) -> bool:
        """Tend the crew for a while, until the evening is not too far behind and somebody is at work; False if it is over."""
        pause_ends = time.monotonic() + self._chance.uniform(0.3, 1.7) * self._pause_seconds
        while not self._over.wait(_GLANCE_SECONDS):
            self._crew.tend()
            if time.monotonic() > pause_ends and not self._is_ahead() and any(map(self._crew.ready, WORKERS)):
                return True
        return False

    def _is_ahead(self) -> bool:
        return self.done.total() >= self._requests // REQUESTS_A_FAULT + AHEAD

    def _faults(self) -> Iterator[Callable[[], None]]:
        while True:
            yield from self._turn()

    def _turn(self) -> list[Callable[[], None]]:
        """Most often a death at one of the points, each of which has its turn; everything else once."""
        faults = [
            self._kill_a_worker, self._kill_a_child, self._kill_a_tail, self._flush_redis, self._restart_redis,
            self._freeze_redis, self._terminate_connections, self._restart_postgres, self._pause_a_tail,
            self._deliver_twice_and_out_of_order,
        ]  # fmt: skip
        turn = [*faults, *[self._die_at_a_point] * len(faults)]
        self._chance.shuffle(turn)
        return turn

    def _die_at_a_point(self) -> None:
        """Three are waited for at once: some are passed by seldom."""
        self._count_deaths()
        while len(self._waiting) < 3:
            if not self._points:
                self._points = [point for point in POINTS if point not in self._waiting]
                self._chance.shuffle(self._points)
            point = self._points.pop()
            self._crew.die_at(point)
            self._waiting.add(point)

    def _count_deaths(self) -> None:
        died = {point for point in self._waiting if not self._crew.to_die(point)}
        self._waiting -= died
        self.deaths.update(died)

    def _kill_a_worker(self) -> None:
        self._crew.kill(self._chance.choice(WORKERS))

    def _kill_a_child(self) -> None:
        children = self._crew.children(WORKERS[0])
        if children:
            children[0].kill()

    def _kill_a_tail(self) -> None:
        self._crew.kill(self._chance.choice(TAILS))

    def _flush_redis(self) -> None:
        self._redis.flush()

    def _restart_redis(self) -> None:
        self._redis.restart(self._chance.uniform(0, 0.5))

    def _freeze_redis(self) -> None:
        with self._redis.frozen():
            time.sleep(self._chance.uniform(0.1, 0.5))

    def _terminate_connections(self) -> None:
        query = "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database()"
        with suppress(*_NO_ANSWER), self._engine.connect() as connection:
            connection.execute(text(f"{query} and pid <> pg_backend_pid()"))

    def _restart_postgres(self) -> None:
        self._postgres.restart()

    def _pause_a_tail(self) -> None:
        """Long enough to be taken for dead: the other one takes over, and then this one wakes up."""
        name = self._chance.choice(TAILS)
        self._crew.send(name, signal.SIGSTOP)
        try:
            with suppress(*_NO_ANSWER), self._engine.begin() as connection:
                connection.execute(text("update read.leaders set seen_at = seen_at - interval '1 minute'"))
            time.sleep(self._chance.uniform(0.2, 1.0))
        finally:
            self._crew.send(name, signal.SIGCONT)

    def _deliver_twice_and_out_of_order(self) -> None:
        """Old ones, new ones, each twice, the newest first."""
        query = text(
            "select position from log.events where type = any(:types) order by position desc limit 10"
        )
        with suppress(*_NO_ANSWER), self._engine.connect() as connection:
            for position in connection.scalars(query, {"types": list(CAUSES)}).all():
                for _ in range(2):
                    message = {"position": position}
                    self._celery.send_task("carry_out_reactions", kwargs=message, queue="cases", retry=False)
