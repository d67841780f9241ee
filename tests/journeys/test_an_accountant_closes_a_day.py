"""The accountant closes a gaming day and hands its report in; a round of it is reversed later, and nothing is lost."""

import json
from datetime import date, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

from command_line import backoffice
from shared_folder import shared
from sqlalchemy import Engine


def rows(engine: Engine, *asked: str) -> list[dict[str, Any]]:
    done = backoffice(engine, "report", *asked, "--casino", "tallinn", "--format", "json")
    assert done.code == 0, done.err
    return json.loads(done.out)["rows"]  # type: ignore[no-any-return]


def ggr(told: list[dict[str, Any]]) -> Decimal:
    return sum((Decimal(row["ggr"]) for row in told), Decimal())


def test_an_accountant_closes_a_day(engine: Engine, tmp_path: Path) -> None:
    feed, network = shared("feeds", "sample.jsonl"), shared("feeds", "network.toml")
    assert backoffice(engine, "import", feed, "--network", network).code == 0
    first = min(row["day"] for row in rows(engine, "revenue"))
    second = str(date.fromisoformat(first) + timedelta(days=1))
    close = ("day", "close", "tallinn")

    # The days are closed in their order, and once.
    assert backoffice(engine, *close, first, "--as", "ann:accountant").code == 0
    again = backoffice(engine, *close, first, "--as", "ann:accountant")
    assert (again.code, again.err) == (1, f"refused: {first} of tallinn is closed already\n")
    handed_in = tmp_path / "handed-in.html"
    paper = ("report", "closed-day", "--casino", "tallinn", "--day", first)
    assert backoffice(engine, *paper, "--out", handed_in).code == 0

    # A lost round of that day turns out to have been dealt wrongly: two people take it back.
    details = rows(engine, "revenue-rounds", "--day", first)
    lost = next(row for row in details if Decimal(row["ggr"]) > 0 and row["table"] != "stud-10-20")
    assert backoffice(engine, "cancel", lost["round"], "--reason", "marked cards", "--as", "mia").code == 0
    approve = ("cases", "approve", f"reversal/{lost['round']}", "--as", "otto:compliance")
    assert backoffice(engine, *approve).code == 0

    # What was handed in stays, to the byte; the next day says what became known, and the day itself on demand.
    copy = tmp_path / "copy.html"
    assert backoffice(engine, *paper, "--out", copy).code == 0
    assert copy.read_bytes() == handed_in.read_bytes()
    prior = [row for row in rows(engine, "revenue", "--day", second) if row["prior"]]
    assert {row["prior"] for row in prior} == {first}
    reported, known = (
        ggr(rows(engine, "revenue", "--day", first, *only)) for only in ((), ("--only", "as=now-known"))
    )
    assert reported + ggr(prior) == known
    assert {row["difference"] for row in rows(engine, "house-account")} == {"0.00"}
