"""Reports are made from one position of the log, all read models at it, and give the same bytes ever again."""

import json
import threading
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from command_line import backoffice
from front_door import a_handler, deposit, founding, take, whole_round
from sqlalchemy import Engine, event, func, select, text

from backoffice.bootstrap import CODEC, House, house_on
from backoffice.db import make_engine
from backoffice.kernel.calendar import Days
from backoffice.projections.levelling import Incomplete
from backoffice.projections.projector import Projector
from backoffice.projections.round_lines import ROUND_LINES, round_lines
from backoffice.projections.rounds import ROUNDS, rounds
from backoffice.projections.stuck import set_aside
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.making import Made, UnknownReport, making
from backoffice.reports.reading import UnknownCasino, Unsettled, reading
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Report

PERIODS = {
    "everything": Asked(),
    "one day": Asked("tallinn", date(2026, 3, 1), date(2026, 3, 1)),
    "a day on which nothing was": Asked("tallinn", date(2020, 3, 1), date(2020, 3, 1)),
    "a month of UTC": Asked(None, date(2026, 3, 1), date(2026, 3, 31), Days.UTC),
}
AT_ANY_TIME = [name for name, report in REPORTS.items() if not (report.pinned or report.wants)]
"""Those that tell of no single fact or player, who may not be there."""


def told(house: House, report: Report, asked: Asked, form: str = "json") -> bytes:
    with making(house.engine, house.codec, report, asked) as made:
        return b"".join(FORMS[form](made))


@pytest.mark.parametrize("asked", PERIODS.values(), ids=PERIODS)
@pytest.mark.parametrize("name", AT_ANY_TIME)
def test_a_report_of_the_same_log_has_the_same_bytes(sample_house: House, name: str, asked: Asked) -> None:
    for form in FORMS if name == "revenue" else ["json"]:
        assert told(sample_house, REPORTS[name], asked, form) == told(
            sample_house, REPORTS[name], asked, form
        )


@pytest.mark.parametrize("name", AT_ANY_TIME)
def test_a_report_of_an_empty_log_is_whole(engine: Engine, name: str) -> None:
    with making(engine, CODEC, REPORTS[name], Asked()) as made:
        said = json.loads(b"".join(FORMS["json"](made)))
    assert said["generated_at"] == "the log is empty"
    assert (said["rows"], said["activity"], said["position"]) == ([], False, "0")


def test_a_report_says_from_which_place_of_which_log_it_is(sample_house: House) -> None:
    said = json.loads(told(sample_house, REPORTS["calendar-days"], PERIODS["one day"]))
    head = sample_house.log.head()
    assert (said["log"], said["position"], said["hash"]) == (head.log_id, str(head.position), head.hash.hex())
    assert (said["title"], said["version"], said["casino"], said["from"], said["network"]) == (
        "Days of the calendar",
        "1",
        "tallinn",
        "2026-03-01",
        "baltic",
    )


def test_its_time_is_that_of_its_position_not_of_a_clock(sample_house: House) -> None:
    with sample_house.engine.connect() as connection:
        recorded = connection.execute(text("select max(recorded_at) from log.events")).scalar_one()
    said = json.loads(told(sample_house, REPORTS["calendar-days"], Asked()))
    assert said["generated_at"] == recorded.replace(tzinfo=None).isoformat() + "Z"


def test_all_read_models_of_a_reading_are_at_one_position_while_facts_come_in(engine: Engine) -> None:
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))
    over = threading.Event()

    def play() -> None:
        number = 0
        while not over.is_set():
            number += 1
            take(handler, *whole_round(f"r-{number}", "ann"))

    playing = threading.Thread(target=play)
    playing.start()
    try:
        for _ in range(8):
            with reading(engine, CODEC, [ROUNDS, ROUND_LINES], Asked()) as snapshot:
                settled = select(func.count()).select_from(rounds).where(rounds.c.phase == "settled")
                lined = select(func.count(round_lines.c.round.distinct()))
                connection = snapshot.connection
                assert connection.execute(settled).scalar() == connection.execute(lined).scalar()
                furthest = select(func.max(round_lines.c.position))
                assert (connection.execute(furthest).scalar() or 0) <= snapshot.place.position
    finally:
        over.set()
        playing.join()


