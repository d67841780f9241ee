"""`/metrics`: how the house stands in numbers, for Prometheus.

What this process does is counted as it happens, in a registry of its own; what the database knows is asked for at each
scrape, so that it is the same whichever process is asked.
"""

from collections.abc import Iterator
from typing import Annotated

from fastapi import APIRouter, Response
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.registry import Collector
from sqlalchemy import QueuePool

from backoffice.api.asking import DEMANDING, TheDesk, demands
from backoffice.api.desk import Desk
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, documented
from backoffice.api.rights import Right
from backoffice.app.reacting import Waiting
from backoffice.reports.queries.standing import Figures, figures

router = APIRouter(tags=["health"])


@router.get(
    "/metrics",
    response_class=Response,
    responses={
        **documented(*DEMANDING, Kind.LATE),
        200: {
            "description": "In Prometheus' text format.",
            "content": {"text/plain": {"schema": {"type": "string"}}},
        },
    },
)
async def show_metrics(_: Annotated[Principal, demands(Right.READ_STATE)], desk: TheDesk) -> Response:
    """Show how the house stands in numbers."""
    told = await desk.readings.ask(figures)
    due = await desk.readings.ask(lambda _: desk.house.reactor().oldest_due())
    now = CollectorRegistry(auto_describe=False)
    now.register(_Now(desk, told, due))
    body = generate_latest(desk.measures.registry) + generate_latest(now)
    return Response(body, media_type=CONTENT_TYPE_PLAIN_0_0_4)


class _Now(Collector):
    """What stands at this moment."""

    def __init__(self, desk: Desk, told: Figures, due: Waiting) -> None:
        self._desk = desk
        self._told = told
        self._due = due

    def collect(self) -> Iterator[Metric]:
        """All of it."""
        yield from self._of_the_log()
        yield from self._of_the_readers()
        yield from self._of_this_process()

    def _of_the_log(self) -> Iterator[Metric]:
        told = self._told
        yield CounterMetricFamily("backoffice_appended_events", "Events in the log.", value=told.position)
        yield _gauge("head_age_seconds", "Since the last event was recorded.", told.head_age_seconds)
        yield _gauge("open_rounds", "Rounds that are not over.", told.open_rounds)
        yield _gauge(
            "oldest_open_round_seconds", "Since the oldest of them was opened.", told.oldest_open_seconds
        )

    def _of_the_readers(self) -> Iterator[Metric]:
        readers = self._told.readers
        lag = {reader.name: float(reader.lag_events) for reader in readers}
        seconds = {reader.name: reader.lag_seconds for reader in readers}
        fits = {reader.name: float(reader.state in {"current", "empty"}) for reader in readers}
        yield _by("lag_events", "Events that are not projected.", "projection", lag)
        yield _by("lag_seconds", "The age of the oldest of them.", "projection", seconds)
        yield _by("projection_fits", "Whether rows and checkpoint fit program and log.", "projection", fits)
        yield _by(
            "stuck_streams",
            "Streams held up by an event that could not be taken.",
            "reader",
            {"reactions": 0.0, **{f"projection/{name}": 0.0 for name in lag}, **self._told.stuck_streams},
        )

    def _of_this_process(self) -> Iterator[Metric]:
        desk, pool = self._desk, self._desk.house.engine.pool
        queues = {
            "requests": float(desk.group.waiting),
            "questions": float(desk.readings.waiting),
            "reactions": float(self._due.waiting),
        }
        yield _by("waiting", "What waits for its turn.", "queue", queues)
        yield _gauge("oldest_reaction_seconds", "Since the oldest reaction is due.", self._due.age_seconds)
        yield _gauge("streams", "Streams that are open.", desk.streams.open)
        yield _gauge("pulse_silent_seconds", "Since the log was looked at.", desk.pulse.silent_seconds)
        if desk.follower is not None:
            yield _gauge(
                "follower_silent_seconds", "Since the read tables were kept up.", desk.follower.silent_seconds
            )
        assert isinstance(pool, QueuePool)
        used = {"in_use": float(pool.checkedout()), "idle": float(pool.checkedin())}
        yield _by("pool_connections", "Connections to the database.", "state", used)
        yield _gauge("pool_size", "Connections that are kept.", pool.size())


def _gauge(name: str, told: str, value: float) -> Metric:
    return GaugeMetricFamily(f"backoffice_{name}", told, value=value)


def _by(name: str, told: str, label: str, values: dict[str, float]) -> Metric:
    family = GaugeMetricFamily(f"backoffice_{name}", told, labels=[label])
    for one, value in values.items():
        family.add_metric([one], value)
    return family
