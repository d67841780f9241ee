"""A server says when it had better not be asked, and why; and how it stands in numbers."""

import time
from collections.abc import Callable

import httpx
import pytest
from api_server import Server, inside, problem
from front_door import a_handler, deposit, founding, take, tallinn, whole_round
from prometheus_client.parser import text_string_to_metric_families
from sqlalchemy import Engine, text

from backoffice.api import health
from backoffice.api.following import Follower
from backoffice.bootstrap import CODEC, House, house_on
from backoffice.projections.projector import Projector
from workers.following import Leading


def complaint(client: httpx.Client) -> str:
    document = problem(client.get("/health/ready"), 503, "unavailable")
    return str(document["detail"])


def comes_true(so: Callable[[], bool]) -> bool:
    until = time.monotonic() + 60
    while not so():
        if time.monotonic() > until:
            return False
        time.sleep(0.05)
    return True


def test_a_server_that_is_well_says_so_to_everybody(server: Server) -> None:
    assert server.client.get("/health/live").json() == {"status": "alive"}
    told = server.client.get("/health/ready").json()
    assert told["status"] == "ready"
    assert told["lag_seconds"] < 60
    assert told["head_age_seconds"] >= 0


@pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning")
def test_a_dead_poller_is_not_healthy(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    """It reports no lag any more, and that is the trouble with it."""

    def die(_: Follower) -> None:
        raise ZeroDivisionError

    with inside(engine) as client:
        assert client.get("/health/ready").status_code == 200
        monkeypatch.setattr(Follower, "turn", die)
        assert comes_true(lambda: client.get("/health/ready").status_code == 503)
        assert complaint(client) == "nobody keeps the read tables up any more"
        assert client.get("/health/live").status_code == 200


def test_a_poller_that_hangs_is_not_healthy(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(health, "LATE_SECONDS", 0.2)
    with inside(engine) as client:
        monkeypatch.setattr(Follower, "turn", lambda _: time.sleep(3))
        assert comes_true(lambda: client.get("/health/ready").status_code == 503)
        assert "nobody has kept the read tables up for" in complaint(client)


def test_a_reader_that_cannot_go_on_is_not_healthy(engine: Engine) -> None:
    take(a_handler(engine), founding())
    Projector(engine, CODEC).catch_up()
    with engine.begin() as connection:
        connection.execute(text("update read.versions set version = 99 where projection = 'rounds'"))
    take(a_handler(engine), deposit("ann"))
    with inside(engine) as client:
        assert comes_true(lambda: client.get("/health/ready").status_code == 503)
        assert "cannot all be kept up" in complaint(client)


def test_where_workers_follow_the_log_one_must_be_there(engine: Engine) -> None:
    house = house_on(engine, reacts=False)
    with inside(engine, reacts=False) as client:
        assert "no worker looks after projection/" in complaint(client)
        with Leading(house) as leading:
            assert comes_true(lambda: followed(house, leading) and "after reactions" in complaint(client))
            assert comes_true(
                lambda: (
                    followed(house, leading)
                    and leading.leads("reactions")
                    and client.get("/health/ready").status_code == 200
                )
            )
        with engine.begin() as connection:
            connection.execute(text("update read.leaders set seen_at = seen_at - interval '1 min'"))
        assert "no worker looks after projection/" in complaint(client)


def followed(house: House, leading: Leading) -> bool:
    """A worker looks after every read table once."""
    for name in house.projector().lagging_names:
        leading.project(name)
    return True


def test_a_database_of_another_program_is_not_served(engine: Engine) -> None:
    with inside(engine) as client:
        with engine.begin() as connection:
            connection.execute(text("update alembic_version set version_num = '1999_01_01_0000'"))
        assert "newer program" in complaint(client)


def test_a_database_that_does_not_answer_is_noticed(
    engine: Engine, postgres_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(health, "UNANSWERED_SECONDS", 1.0)
    name = engine.url.database
    with inside(engine) as client:
        assert client.get("/health/ready").status_code == 200
        shut(postgres_url, name, allowed=False)
        assert comes_true(lambda: client.get("/health/ready").status_code == 503)
        assert comes_true(lambda: "has not answered" in complaint(client))
        shut(postgres_url, name, allowed=True)
        assert comes_true(lambda: client.get("/health/ready").status_code == 200)


def shut(postgres_url: str, name: str | None, *, allowed: bool) -> None:
    from backoffice.db import make_engine  # noqa: PLC0415

    server = make_engine(postgres_url).execution_options(isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"alter database {name} allow_connections {allowed}"))
        if not allowed:
            connection.execute(
                text("select pg_terminate_backend(pid) from pg_stat_activity where datname = :name"),
                {"name": name},
            )
    server.dispose()


def test_metrics_tell_of_log_readers_and_commits(server: Server, books: Engine) -> None:
    take(a_handler(books), *whole_round("r-1", "ann")[:1])
    table = server.person("floor", "table_feed")
    paid = {"id": "d-1", "at": "2026-03-01T20:00:00Z", "do": "deposit", "amount": "1.00", **tallinn("ann")}
    table.post("/v1/actions", json=paid).raise_for_status()
    assert table.post("/v1/actions", json={**paid, "id": "d-2", "do": "withdraw", "amount": "9.00"}).is_error
    reader = server.person("otto", "auditor")

    def read() -> dict[str, float]:
        return figures(reader.get("/metrics").text)

    assert comes_true(lambda: read()["backoffice_lag_events{projection=rounds}"] == 0)
    told = read()
    assert told["backoffice_appended_events_total"] > 5
    assert told["backoffice_commit_requests_count"] >= 2
    assert told["backoffice_commit_seconds_sum"] > 0
    assert told["backoffice_answers_total{outcome=accepted}"] >= 1
    assert sum(value for name, value in told.items() if name.startswith("backoffice_refusals_total")) == 1
    assert told["backoffice_open_rounds"] == 1
    assert told["backoffice_oldest_open_round_seconds"] > 3600
    assert told["backoffice_lag_events{projection=balances}"] == 0
    assert "backoffice_lag_seconds{projection=rounds}" in told
    assert told["backoffice_stuck_streams{reader=projection/rounds}"] == 0
    assert told["backoffice_waiting{queue=requests}"] == 0
    assert told["backoffice_waiting{queue=reactions}"] == 0
    assert told["backoffice_pool_connections{state=in_use}"] >= 0
    assert told["backoffice_follower_silent_seconds"] < 60


def test_metrics_are_not_for_everybody(server: Server) -> None:
    problem(server.client.get("/metrics"), 401, "unauthenticated")
    problem(server.person("floor", "table_feed").get("/metrics"), 403, "forbidden")


def figures(told: str) -> dict[str, float]:
    samples: dict[str, float] = {}
    for family in text_string_to_metric_families(told):
        for sample in family.samples:
            labels = ",".join(f"{name}={value}" for name, value in sorted(sample.labels.items()))
            samples[f"{sample.name}{{{labels}}}" if labels else sample.name] = sample.value
    return samples
