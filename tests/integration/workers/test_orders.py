"""What is ordered is made once, whole, whatever dies or is delivered twice; and found again when the broker forgot it."""

import hashlib
import json
from datetime import date
from pathlib import Path

import pytest
from command_line import backoffice
from evening_floor import Broker, Floor
from sqlalchemy import Engine, text

from backoffice.app import runs
from backoffice.app.orders import Order, UnknownOrder, alone_with, list_orders, open_orders, read_order
from backoffice.bootstrap import House
from backoffice.reports.asked import Asked, asked_of
from backoffice.reports.books.chart import BadChart, default_chart
from backoffice.reports.books.files import UnknownFile
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.exports import EXPORTS, UnknownExport
from backoffice.reports.making import UnknownReport
from ops.disturbances.crew import BEAT, Crew, worker
from ops.disturbances.servers import wait_until
from workers.exporting import fill_order, write_once
from workers.standing import standing
from workers.sweeping import filling, ordered

MAY = Asked("riga", date(2026, 5, 1), date(2026, 5, 31))


def known(engine: Engine, number: int) -> Order:
    with engine.connect() as connection:
        return read_order(connection, number)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_an_order_is_made_once_and_says_what_it_is(floor: Floor, tmp_path: Path) -> None:
    placed = floor.house.order("revenue", "json", MAY, "ann")
    assert fill_order(floor.house, placed.number, tmp_path)
    made = known(floor.engine, placed.number)
    content = (tmp_path / made.file).read_bytes()
    assert made.file == f"{placed.number:06d}-revenue.json"
    assert (made.size_bytes, made.sha256) == (len(content), hashlib.sha256(content).hexdigest())
    assert json.loads(content)["from"] == "2026-05-01"
    floor.house.reactor().carry_out(floor.cancel(floor.open_rounds()[0])[0])
    assert not fill_order(floor.house, placed.number, tmp_path), "delivered twice it writes once"
    assert (tmp_path / made.file).read_bytes() == content
    assert names(tmp_path) == [made.file]


def test_the_books_are_ordered_with_their_chart(floor: Floor, tmp_path: Path) -> None:
    chart = default_chart().replace("Players' balances", "Chips")
    placed = floor.house.order_books("journal", "beancount", MAY, chart, "ann")
    assert fill_order(floor.house, placed.number, tmp_path)
    content = (tmp_path / known(floor.engine, placed.number).file).read_text()
    assert "Liabilities:Riga:2000-Chips" in content
    # What cannot be made is said at once, or once it is known.
    with pytest.raises(BadChart):
        floor.house.order_books("journal", "beancount", MAY, "", "ann")
    with pytest.raises(UnknownFile):
        floor.house.order_books("trial-balance", "saft", MAY, chart, "ann")
    placed = floor.house.order_books("journal", "saft", MAY, chart, "ann")
    assert not fill_order(floor.house, placed.number, tmp_path)
    refused = known(floor.engine, placed.number).refused
    assert refused is not None
    assert "legal.company" in refused


