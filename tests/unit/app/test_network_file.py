"""A network file is taken whole, or refused with every line and reason a person needs to put it right."""

from pathlib import Path

import pytest
from shared_folder import shared

from backoffice.app.network_file import BadNetworkFile, line_of, read_network
from backoffice.domain.network.contradictions import Place

TEXT = shared("feeds", "network.toml").read_text(encoding="utf-8")


def refusals(folder: Path, text: str) -> list[str]:
    path = folder / "network.toml"
    path.write_bytes(text.encode())
    with pytest.raises(BadNetworkFile) as refused:
        read_network(path)
    return [
        told.removeprefix(f"{path}, ").removeprefix(f"{path}: ") for told in str(refused.value).split("\n")
    ]


def changed(old: str, new: str) -> str:
    assert old in TEXT, old
    return TEXT.replace(old, new, 1)


def number_of(text: str, line: str) -> int:
    """The number of the one line that begins so."""
    (number,) = (number for number, one in enumerate(text.split("\n"), 1) if one.startswith(line))
    return number


def test_the_example_network_is_taken() -> None:
    file = read_network(shared("feeds", "network.toml"))
    assert file.network.id == "baltic"
    assert [table.id for table in file.table][:2] == ["live-1", "low-24h"]


NO_ZONE = "is no time zone of the IANA database (as Europe/Tallinn is one)"


@pytest.mark.parametrize("text", ["\ufeff" + TEXT, TEXT.replace("\n", "\r\n"), TEXT.rstrip("\n")])
def test_a_file_from_another_editor_says_the_same(tmp_path: Path, text: str) -> None:
    path = tmp_path / "network.toml"
    path.write_bytes(text.encode())
    assert read_network(path) == read_network(shared("feeds", "network.toml"))


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('pool = "80" }', 'pool = "80.5" }', "80.5 has more digits than JPY has (0)"),
        ('pool = "0.40" }', 'pool = "0.405" }', "0.405 has more digits than CHF has (2)"),
        ('stake = "160"', 'stake = "160.0"', "160.0 has more digits than JPY has (0)"),
        ('stake = "10.00"', 'stake = "0.00"', "an amount is greater than zero"),
        ('pool = "0.50"', 'pool = "1.50"', "a part of 1.50 for the pool is more than the chip of 1.00"),
        ('seed = "50000.00"', 'ceiling = "50.00"\nseed = "50000.00"', "the ceiling 50.00 is below the seed 50000.00"),
        ('currency = "EUR"             #', 'currency = "SEK" #', "jackpot royal is kept in the network's base currency, EUR"),
        ('seed = "50000.00"', 'seed = "50000.005"', "50000.005 has more digits than EUR has (2)"),
        ('"caribbean-live/1"', '"caribbean-live/9"', "there is no book caribbean-live/9"),
        ('"five-card-stud/1"', '"whist/1"', "there is no book whist/1"),
        ('["tallinn", "stockholm"]', '["stockholm", "tallinn", "oslo"]', "there is no casino oslo"),
        ('jackpot = "royal"', 'jackpot = "imperial"', "there is no jackpot imperial"),
        ('EUR = ["1.00", "500.00"]', 'EUR = ["9.00", "1.00"]', "the maximum 1.00 is below the minimum 9.00"),
        ('JPY = ["200", "80000"]', 'JPY = ["200.5", "80000"]', "200.5 has more digits than JPY has (0)"),
        ('id = "low-24h"', 'id = "live-1"', "table live-1 stands there twice"),
        ('id = "stockholm"', 'id = "tallinn"', "casino tallinn stands there twice"),
        ('id = "ticino"', 'id = "royal"', "jackpot royal stands there twice"),
        ('SEK = "11.4210"', 'EUR = "1.0"', "EUR is the base currency: it has no rate to itself"),
        ('SEK = "11.4210"', 'SEK = "0.0"', "a rate is greater than zero"),
        ('SEK = "11.4210"', 'XXX = "1.0"', "XXX has no minor unit in ISO 4217"),
        ('SEK = "11.4210"', 'QQQ = "1.0"', "QQQ is no ISO 4217 currency"),
        ('timezone = "Europe/Zurich"', 'timezone = "Mars/Olympus"', f"Mars/Olympus {NO_ZONE}"),
        ('timezone = "Europe/Zurich"', 'timezone = "Europe"', f"Europe {NO_ZONE}"),
        ('timezone = "Europe/Zurich"', 'timezone = "../../etc"', f"../../etc {NO_ZONE}"),
        ('big = "20.00"', 'big = "9.00"', "the big limit 9.00 is below the small one 10.00"),
        ('bring_in = "5.00"', 'bring_in = "10.00"', "a bring-in of 10.00 is not below 10.00, the small limit"),
        ('rake_percent = "0"', 'rake_percent = "101"', "a rake of 101% is more than the pot"),
        ('max_payout = { EUR', 'max_payout = { YYY', "YYY is no ISO 4217 currency"),
    ],
)  # fmt: skip
def test_a_contradiction_is_refused_with_its_line(tmp_path: Path, old: str, new: str, reason: str) -> None:
    text = changed(old, new)
    line = TEXT[: TEXT.index(old)].count("\n") + 1
    assert f"line {line}: {reason}" in refusals(tmp_path, text)


