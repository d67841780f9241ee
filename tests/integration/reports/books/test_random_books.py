"""Books of random evenings: reversals, debts, corrections, reserves, pots and pools of several casinos, yen and dinars, facts
that come days late, days closed in the middle. Beancount and hledger prove every day's end against the balances.
"""

import csv
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from io import StringIO
from pathlib import Path

import pytest
from databases import database
from random_office import played
from uuid_utils.compat import uuid7

from backoffice.bootstrap import CODEC, House, house_on
from backoffice.domain.days.events import DayClosed
from backoffice.domain.event import Event
from backoffice.domain.ledger import postings
from backoffice.kernel.calendar import Days
from backoffice.log.envelope import NewEvent
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.files import accounting_file

BEGIN = datetime(2026, 3, 26, 20, tzinfo=UTC)
"""Three days before the clocks of Europe are put forward."""
CASINOS = ("tallinn", "stockholm", "kuwait", "lugano")
CHART = read_chart()
SEEDS = (2, 6)
"""Evenings that between them move every kind of account."""


def evening(seed: int) -> Iterator[tuple[datetime, Event]]:
    """Facts of some days, each with its table's time: that goes on, but some come late, and days are closed meanwhile."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    now, closed = BEGIN, BEGIN.date() - timedelta(days=3)
    position = 0
    upto = dict.fromkeys(CASINOS, 0)
    for event in played(seed, 1500)[0].events:
        position += 1
        now += timedelta(minutes=chance.randint(0, 12))
        late = timedelta(hours=chance.choice([0, 0, 0, 0, 1, 30, 100]))
        yield max(BEGIN, now - late), event
        if closed < now.date() - timedelta(days=2):
            closed += timedelta(days=1)
            for casino in CASINOS:
                position += 1
                upto[casino] = max(upto[casino], position - chance.randint(1, 5))
                yield now, closing(casino, closed, upto[casino])


def closing(casino: str, day: date, upto: int) -> DayClosed:
    return DayClosed(
        casino=casino, day=day, begins_at=BEGIN, ends_at=BEGIN, upto=upto, hash="0" * 64, figures=(), unfinished=(), by="ada"
    )  # fmt: skip


@pytest.fixture(params=SEEDS, scope="module")
def house(request: pytest.FixtureRequest, postgres_url: str, template_database: str) -> Iterator[House]:
    with database(postgres_url, template_database) as engine:
        house, versions = house_on(engine), Counter[str]()
        with house.log.writing() as writer:
            for moment, event in evening(request.param):
                versions[event.stream] += 1
                place = event.stream, versions[event.stream], event.type_name, event.schema_number
                writer.append([NewEvent(uuid7(), *place, moment, "table", None, None, CODEC.encode(event))])
        house.projector().rebuild()
        yield house


def written(house: House, form: str, asked: Asked = Asked(), name: str = "journal") -> bytes:  # noqa: B008 - frozen
    with accounting_file(house.engine, house.codec, CHART, name, form, asked) as made:
        return b"".join(made.pieces())


def proof(form: str) -> list[str | Path]:
    if form == "beancount":
        return [Path(sys.executable).with_name("bean-check"), "--no-cache"]
    if shutil.which("hledger") is None:
        pytest.skip("hledger is not on this machine: its journals are not proved here")
    return ["hledger", "check", "-s", "ordereddates", "-f"]


def test_these_evenings_move_every_kind_of_account() -> None:
    kinds = {account.kind for seed in SEEDS for _, event in evening(seed) for account, *_ in postings(event)}
    assert kinds == {kind for account in CHART.account for kind in account.kinds}


def test_every_day_of_random_evenings_ends_with_what_the_balances_say(house: House, tmp_path: Path) -> None:
    middle = (BEGIN + timedelta(days=2)).date()
    periods = {
        "everything": Asked(),
        "some days": Asked(None, middle, middle + timedelta(days=1)),
        "days of UTC": Asked(days=Days.UTC),
        "dinars": Asked("kuwait", middle, middle),
    }
    for form in ("beancount", "hledger"):
        for name, asked in periods.items():
            path = tmp_path / f"{name}.{form}"
            path.write_bytes(written(house, form, asked))
            environment = {**os.environ, "LANG": "C.UTF-8"}
            command = [*proof(form), path]
            done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
            assert (done.returncode, done.stdout, done.stderr) == (0, "", ""), name


def test_trial_balances_of_random_evenings_are_nought_day_by_day(house: House) -> None:
    sums: Counter[tuple[str, ...]] = Counter()
    table = written(house, "csv", Asked(only={"by": "day"}), "trial-balance").decode()
    for row in csv.DictReader(StringIO(table, newline="")):
        for column in ("opening", "closing"):
            sums[row["casino"], row["period"], row["currency"], column] += _amount(row[column])  # type: ignore[assignment]
        moved = _amount(row["debit"]) - _amount(row["credit"])
        sums[row["casino"], row["period"], row["currency"], "moved"] += moved  # type: ignore[assignment]
    assert len({period for _, period, *_ in sums}) > 3
    assert not any(sums.values())


def _amount(cell: str) -> Decimal:
    return Decimal(cell or 0)