def test_a_replica_that_nothing_can_be_written_to_makes_reports_too(sample_house: House) -> None:
    reading_only = make_engine(sample_house.engine.url)

    @event.listens_for(reading_only, "connect")
    def only_read(connection: Any, _record: object) -> None:
        connection.autocommit = True
        connection.execute("set default_transaction_read_only = on")
        connection.autocommit = False

    replica = house_on(reading_only)
    try:
        assert told(replica, REPORTS["revenue"], Asked()) == told(sample_house, REPORTS["revenue"], Asked())
    finally:
        reading_only.dispose()


def test_read_models_that_cannot_be_had_at_one_position_are_named(
    engine: Engine, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody else moves one of them on, every time just before the snapshot."""
    handler = a_handler(engine)
    take(handler, founding(), deposit("ann"))

    def moved_on(*_: object) -> None:
        take(handler, deposit("ann", "1.00"))
        Projector(engine, CODEC).catch_up("rounds")

    monkeypatch.setattr("backoffice.reports.reading.PAUSES_SECONDS", (0, 0))
    monkeypatch.setattr("backoffice.reports.reading.level", moved_on)
    with (
        pytest.raises(Unsettled, match="round-lines, rounds are not at one position of the log"),
        reading(engine, CODEC, [ROUNDS, ROUND_LINES], Asked()),
    ):
        pass


def test_a_report_from_a_read_model_that_lacks_something_is_refused(engine: Engine) -> None:
    take(a_handler(engine), founding(), deposit("ann"), *whole_round("r-1", "ann"))
    Projector(engine, CODEC).catch_up()
    with engine.begin() as connection:
        set_aside(connection, ROUNDS.checkpoint, [(3, "round/r-1", "round.opened", None, "a bug")])
    with (
        pytest.raises(
            Incomplete, match=r"rounds lacks 1 events that are stuck: see `backoffice projections stuck`"
        ),
        reading(engine, CODEC, [ROUNDS], Asked()),
    ):
        pass


def test_a_casino_or_a_filter_that_is_not_there_is_said_before_the_first_byte(sample_house: House) -> None:
    report = REPORTS["calendar-days"]
    with (
        pytest.raises(UnknownCasino, match="there is no casino riga: lugano, stockholm, tallinn"),
        making(sample_house.engine, CODEC, report, Asked("riga")),
    ):
        pass
    with (
        pytest.raises(UnknownReport, match="player-statement is not made without player"),
        sample_house.report("player-statement", Asked("tallinn")),
    ):
        pass
    with (
        pytest.raises(UnknownReport, match="calendar-days knows no filter colour"),
        making(sample_house.engine, CODEC, report, Asked(only={"colour": "red"})),
    ):
        pass


def test_a_file_is_whole_or_not_there(sample_house: House, tmp_path: Path) -> None:
    target = tmp_path / "days.csv"
    done = backoffice(sample_house.engine, "report", "calendar-days", "--month", "2026-03", "--out", target)
    assert done.code == 0, done.err
    assert target.read_text().count("\ntallinn,") == 31 + 1
    assert list(tmp_path.iterdir()) == [target]


def test_a_report_that_breaks_off_leaves_the_older_file_as_it_was(
    sample_house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def breaking(_: Made) -> Iterator[bytes]:
        yield b"half of it"
        raise OSError("the disk is full")

    monkeypatch.setattr("backoffice.cli.reports.FORMS", {"csv": breaking})
    target = tmp_path / "days.csv"
    target.write_text("older")
    done = backoffice(sample_house.engine, "report", "calendar-days", "--out", target)
    assert (done.code, done.err) == (2, "backoffice: the disk is full\n")
    assert target.read_text() == "older"
    assert list(tmp_path.iterdir()) == [target]


def test_the_command_line_lists_every_report(sample_house: House) -> None:
    listed = backoffice(sample_house.engine, "report", "list").out
    for name in REPORTS:
        assert f"\n{name} " in f"\n{listed}"


@pytest.mark.parametrize(
    "period",
    [
        ["--day", "2026-03-01", "--month", "2026-03"],
        ["--from", "2026-03-01"],
        ["--from", "2026-03-02", "--to", "2026-03-01"],
    ],
)
def test_a_period_that_is_none_is_said(sample_house: House, period: list[str]) -> None:
    done = backoffice(sample_house.engine, "report", "calendar-days", *period)
    assert done.code == 2
    assert "day" in done.err
