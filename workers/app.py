"""Celery as the workers use it: `celery -A workers.app worker`, `celery -A workers.app beat`.

Nothing true lives here: a task carries ids, its result is in the log or in a file, and what the broker loses the sweep
finds again. So every message is acknowledged late, taken singly, and given back when its process dies.
"""

from typing import Any

from celery import Celery
from celery.signals import worker_process_shutdown, worker_ready, worker_shutdown
from kombu.entity import Queue

from backoffice.settings import Settings
from workers.event_loop import keep_turning
from workers.houses import close_house
from workers.queues import CASES, QUEUES
from workers.redis_transport import use_it

LONGEST_TASK_SECONDS = 3600
"""The hard limit of the longest kind of task, an export."""


class NoBroker(Exception):
    """Workers need a broker: set BACKOFFICE_BROKER_URL. Without one everything runs in-process."""

    def __init__(self) -> None:
        super().__init__(self.__doc__)


def make_app(settings: Settings) -> Celery:
    """The Celery application on the broker of the settings. Raises NoBroker."""
    if settings.broker_url is None:
        raise NoBroker
    use_it()
    made = Celery("backoffice", broker=settings.broker_url, include=["workers.tasks"])
    made.conf.update(
        accept_content=["json"],
        task_serializer="json",
        task_ignore_result=True,
        task_acks_late=True,
        task_reject_on_worker_lost=True,
        worker_prefetch_multiplier=1,
        task_queues=[Queue(name) for name in QUEUES],  # type: ignore[no-untyped-call]
        task_default_queue=CASES,
        task_create_missing_queues=False,
        task_soft_time_limit=LONGEST_TASK_SECONDS - 60,
        task_time_limit=LONGEST_TASK_SECONDS,
        broker_connection_retry=True,
        broker_connection_retry_on_startup=True,
        broker_connection_max_retries=None,
        broker_channel_error_retry=True,
        broker_transport_options=_transport_options(settings.broker_url),
        # Nobody asks workers anything over the broker: what they do stands in the log.
        worker_enable_remote_control=False,
        worker_send_task_events=False,
        worker_cancel_long_running_tasks_on_connection_loss=False,
        # The sweep is all that beat does: it needs to remember nothing, so it keeps no file.
        beat_scheduler="celery.beat:Scheduler",
        beat_max_loop_interval=min(5.0, settings.sweep_seconds),
        beat_schedule={"sweep": {"task": "sweep_due", "schedule": settings.sweep_seconds}},
    )
    return made


def _transport_options(url: str) -> dict[str, object]:
    if not url.startswith("redis"):
        return {}
    return {
        # A message that was taken and not acknowledged is given to another after this; before, it may still be at work.
        "visibility_timeout": 2 * LONGEST_TASK_SECONDS,
        "socket_connect_timeout": 5,
        "socket_timeout": 30,
    }


@worker_ready.connect  # type: ignore[untyped-decorator]
def _ready(sender: Any, **_: object) -> None:
    if sender.hub is not None:  # nor is there one in a pool of green threads
        keep_turning(sender.hub)


@worker_process_shutdown.connect  # type: ignore[untyped-decorator]
@worker_shutdown.connect  # type: ignore[untyped-decorator]
def _leave(**_: object) -> None:
    close_house()


app = make_app(Settings())
