"""`backoffice projections stuck` and `retry`: what cannot be projected or reacted to is shown, aged, and made good."""

from dataclasses import replace

import pytest
from evening_floor import Floor
from typer.testing import CliRunner, Result

from backoffice.bootstrap import CODEC
from backoffice.cli.main import app
from backoffice.cli.projections import age
from backoffice.domain.rounds.events import CancellationRequested
from backoffice.projections.changes import Change
from backoffice.projections.fact import Fact
from backoffice.projections.projector import Projector
from backoffice.projections.rounds import ROUNDS


@pytest.fixture
def poisoned(floor: Floor, database_url: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """A round whose cancellation could neither be projected nor reacted to, by a bug that is mended by now."""
    monkeypatch.setenv("BACKOFFICE_DATABASE_URL", database_url)
    name = floor.open_rounds()[0]

    def changes(fact: Fact) -> list[Change]:
        if isinstance(fact.event, CancellationRequested) and fact.event.round == name:
            raise ValueError("a bug")
        return list(ROUNDS.changes(fact))

    (position,) = floor.cancel(name)
    floor.house.reactor().give_up(position, "a bug")
    Projector(floor.engine, CODEC, [replace(ROUNDS, changes=changes)]).catch_up()
    return name


def run(*words: str) -> Result:
    return CliRunner().invoke(app, ["projections", *words])


def test_what_is_stuck_is_shown_and_retried(floor: Floor, poisoned: str) -> None:
    shown = run("stuck")
    assert shown.exit_code == 1
    assert f"round.cancellation_requested in round/{poisoned}: a bug" in shown.stdout
    assert "2 events stuck, 2 of them to blame" in shown.stdout
    assert run("stuck", "cases").stdout == "nothing is stuck\n"
    assert "current, 1 events stuck" in run("status").stdout
    retried = run("retry")
    assert retried.exit_code == 0
    assert [line.split() for line in retried.stdout.splitlines()] == [
        ["rounds", "1", "taken,", "0", "still", "stuck"],
        ["reactions", "1", "taken,", "0", "still", "stuck"],
    ]
    assert run("stuck").stdout == "nothing is stuck\n"
    assert floor.refunds(poisoned) == [1]


def test_one_reader_is_retried_by_its_name(floor: Floor, poisoned: str) -> None:
    assert run("retry", "reactions").exit_code == 0
    assert floor.refunds(poisoned) == [1]
    floor.house.projector().catch_up()
    assert "2 events stuck, 1 of them to blame" in run("stuck", "rounds").stdout
    assert run("retry", "rounds").exit_code == 0
    assert list(floor.house.projector().compare()) == []


@pytest.mark.parametrize(
    ("seconds", "told"), [(0.4, "0 s"), (119, "119 s"), (600, "10 min"), (7300, "2 h"), (200_000, "2 d")]
)
def test_ages_are_told_in_the_largest_unit_that_makes_sense(seconds: float, told: str) -> None:
    assert age(seconds) == told
