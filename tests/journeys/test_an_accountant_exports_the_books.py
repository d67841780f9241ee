"""At the end of the evening the accountant takes the books home as files, and can make them again at any time."""

import csv
from collections import Counter
from decimal import Decimal
from pathlib import Path

from command_line import backoffice, begun
from shared_folder import shared
from sqlalchemy import Engine

BOOKS = ("round-lines", "balances", "jackpot-meters", "jackpot-shares", "compensation-cases")


def test_an_accountant_exports_the_books(engine: Engine, tmp_path: Path) -> None:
    # As on any machine: a command of its own, which ends before the next one begins.
    feed, network = shared("feeds", "sample.jsonl"), shared("feeds", "network.toml")
    process = begun(engine, "import", feed, "--network", network)
    told, _ = process.communicate()
    assert process.returncode == 0
    assert "rounds             250" in told

    for name in BOOKS:
        assert (
            backoffice(engine, "export", name, "--format", "csv", "--out", tmp_path / f"{name}.csv").code == 0
        )
        assert (tmp_path / f"{name}.csv").read_bytes() == shared(
            "feeds", "expected", f"{name}.csv"
        ).read_bytes()

    # The books agree with each other: what players brought, won and lost is what they have.
    balances = _read(tmp_path / "balances.csv")
    moved: Counter[tuple[str, str, str]] = Counter()
    for line in _read(tmp_path / "round-lines.csv"):
        won = Decimal(line["payout"]) - Decimal(line["stake"])
        moved[line["casino"], line["player"], line["currency"]] += won  # type: ignore[assignment]
    for row in balances:
        brought = 50_000_000
        owner = (row["casino"], row["player"], row["currency"])
        assert Decimal(row["balance"]) == brought + moved[owner], owner

    # A pool holds what came in and did not go out.
    for meter in _read(tmp_path / "jackpot-meters.csv"):
        put, back, paid = (Decimal(meter[name]) for name in ("contributed", "refunded", "paid_out"))
        assert Decimal(meter["balance"]) == put - back - paid

    # Redrawn from the log, they are the same to the byte.
    assert backoffice(engine, "projections", "compare").code == 0
    assert backoffice(engine, "projections", "rebuild").code == 0
    for name in BOOKS:
        assert backoffice(engine, "export", name).out.encode() == (tmp_path / f"{name}.csv").read_bytes()


def _read(path: Path) -> list[dict[str, str]]:
    with path.open(newline="") as file:
        return list(csv.DictReader(file))