def test_a_chip_whose_table_has_no_prizes_in_its_currency_is_refused(tmp_path: Path) -> None:
    text = changed(
        'CHF = { stake = "2.00"', 'EUR = { stake = "2.00", pool = "0.40" }\nCHF = { stake = "2.00"'
    )
    line = number_of(text, 'EUR = { stake = "2.00"')
    assert refusals(tmp_path, text) == [f"line {line}: no table of jackpot ticino has a prize table in EUR"]


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('id = "baltic"', 'id = "baltic"\nname = "x"', "name: is not known here"),
        ('SEK = "11.4210"', "SEK = 11.4210", "SEK: input should be a valid string"),
        ('pool = "0.50" }', 'pool = 0.50 }', "pool: input should be a valid string"),
        ('split = "equal"', 'split = "fairly"', "split: input should be 'equal' or 'by_stake'"),
        ('currencies = ["EUR"]', "currencies = 'EUR'", "currencies: input should be a valid list"),
        ('EUR = ["1.00", "500.00"]', 'EUR = ["1.00"]', "EUR: list should have at least 2 items after validation, not 1"),
    ],
)  # fmt: skip
def test_what_is_of_another_kind_or_not_known_is_named_with_its_line(
    tmp_path: Path, old: str, new: str, reason: str
) -> None:
    text = changed(old, new)
    line = TEXT[: TEXT.index(old)].count("\n") + 1 + new.count("\n")
    assert refusals(tmp_path, text) == [f"line {line}: {reason}"]


def test_what_is_missing_is_named_with_the_line_of_its_section(tmp_path: Path) -> None:
    without_zone = changed('timezone = "Europe/Zurich"\n', "")
    section = without_zone[: without_zone.index('id = "lugano"')].count("\n")
    assert refusals(tmp_path, without_zone) == [f"line {section}: timezone: is missing"]
    assert refusals(tmp_path, "") == ["line 1: network: is missing"]


def test_a_jackpots_chip_without_its_part_is_named_with_the_chips_line(tmp_path: Path) -> None:
    text = changed('SEK = { stake = "10.00", pool = "5.00" }', 'SEK = { stake = "10.00" }')
    line = number_of(text, "SEK = { stake")
    assert refusals(tmp_path, text) == [f"line {line}: pool: is missing"]


def test_every_contradiction_is_told_at_once(tmp_path: Path) -> None:
    text = changed('pool = "80" }', 'pool = "80.5" }').replace("caribbean-24h/2", "caribbean-24h/9")
    assert len(refusals(tmp_path, text)) == 2


@pytest.mark.parametrize(
    "text", ["id = ", "[network", 'a = "\0"', "a = 1\na = 2", "[" * 5000, "a = " + "[" * 5000]
)
def test_what_is_no_toml_is_refused(tmp_path: Path, text: str) -> None:
    assert len(refusals(tmp_path, text)) == 1


def test_what_is_no_text_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "network.toml"
    path.write_bytes(TEXT.encode("utf-16"))
    with pytest.raises(BadNetworkFile):
        read_network(path)


def test_a_file_that_is_not_there_is_no_contradiction(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_network(tmp_path / "nowhere.toml")


def test_lines_are_counted_as_editors_count_them(tmp_path: Path) -> None:
    """A line separator of Unicode in a comment is a character to editors, and was a line to us."""
    text = "# one\u2028line\x85still\n" + changed('id = "baltic"', 'id = "baltic"\nname = "x"')
    assert refusals(tmp_path, text) == [f"line {number_of(text, 'name')}: name: is not known here"]


SECTIONS = """
[[table]]
id = "a"
[table.limits.ante]
EUR = ["1", "2"]

[[table]]
id = "b"
limits = { ante = { EUR = ["1", "2"] } }
"quoted" = 1
dotted.key = 1
"""


@pytest.mark.parametrize(
    ("place", "line"),
    [
        (("table", 0, "limits", "ante", "EUR"), 5),
        (("table", 1, "limits", "ante", "EUR"), 9),
        (("table", 1, "quoted"), 10),
        (("table", 1, "dotted", "key"), 11),
        (("table", 1, "nowhere"), 7),
        (("elsewhere",), 1),
    ],
)
def test_a_place_is_found_in_every_way_of_writing_a_section(place: Place, line: int) -> None:
    assert line_of(SECTIONS.split("\n"), place) == line
