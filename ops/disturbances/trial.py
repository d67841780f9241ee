"""One evening twice: quietly in one process, and with workers while everything goes wrong. Both must come to the same."""

import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any, TypeVar

import psycopg
from sqlalchemy import Engine, TextClause, text

from backoffice.app.attempts import LOST
from backoffice.app.group_commit import GroupCommit
from backoffice.app.requests import Declined, Request, Unreadable
from backoffice.bootstrap import House, house_on
from backoffice.db import make_engine, psycopg_url, upgrade
from ops.disturbances.books import books, cases_of, complaints
from ops.disturbances.crew import BEAT, TAIL, Crew, worker
from ops.disturbances.evening import Office, feed_requests, opening
from ops.disturbances.servers import Postgres, Redis, wait_until
from ops.disturbances.trouble import TAILS, Trouble

LINES_A_COMMIT = 20
SHORT, LONG = 500, 1500
"""Lines of the feed between two times that staff decide, in a trial of up to 300 rounds and in a longer one."""
MADE_GOOD_SECONDS = 60
"""Whatever was lost is made good within this time."""
_QUICK = ("fsync = off", "full_page_writes = off")
"""The machine does not lose power here. The server does crash: what was committed must be out of its hands by then."""
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Figures:
    """What a trial came to."""

    rounds: int
    seed: int
    requests: int = 0
    events: int = 0
    reactions: Counter[str] = field(default_factory=Counter)
    faults: Counter[str] = field(default_factory=Counter)
    deaths: Counter[str] = field(default_factory=Counter)
    restarts: int = 0
    longest_wait_seconds: float = 0.0
    quiet_seconds: float = 0.0
    troubled_seconds: float = 0.0
    wrong: list[str] = field(default_factory=list)


def trial(folder: Path, *, rounds: int, seed: int, pause_seconds: float = 0.5) -> Figures:
    """Play `rounds` rounds both ways and compare. Everything it starts it ends; `folder` keeps the logs."""
    figures = Figures(rounds, seed)
    postgres = Postgres(folder / "postgres")
    with postgres.running() as url, _database(url, "quiet") as quiet, _database(url, "troubled") as troubled:
        began = time.monotonic()
        figures.requests = _play(house_on(quiet), rounds, seed)
        house_on(quiet).projector().catch_up()
        figures.quiet_seconds = time.monotonic() - began
        began = time.monotonic()
        _in_trouble(folder, postgres, troubled, figures, pause_seconds)
        figures.troubled_seconds = time.monotonic() - began
        figures.wrong += [f"in the quiet house: {complaint}" for complaint in complaints(quiet)]
        figures.wrong += complaints(troubled)
        figures.wrong += _differences(books(quiet), books(troubled))
        _measure(troubled, figures)
    return figures


def _in_trouble(
    folder: Path, postgres: Postgres, engine: Engine, figures: Figures, pause_seconds: float
) -> None:
    redis = Redis(folder)
    redis.start()
    url = engine.url.render_as_string(hide_password=False)
    crew = Crew(folder, database_url=url, broker_url=redis.url)
    try:
        crew.start("prefork", worker("prefork"))
        crew.start("solo", worker("solo", pool="solo", processes=1), CLOCK_SECONDS="3600")
        crew.start("beat", BEAT)
        for name in TAILS:
            crew.start(name, TAIL)
        house = house_on(engine, reacts=False)
        with Trouble(crew, redis, postgres, engine, figures.seed, pause_seconds=pause_seconds) as trouble:
            _play(house, figures.rounds, figures.seed, trouble.keep_step)
        crew.tend()
        _drain(house)
        wait_until(lambda: not _behind(house), "every projection is up to date", MADE_GOOD_SECONDS)
        figures.faults, figures.deaths, figures.restarts = trouble.done, trouble.deaths, crew.restarts
    finally:
        crew.dismiss()
        redis.stop()