def test_whoever_is_killed_between_writing_and_noting_leaves_the_note_to_the_next(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    placed = floor.house.order("balances", "csv", Asked(), "ann")
    with monkeypatch.context() as dying:
        dying.setattr("workers.exporting.note_made", killed)
        with pytest.raises(KeyboardInterrupt):
            fill_order(floor.house, placed.number, tmp_path)
    assert known(floor.engine, placed.number).is_open
    assert not fill_order(floor.house, placed.number, tmp_path)
    assert not known(floor.engine, placed.number).is_open


def test_what_somebody_is_at_is_left_to_him(floor: Floor, tmp_path: Path) -> None:
    placed = floor.house.order("balances", "csv", Asked(), "ann")
    with alone_with(floor.engine, placed.number) as order:
        assert order == placed
        assert not fill_order(floor.house, placed.number, tmp_path)
    assert fill_order(floor.house, placed.number, tmp_path)


def test_what_cannot_be_made_says_why_and_is_not_tried_again(floor: Floor, tmp_path: Path) -> None:
    placed = floor.house.order("revenue", "csv", Asked("oslo"), "ann")
    assert not fill_order(floor.house, placed.number, tmp_path)
    refused = known(floor.engine, placed.number).refused
    assert refused is not None
    assert refused.startswith("there is no casino oslo")
    assert ordered(floor.house) == []
    assert names(tmp_path) == []


def test_what_fails_for_another_reason_stays_open(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(_house: House, _order: Order, stream: object) -> None:
        stream.write(b"half of it")  # type: ignore[attr-defined]
        raise OSError("the disk is full")

    placed = floor.house.order("balances", "csv", Asked(), "ann")
    with monkeypatch.context() as broken:
        broken.setattr(House, "write_ordered", fails)
        with pytest.raises(OSError, match="the disk is full"):
            fill_order(floor.house, placed.number, tmp_path)
    assert names(tmp_path) == []
    assert ordered(floor.house) == [placed.number]
    assert fill_order(floor.house, placed.number, tmp_path)


def test_what_too_many_died_of_is_not_handed_out_again(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    placed = floor.house.order("balances", "csv", Asked(), "ann")
    other = floor.house.order("balances", "csv", Asked(), "ann")
    dead = runs.Deadly(filling(placed.number), runs.MOST_DEATHS, placed.ordered_at)
    monkeypatch.setattr("workers.sweeping.deadly_tasks", lambda _: [dead])
    assert ordered(floor.house) == [other.number]


def test_an_order_that_is_not_made_for_long_is_not_well(floor: Floor) -> None:
    floor.house.order("balances", "csv", Asked(), "ann")
    fresh = standing(floor.house, {})
    assert fresh.unmade == 1
    assert not any("ordered" in complaint for complaint in fresh.complaints())
    with floor.engine.begin() as connection:
        connection.execute(text("update intake.orders set ordered_at = now() - interval '3 hours'"))
    assert any(
        complaint.startswith("1 files that were ordered are not made, the oldest for 108")
        for complaint in standing(floor.house, {}).complaints()
    )


def test_what_there_is_not_cannot_be_ordered(floor: Floor, tmp_path: Path) -> None:
    with pytest.raises(UnknownReport, match="there is no report profits"):
        floor.house.order("profits", "csv", Asked(), "ann")
    with pytest.raises(UnknownReport, match="there is no form docx"):
        floor.house.order("revenue", "docx", Asked(), "ann")
    with pytest.raises(UnknownExport, match="no export balances as html"):
        floor.house.order("balances", "html", Asked(), "ann")
    with pytest.raises(UnknownReport, match="revenue knows no filter colour"):
        floor.house.order("revenue", "csv", Asked(only={"colour": "red"}), "ann")
    with pytest.raises(UnknownOrder, match="nothing was ordered as number 4711"):
        fill_order(floor.house, 4711, tmp_path)


def test_reports_and_exports_are_told_apart_by_name() -> None:
    assert not REPORTS.keys() & EXPORTS.keys()


@pytest.mark.parametrize("asked", [Asked(), MAY, Asked("lugano", only={"table": "floor-7"})])
def test_what_was_asked_is_the_same_behind_its_writing(asked: Asked) -> None:
    assert asked_of(json.loads(json.dumps(asked.plain()))) == asked


def test_parts_of_a_file_that_is_there_are_cleared_away(tmp_path: Path) -> None:
    target = tmp_path / "000001-revenue.csv"
    left = tmp_path / f".{target.name}.0123.part"
    left.write_bytes(b"half of it")
    other = tmp_path / ".000002-revenue.csv.0123.part"
    other.write_bytes(b"somebody is at it")
    assert write_once(target, lambda stream: stream.write(b"whole") and None)
    assert names(tmp_path) == [other.name, target.name]
    assert target.read_bytes() == b"whole"


def test_whoever_comes_second_leaves_the_first_ones_file(tmp_path: Path) -> None:
    target = tmp_path / "file"

    def overtaken(stream: object) -> None:
        assert write_once(target, lambda first: first.write(b"first") and None)
        stream.write(b"second")  # type: ignore[attr-defined]

    assert not write_once(target, overtaken)
    assert target.read_bytes() == b"first"
    assert names(tmp_path) == ["file"]


def test_workers_make_what_is_ordered_on_the_command_line(
    floor: Floor, crew: Crew, broker: Broker, tmp_path: Path, broker_url: str
) -> None:
    """No message is sent at all: the sweep finds the order. Its first worker is killed in the middle."""
    around = {"BACKOFFICE_BROKER_URL": broker_url, "BACKOFFICE_EXPORTS": str(tmp_path / "exports")}
    asked = ("report", "revenue-rounds", "--casino", "riga", "--format", "csv", "--order")
    said = backoffice(floor.engine, *asked, **around)
    assert said.code == 0, said.err
    target = tmp_path / "exports" / "000001-revenue-rounds.csv"
    assert said.out == f"ordered as number 1: it will be {target}\n"
    assert "still to be made" in backoffice(floor.engine, "report", "ordered", **around).out
    crew.die_at("rendering")
    crew.start("worker", worker("worker", processes=1))
    crew.start("beat", BEAT)
    wait_until(lambda: not crew.to_die("rendering"), "it died in the middle")
    assert not target.exists()
    wait_until(lambda: not ordered(floor.house), "another one made it")
    for _ in range(2):
        broker.send("fill_order", queue="exports", number=1)
    assert target.read_bytes().endswith(b"\n")
    assert f"{target.stat().st_size:,} bytes" in backoffice(floor.engine, "report", "ordered", **around).out
    wait_until(lambda: names(target.parent) == [target.name], "nothing else is left")


def test_an_order_without_workers_is_refused(floor: Floor) -> None:
    done = backoffice(floor.engine, "report", "revenue", "--order", BACKOFFICE_BROKER_URL="")
    assert done.code == 2
    assert "leave --order out" in done.err
    with floor.engine.connect() as connection:
        assert list(list_orders(connection)) == open_orders(connection) == []
