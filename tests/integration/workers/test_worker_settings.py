"""How the workers are set up: what makes a lost, late or doubled message harmless. Asked of the very application they run."""

import json
import os
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ASK = """
import inspect, json
import workers.tasks
from workers.app import app
conf, tasks = app.conf, {}
for name, task in app.tasks.items():
    if not name.startswith("celery."):
        takes = inspect.signature(task.run).parameters.values()
        tasks[name] = {
            "queue": task.queue,
            "hard": task.time_limit or conf.task_time_limit,
            "soft": task.soft_time_limit or conf.task_soft_time_limit,
            "late": task.acks_late, "lost": task.reject_on_worker_lost,
            "takes": {each.name: [each.kind.name, each.annotation.__name__] for each in takes},
        }
print(json.dumps({
    "tasks": tasks,
    "prefetch": conf.worker_prefetch_multiplier,
    "queues": [queue.name for queue in conf.task_queues],
    "visible": (conf.broker_transport_options or {}).get("visibility_timeout"),
    "keeps results": not conf.task_ignore_result,
    "beat": {name: each["schedule"] for name, each in conf.beat_schedule.items()},
}))
"""


@cache
def told(broker_url: str) -> dict[str, Any]:
    asked = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", ASK],
        cwd=Path(__file__).parents[3],
        env={**os.environ, "BACKOFFICE_BROKER_URL": broker_url},
        capture_output=True,
        text=True,
        check=True,
    )
    return dict(json.loads(asked.stdout))


REDIS, RABBIT = "redis://localhost:1/0", "amqp://localhost:1//"


@pytest.mark.parametrize("url", [REDIS, RABBIT])
def test_a_message_is_acknowledged_when_it_is_done_and_given_back_when_its_worker_dies(url: str) -> None:
    assert {(task["late"], task["lost"]) for task in told(url)["tasks"].values()} == {(True, True)}
    assert told(url)["prefetch"] == 1
    assert not told(url)["keeps results"]


def test_a_message_is_given_to_another_only_after_the_longest_task_must_be_over() -> None:
    limits = [task["hard"] for task in told(REDIS)["tasks"].values()]
    assert all(limits)
    assert told(REDIS)["visible"] > max(limits)
    assert all(task["soft"] < task["hard"] for task in told(REDIS)["tasks"].values())


def test_there_is_a_queue_for_each_kind_of_work() -> None:
    queues = told(REDIS)["queues"]
    assert sorted(queues) == ["cases", "exports", "projections"]
    assert {task["queue"] for task in told(REDIS)["tasks"].values()} == set(queues)


def test_tasks_are_told_names_and_numbers_by_name_and_nothing_else() -> None:
    for name, task in told(REDIS)["tasks"].items():
        for kind, of in task["takes"].values():
            assert (kind, of in {"str", "int"}) == ("KEYWORD_ONLY", True), name


def test_what_was_lost_is_looked_for_more_often_than_once_a_minute() -> None:
    assert 0 < told(REDIS)["beat"]["sweep"] < 60
