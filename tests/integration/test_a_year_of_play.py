"""The short form of `ops/year`: every step on a small feed spread over the year. The long form has a million actions."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from zoneinfo import ZoneInfo

import pytest
from databases import database
from sqlalchemy import text

from backoffice.bootstrap import House, house_on
from backoffice.reports.catalogue import REPORTS
from ops.twelvemonth.footing import Footing, footings
from ops.twelvemonth.steps import Made, Year, steps

ACTIONS = 2000


class Played(NamedTuple):
    house: House
    year: Year
    made: dict[str, Made]


@pytest.fixture(scope="module")
def played(
    postgres_url: str, template_database: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Played]:
    year = Year(ACTIONS, tmp_path_factory.mktemp("year"))
    with database(postgres_url, template_database) as engine:
        house = house_on(engine)
        yield Played(house, year, {name: step(house, year) for name, step in steps().items()})


def test_every_report_and_file_of_the_year_is_made_and_all_sums_agree(played: Played) -> None:
    """What does not agree has raised already."""
    assert {f"report {name}" for name in REPORTS} < set(played.made)
    assert not [name for name, made in played.made.items() if name.startswith("report") and not made.files]
    assert played.made["projections compared"].note == "no difference"
    assert int(played.made["cross-footing"].note.split()[0]) > 20


@pytest.mark.parametrize(
    ("form", "proof"),
    [
        ("beancount", [Path(sys.executable).with_name("bean-check"), "--no-cache"]),
        ("hledger", ["hledger", "check", "-s", "ordereddates", "-f"]),
    ],
)
def test_every_day_of_the_year_ends_with_what_the_balances_say(
    played: Played, form: str, proof: list[str | Path]
) -> None:
    """By the programs that the journals are for; across both clock changes, in three books and the network's own."""
    if shutil.which(proof[0]) is None:
        pytest.skip(f"{proof[0]} is not on this machine: its journal of the year is not proved here")
    path = played.year.folder / f"books-journal.{form}"
    told = path.read_text(encoding="utf-8")
    assert told.count(" balance " if form == "beancount" else "Day end") > 365
    environment = {**os.environ, "LANG": "C.UTF-8"}
    done = subprocess.run([*proof, path], capture_output=True, text=True, check=False, env=environment)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_something_happens_in_every_month_and_on_the_days_of_23_and_25_hours(played: Played) -> None:
    query = text("select happened_at from log.events where stream like 'round/%'")
    with played.house.engine.connect() as connection:
        moments = connection.execute(query).scalars().all()
    local = [at.astimezone(ZoneInfo("Europe/Copenhagen")) for at in moments]
    assert {at.month for at in local if at.year == 2025} == set(range(1, 13))
    days = {at.date().isoformat() for at in local}
    assert {"2025-03-30", "2025-10-26"} <= days


def test_cross_footing_finds_a_changed_figure(played: Played) -> None:
    assert not differing(played)
    path = played.year.folder / "revenue.2025-06.csv"
    kept = path.read_bytes()
    *above, last = kept.splitlines()
    path.write_bytes(b"\n".join([*above, last.replace(b"0", b"1")]))
    assert "revenue: months and year" in differing(played)
    path.write_bytes(kept)
    path.with_name("returns.year.csv").rename(path.with_name("kept"))
    path.with_name("returns.year.csv").write_bytes(path.with_name("returns.2025-01.csv").read_bytes())
    assert {"returns: months and year", "revenue and returns: stake"} <= set(differing(played))
    path.with_name("kept").rename(path.with_name("returns.year.csv"))


def differing(played: Played) -> list[str]:
    found: list[Footing] = list(footings(played.house, played.year.folder))
    return [one.what for one in found if one.difference]
