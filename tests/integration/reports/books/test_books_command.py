"""`backoffice books`: files with their manifests, the chart to begin with, refusals in a sentence."""

import csv
import json
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from hashlib import sha256
from io import StringIO
from pathlib import Path

import pytest
from command_line import Done, backoffice

from backoffice.bootstrap import House
from backoffice.reports.books.chart import read_chart
from backoffice.reports.books.files import FORMATS, AccountingFile

EVERY = [(name, form) for name, forms in FORMATS.items() for form in forms if form != "saft"]
"""SAF-T files need more than the example network says: see test_saft."""


def books(house: House, *arguments: str | Path) -> Done:
    return backoffice(house.engine, "books", *arguments)


def test_the_chart_to_begin_with_is_printed_and_can_be_given_back(
    sample_house: House, tmp_path: Path
) -> None:
    path = tmp_path / "chart.toml"
    path.write_text(books(sample_house, "chart").out, encoding="utf-8")
    assert read_chart(path) == read_chart()
    path.write_text(path.read_text().replace("Players' balances", "Chips & balances"), encoding="utf-8")
    told = books(sample_house, "export", "trial-balance", "--chart", path, "--casino", "tallinn")
    assert "tallinn,2026-03-01,2000,Chips & balances,liability,EUR,0.00," in told.out


@pytest.mark.parametrize(("name", "form"), EVERY)
def test_a_file_has_a_manifest_of_its_hash_rows_totals_and_place_in_the_log(
    sample_house: House, tmp_path: Path, name: str, form: str
) -> None:
    target = tmp_path / f"{name}.{form}"
    legal = ["--casino", "stockholm", "--currency", "SEK"]
    done = books(sample_house, "export", name, "--format", form, *legal, "--out", target)
    assert (done.code, done.err) == (0, "")
    assert {path.name for path in tmp_path.iterdir()} == {target.name, f"{target.name}.manifest.json"}
    manifest = json.loads((tmp_path / f"{target.name}.manifest.json").read_text())
    data, head = target.read_bytes(), sample_house.log.head()
    assert (manifest["file"], manifest["sha256"], manifest["bytes"]) == (
        target.name,
        sha256(data).hexdigest(),
        len(data),
    )
    assert (manifest["log"], manifest["position"], manifest["hash"]) == (
        head.log_id,
        str(head.position),
        head.hash.hex(),
    )
    assert (manifest["format"], manifest["activity"], manifest["chart"]) == (
        form,
        True,
        "Casino, default chart",
    )
    assert manifest["rows"] > 0
    (total,) = manifest["totals"]
    journal = books(sample_house, "export", "journal", *legal)
    assert (total["debit"], total["credit"]) == tuple(_sums(journal.out))
    # Again, the same: to the byte, as is what goes to a pipe.
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]
    assert books(sample_house, "export", name, "--format", form, *legal, "--out", target).code == 0
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before


def test_files_of_the_same_log_have_the_same_bytes_after_a_rebuild(
    sample_house: House, tmp_path: Path
) -> None:
    def written() -> list[bytes]:
        for name, form in EVERY:
            target = tmp_path / f"{name}.{form}"
            asked = ["--casino", "lugano", "--day", "2026-03-01"]
            assert books(sample_house, "export", name, "--format", form, *asked, "--out", target).code == 0
        return [path.read_bytes() for path in sorted(tmp_path.iterdir())]

    before = written()
    sample_house.projector().rebuild("entries")
    assert written() == before


def _sums(journal: str) -> list[str]:
    sums: Counter[str] = Counter()
    for row in csv.DictReader(StringIO(journal, newline="")):
        for side in ("debit", "credit"):
            sums[side] += Decimal(row[side] or 0)  # type: ignore[assignment]
    return [str(sums["debit"]), str(sums["credit"])]


@pytest.mark.parametrize("name", FORMATS)
def test_an_empty_period_gives_a_whole_file_that_says_so(
    sample_house: House, tmp_path: Path, name: str
) -> None:
    target = tmp_path / "empty.csv"
    done = books(sample_house, "export", name, "--day", "2020-01-01", "--out", target)
    assert (done.code, done.err) == (0, "")
    assert target.read_text().count("\n") == 1
    manifest = json.loads((tmp_path / "empty.csv.manifest.json").read_text())
    assert (manifest["rows"], manifest["activity"], manifest["totals"]) == (0, False, [])


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["trial-balance", "--casino", "riga"], "there is no casino riga: lugano, stockholm, tallinn"),
        (["trial-balance", "--format", "beancount"], "there is no trial-balance as beancount"),
        (["journal", "--by", "day"], "journal knows no filter by: currency"),
        (["journal", "--chart", "nowhere.toml"], "nowhere.toml"),
        (["journal", "--order"], "nobody makes what is ordered without workers"),
        (["journal", "--format", "saft", "--casino", "tallinn"], "legal.company.country is missing"),
    ],
)
def test_what_cannot_be_made_is_said_and_leaves_no_file(
    sample_house: House, tmp_path: Path, arguments: list[str], reason: str
) -> None:
    done = books(sample_house, "export", *arguments, "--out", tmp_path / "file")
    assert done.code == 2
    assert reason in done.err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_breaks_off_leaves_the_older_one_with_its_manifest(
    sample_house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "journal.csv"
    assert books(sample_house, "export", "journal", "--casino", "lugano", "--out", target).code == 0
    before = [path.read_bytes() for path in sorted(tmp_path.iterdir())]

    def breaking(made: AccountingFile) -> Iterator[bytes]:
        yield b"half of it"
        raise OSError("the disk is full")

    monkeypatch.setattr(AccountingFile, "pieces", breaking)
    done = books(sample_house, "export", "journal", "--out", target)
    assert (done.code, done.err) == (2, "backoffice: the disk is full\n")
    assert [path.read_bytes() for path in sorted(tmp_path.iterdir())] == before


def test_the_networks_own_book_can_be_asked_for(sample_house: House) -> None:
    told = books(sample_house, "export", "trial-balance", "--casino=-", "--by", "month")
    rows = list(csv.DictReader(StringIO(told.out, newline="")))
    assert {row["casino"] for row in rows} == {"-"}
    assert "2026-03" in {row["period"] for row in rows}