def _play(house: House, rounds: int, seed: int, keep_step: Callable[[int], None] = lambda _: None) -> int:
    """The feed, and between its parts what staff decide; how many requests that was.

    `keep_step` is told how many requests were answered, whenever some were, and returns when the next may be made.
    """
    office, chance = Office(seed), Random(seed)  # noqa: S311
    with house.group_commit() as group:
        ask = partial(_ask, group, keep_step)
        count = ask([opening()])
        for part in _parts(feed_requests(rounds, seed), SHORT if rounds <= 300 else LONG):
            count += ask(part)
            count += ask(office.open_claims(_wallets(house.engine), 10))
            _drain(house)
            count += ask(office.decide_cases(_patiently(lambda: cases_of(house.engine))))
            for round_id in _some_settled(house, chance):
                count += ask(office.reverse(round_id))
                _drain(house)
    return count


def _ask(
    group: GroupCommit, keep_step: Callable[[int], None], requests: Iterable[Request | Unreadable]
) -> int:
    """Hand requests in and wait for the answers; nothing of it is refused."""
    count = 0
    for some in _parts(requests, LINES_A_COMMIT):
        outcomes = group.submit(some).result()
        refused = [outcome for outcome in outcomes if isinstance(outcome, Declined)]
        if refused:
            raise AssertionError(f"refused: {refused}")
        count += len(some)
        keep_step(len(some))
    return count


def _parts(requests: Iterable[Request | Unreadable], size: int) -> Iterator[list[Request | Unreadable]]:
    rest = iter(requests)
    while part := list(islice(rest, size)):
        yield part


def _drain(house: House) -> None:
    """Until nothing is due any more; at once where reactions are carried out with the facts."""
    if not house.reacts:
        wait_until(lambda: not _due(house), "everything due is carried out", MADE_GOOD_SECONDS)


def _due(house: House) -> int:
    try:
        return house.reactor().oldest_due().waiting
    except LOST:
        return 1


def _behind(house: House) -> int:
    return sum(lag.events for lag in house.projector().lags())


def _wallets(engine: Engine) -> list[tuple[str, str, str]]:
    query = text("select casino, player, currency from read.balances order by 1, 2, 3")
    return [(casino, player, currency) for casino, player, currency in _asked(engine, query)]


def _some_settled(house: House, chance: Random) -> list[str]:
    """A few rounds that were settled and not reversed, told from the log."""
    query = text(
        "select substr(stream, 7) from log.events where type in ('round.settled', 'round.pot_settled') and stream"
        " not in (select stream from log.events where type = 'round.reversed') order by 1"
    )
    settled = [name for (name,) in _asked(house.engine, query)]
    return sorted(chance.sample(settled, min(2, len(settled))))


def _differences(expected: dict[str, list[str]], found: dict[str, list[str]]) -> Iterator[str]:
    for name, lines in expected.items():
        missing, more = Counter(lines) - Counter(found[name]), Counter(found[name]) - Counter(lines)
        yield from (f"{name}: missing {line}" for line in missing)
        yield from (f"{name}: unexpected {line}" for line in more)


def _measure(engine: Engine, figures: Figures) -> None:
    caused = text(
        "select effect.type, count(*), max(extract(epoch from effect.recorded_at - cause.recorded_at))::float"
        " from log.events effect join log.events cause on cause.event_id = effect.cause group by 1"
    )
    for kind, count, longest in _asked(engine, caused):
        figures.reactions[kind] = count
        figures.longest_wait_seconds = max(figures.longest_wait_seconds, longest)
    figures.events = house_on(engine).log.head().position


def _asked(engine: Engine, query: TextClause) -> Sequence[Any]:
    def ask() -> Sequence[Any]:
        with engine.connect() as connection:
            return connection.execute(query).all()

    return _patiently(ask)


def _patiently(ask: Callable[[], Answer]) -> Answer:
    """The answer of a database that may be restarting."""
    while True:
        try:
            return ask()
        except LOST:
            time.sleep(0.1)


@contextmanager
def _database(url: str, name: str) -> Iterator[Engine]:
    """A migrated database of that name on a server that need not survive the next power cut."""
    plain = psycopg_url(url).set(drivername="postgresql").render_as_string(hide_password=False)
    with psycopg.connect(plain, autocommit=True) as connection:
        connection.execute(f"create database {name}".encode())
        for setting in _QUICK:
            connection.execute(f"alter system set {setting}".encode())
        connection.execute("select pg_reload_conf()")
    engine = make_engine(psycopg_url(url).set(database=name))
    try:
        upgrade(engine)
        yield engine
    finally:
        engine.dispose()
