"""A compliance officer produces an evening's files for two authorities, and those of the day on which a round was reversed."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

from command_line import ROOT, Done, backoffice
from lxml import etree
from sqlalchemy import Engine

SAMPLE = ROOT / "ops" / "sample"


def test_a_compliance_officer_hands_in_files(engine: Engine, tmp_path: Path) -> None:
    def run(*arguments: str | Path) -> Done:
        done = backoffice(engine, *arguments)
        assert done.code == 0, done.err
        return done

    def produce(kind: str, day: str) -> list[Path]:
        told = run(*asked_for(kind, day, tmp_path)).out
        return [Path(line.split("  ")[0]) for line in told.splitlines() if "number" in line]

    run("import", SAMPLE / "feed.jsonl", "--network", SAMPLE / "network.toml")
    assert "EndOfDayRapport" in run("files", "kinds").out

    # The evening, for Denmark and for Malta.
    (sessions,) = produce("dk-single-player-sessions", "2026-05-04")
    (report,) = produce("dk-end-of-day", "2026-05-04")
    (tables,) = produce("mga-live-tables", "2026-05-04")
    assert etree.parse(sessions).find(".//{*}KasinospilSession") is not None

    # Asked for again, the same files are there, and no number was used.
    before = sessions.read_bytes()
    assert produce("dk-single-player-sessions", "2026-05-04") == [sessions]
    assert sessions.read_bytes() == before

    # A round turns out to have been misread: the evening's files stay as they are, the day that goes on will call it back.
    round_id = a_settled_round(engine)
    run("cancel", round_id, "--reason", "a card was misread", "--as", "mia")
    run("cases", "approve", f"reversal/{round_id}", "--proposal", "1", "--as", "otto:compliance")
    assert produce("dk-single-player-sessions", "2026-05-04") == [sessions]
    assert sessions.read_bytes() == before
    tomorrow = datetime.now(UTC).date() + timedelta(days=1)
    early = backoffice(engine, *asked_for("dk-single-player-sessions", str(tomorrow), tmp_path))
    assert (early.code, "is not over: it ends at" in early.err) == (2, True)

    # The register says what was handed in, from which place of the log, with which hash.
    register = [json.loads(line) for line in run("files", "list", "--json").out.splitlines()]
    assert [(one["authority"], one["number"], one["name"]) for one in register] == [
        ("dk", 1, "dk-single-player-sessions"),
        ("dk", 2, "dk-end-of-day"),
        ("mga", 1, "mga-live-tables"),
    ]
    report.unlink()
    shown = json.loads(run("files", "show", "riga", "dk", "2", "--out", tmp_path).out)
    assert Path(shown["path"]) == report
    assert report.exists()
    assert tables.exists()


def asked_for(kind: str, day: str, out: Path) -> tuple[str | Path, ...]:
    """The words of the command line."""
    return (
        "files",
        "produce",
        kind,
        "--casino",
        "riga",
        "--day",
        day,
        "--out",
        out,
        "--as",
        "ann:compliance",
    )


def a_settled_round(engine: Engine) -> str:
    """Some round of Riga's players."""
    with engine.connect() as connection:
        return str(
            connection.exec_driver_sql(
                "select round from read.round_lines where casino = 'riga' and result = 'lose' order by round limit 1"
            ).scalar_one()
        )
