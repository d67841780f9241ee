"""What cannot be so in a network file: each kind, with its place and its sentence."""

import copy
import json
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import ValidationError
from shared_folder import shared

from backoffice.domain.network.commands import NetworkFile
from backoffice.domain.network.contradictions import contradictions

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))
STUD = {
    "id": "stud",
    "ruleset": "five-card-stud/1",
    "casinos": ["tallinn"],
    "stud": {"currency": "EUR", "small": "10.00", "big": "20.00", "bring_in": "5.00", "rake_percent": "2.5"},
}
CASINOS = {casino["id"]: index for index, casino in enumerate(NETWORK["casino"])}
JACKPOTS = {jackpot["id"]: index for index, jackpot in enumerate(NETWORK["jackpot"])}
TABLES = {table["id"]: index for index, table in enumerate(NETWORK["table"])} | {
    "stud": len(NETWORK["table"])
}

Change = Callable[[dict[str, Any]], None]


def network(change: Change | None = None) -> NetworkFile:
    file = copy.deepcopy(NETWORK)
    file["table"].append(copy.deepcopy(STUD))
    if change is not None:
        change(file)
    return NetworkFile.model_validate_json(json.dumps(file))


def put(*path: str | int, value: Any) -> Change:
    """Put `value` at a place of the file; tables, jackpots and casinos may be named by their id."""

    def change(file: dict[str, Any]) -> None:
        *way, last = located(path)
        for key in way:
            file = file[key] if isinstance(key, int) else file.setdefault(key, {})
        file[last] = value

    return change


def located(path: tuple[str | int, ...]) -> tuple[Any, ...]:
    ids = {"casino": CASINOS, "jackpot": JACKPOTS, "table": TABLES}
    section, *rest = path
    if section in ids and rest:
        return (section, ids[str(section)][str(rest[0])], *rest[1:])
    return path


CASES = [
    # the network and its rates
    (("network", "base_currency"), "XYZ", ("network", "base_currency"), "XYZ is no ISO 4217 currency"),
    (("rates", "XYZ"), "1.5", ("rates", "XYZ"), "XYZ is no ISO 4217 currency"),
    (("rates", "SEK"), "0.00", ("rates", "SEK"), "a rate is greater than zero"),
    (("rates", "EUR"), "1.0", ("rates", "EUR"), "EUR is the base currency: it has no rate to itself"),
    # casinos
    (("casino", "tallinn", "id"), "stockholm", ("casino", 1, "id"), "casino stockholm stands there twice"),
    (
        ("casino", "tallinn", "timezone"),
        "Europe/Reval",
        ("casino", 0, "timezone"),
        "Europe/Reval is no time zone of the IANA database (as Europe/Tallinn is one)",
    ),
    (
        ("casino", "lugano", "id"),
        "-",
        ("casino", 2, "id"),
        "- is no casino: the seeds of jackpots stand under it",
    ),
    (("casino", "tallinn", "currencies"), [], ("casino", 0, "currencies"), "tallinn plays in no currency"),
    (
        ("casino", "tallinn", "currencies"),
        ["XAU"],
        ("casino", 0, "currencies"),
        "XAU has no minor unit in ISO 4217",
    ),
    # jackpots
    (("jackpot", "royal", "id"), "ticino", ("jackpot", 2, "id"), "jackpot ticino stands there twice"),
    (
        ("jackpot", "royal", "currency"),
        "SEK",
        ("jackpot", 0, "currency"),
        "jackpot royal is kept in the network's base currency, EUR",
    ),
    (("jackpot", "royal", "seed"), "1.001", ("jackpot", 0, "seed"), "1.001 has more digits than EUR has (2)"),
    (
        ("jackpot", "royal", "ceiling"),
        "49999.99",
        ("jackpot", 0, "ceiling"),
        "the ceiling 49999.99 is below the seed 50000.00",
    ),
    (
        ("jackpot", "royal", "ceiling"),
        "0.001",
        ("jackpot", 0, "ceiling"),
        "0.001 has more digits than EUR has (2)",
    ),
    (
        ("jackpot", "royal", "chip", "EUR"),
        {"stake": "1.00", "pool": "0.505"},
        ("jackpot", 0, "chip", "EUR"),
        "0.505 has more digits than EUR has (2)",
    ),
    (
        ("jackpot", "royal", "chip", "JPY"),
        {"stake": "1000000000001", "pool": "80"},
        ("jackpot", 0, "chip", "JPY"),
        "a stake of 1000000000001 JPY is more than a table may take, 1000000000000",
    ),
    (
        ("table", "live-1", "limits", "ante", "EUR"),
        ["1.00", "10000000000.01"],
        ("table", 0, "limits", "ante", "EUR"),
        "a stake of 10000000000.01 EUR is more than a table may take, 10000000000.00",
    ),
    (
        ("jackpot", "royal", "id"),
        "reserve:x",
        ("jackpot", 0, "id"),
        "reserve: begins the names of reserves, not of jackpots",
    ),
    (
        ("jackpot", "royal", "chip", "JPY"),
        {"stake": "161", "pool": "80.5"},
        ("jackpot", 0, "chip", "JPY"),
        "80.5 has more digits than JPY has (0)",
    ),
    (
        ("jackpot", "royal", "chip", "EUR"),
        {"stake": "0.00", "pool": "0.00"},
        ("jackpot", 0, "chip", "EUR"),
        "an amount is greater than zero",
    ),
    (
        ("jackpot", "royal", "chip", "EUR"),
        {"stake": "1.00", "pool": "1.01"},
        ("jackpot", 0, "chip", "EUR"),
        "a part of 1.01 for the pool is more than the chip of 1.00",
    ),
    (
        ("jackpot", "ticino", "chip", "EUR"),
        {"stake": "2.00", "pool": "0.40"},
        ("jackpot", 2, "chip", "EUR"),
        "no table of jackpot ticino has a prize table in EUR",
    ),
    # tables of dealer games
    (("table", "live-1", "id"), "floor-7", ("table", 4, "id"), "table floor-7 stands there twice"),
    (
        ("table", "live-1", "ruleset"),
        "caribbean-live/2",
        ("table", 0, "ruleset"),
        "there is no book caribbean-live/2",
    ),
    (("table", "live-1", "casinos"), [], ("table", 0, "casinos"), "table live-1 has no casino"),
    (("table", "live-1", "casinos"), ["riga"], ("table", 0, "casinos"), "there is no casino riga"),
    (("table", "floor-7", "seats"), 8, ("table", 4, "seats"), "caribbean-swiss/1 has 7 seats at most"),
    (("table", "live-1", "seats"), 8, ("table", 0, "seats"), "caribbean-live/1 has no numbered seats"),
    (("table", "live-1", "jackpot"), "mega", ("table", 0, "jackpot"), "there is no jackpot mega"),
    (
        ("table", "dublin-1", "jackpot"),
        "royal",
        ("table", 3, "jackpot"),
        "stud-dublinbet/1 has no prize table for a jackpot",
    ),
    (("table", "live-1", "limits"), {}, ("table", 0, "limits"), "table live-1 has no limits for the ante"),
    (
        ("table", "floor-7", "limits", "bonus"),
        {"CHF": ["1.00", "2.00"]},
        ("table", 4, "limits", "bonus"),
        "caribbean-swiss/1 has no Bonus",
    ),
    (
        ("table", "dublin-1", "limits", "bonus"),
        {"EUR": ["1.00", "1.00"]},
        ("table", 3, "limits", "bonus"),
        "stud-dublinbet/1 has a Bonus of one exact stake",
    ),
    (
        ("table", "live-1", "limits", "ante", "CHF"),
        ["1.00", "2.00"],
        ("table", 0, "limits", "ante", "CHF"),
        "no casino of this table plays in CHF",
    ),
    (
        ("table", "live-1", "limits", "ante", "EUR"),
        ["2.00", "1.00"],
        ("table", 0, "limits", "ante", "EUR"),
        "the maximum 1.00 is below the minimum 2.00",
    ),
    (
        ("table", "live-1", "limits", "total", "EUR"),
        ["0.00", "1.00"],
        ("table", 0, "limits", "total", "EUR"),
        "an amount is greater than zero",
    ),
    (
        ("table", "live-1", "limits", "ante", "JPY"),
        ["1.5", "2"],
        ("table", 0, "limits", "ante", "JPY"),
        "1.5 has more digits than JPY has (0)",
    ),
    (
        ("table", "live-1", "max_payout"),
        {"EUR": "5000.00"},
        ("table", 0, "max_payout"),
        "caribbean-live/1 knows no maximum payout",
    ),
    (
        ("table", "dublin-1", "max_payout"),
        {"EUR": "0.00"},
        ("table", 3, "max_payout"),
        "an amount is greater than zero",
    ),
    (
        ("table", "dublin-1", "max_payout"),
        {"USD": "5000.00"},
        ("table", 3, "max_payout"),
        "no casino of this table plays in USD",
    ),
    (
        ("table", "live-1", "bonus_returns_stake"),
        True,
        ("table", 0, "bonus_returns_stake"),
        "caribbean-live/1 has no fixed Bonus",
    ),
    (
        ("table", "live-1", "stud"),
        STUD["stud"],
        ("table", 0, "stud"),
        "caribbean-live/1 is no stud for a pot",
    ),
    # tables of the pot game
    (("table", "stud", "stud"), None, ("table", 5, "ruleset"), "table stud has no stud section"),
    (("table", "stud", "jackpot"), "royal", ("table", 5, "jackpot"), "five-card-stud/1 knows no jackpot"),
    (
        ("table", "stud", "limits"),
        {"ante": {"EUR": ["1.00", "2.00"]}},
        ("table", 5, "limits"),
        "five-card-stud/1 takes its limits from its stud section",
    ),
    (
        ("table", "stud", "stud", "big"),
        "9.99",
        ("table", 5, "stud", "big"),
        "the big limit 9.99 is below the small one 10.00",
    ),
    (
        ("table", "stud", "stud", "bring_in"),
        "10.00",
        ("table", 5, "stud", "bring_in"),
        "a bring-in of 10.00 is not below 10.00, the small limit",
    ),
    (
        ("table", "stud", "stud", "rake_percent"),
        "100.1",
        ("table", 5, "stud", "rake_percent"),
        "a rake of 100.1% is more than the pot",
    ),
    (
        ("table", "stud", "stud", "currency"),
        "CHF",
        ("table", 5, "stud", "currency"),
        "no casino of this table plays in CHF",
    ),
]


@pytest.mark.parametrize(
    ("path", "value", "place", "reason"),
    CASES,
    ids=[reason for *_, reason in CASES],
)
def test_a_contradiction_is_found_at_its_place_with_its_reason(path, value, place, reason):
    found = [(one.place, one.reason) for one in contradictions(network(put(*path, value=value)))]
    assert (place, reason) in found


def test_the_example_network_and_the_transcripts_contradict_nothing():
    example = tomllib.loads(shared("feeds", "network.toml").read_text(encoding="utf-8"))
    assert list(contradictions(NetworkFile.model_validate_json(json.dumps(example)))) == []
    assert list(contradictions(network())) == []


def test_a_jackpot_is_refused_where_a_table_that_takes_its_currency_has_no_prize_in_it():
    def swiss_table_in_euro(file: dict[str, Any]) -> None:
        table = file["table"][TABLES["floor-7"]]
        table.update(casinos=["tallinn"], jackpot="house-24h", limits={"ante": {"EUR": ["5.00", "10.00"]}})

    found = [(one.place, one.reason) for one in contradictions(network(swiss_table_in_euro))]
    assert found == [
        (("jackpot", 1, "chip", "EUR"), "caribbean-swiss/1 of table floor-7 has no prize table in EUR")
    ]


def test_every_contradiction_of_a_file_is_found_not_the_first_alone():
    def change(file: dict[str, Any]) -> None:
        put("jackpot", "royal", "seed", value="1.001")(file)
        put("table", "live-1", "ruleset", value="x/1")(file)
        put("rates", "EUR", value="2")(file)

    assert {one.place for one in contradictions(network(change))} >= {
        ("jackpot", 0, "seed"),
        ("table", 0, "ruleset"),
        ("rates", "EUR"),
    }


@pytest.mark.parametrize(
    "change",
    [
        put("network", "colour", value="red"),
        put("jackpot", "royal", "split", value="by_luck"),
        put("jackpot", "royal", "seed", value=50000),
        put("jackpot", "royal", "seed", value="-1.00"),
        put("table", "live-1", "limits", "ante", "EUR", value=["1.00"]),
        put("table", "live-1", "limits", "call", value={"EUR": ["1.00", "2.00"]}),
        put("table", "live-1", "seats", value=0),
        put("casino", "tallinn", "gaming_day_starts", value="6:00"),
        put("rates", "SEK", value="1e3"),
        put("casino", "tallinn", "currencies", value=["eur"]),
    ],
)
def test_an_unknown_word_or_a_wrong_type_is_no_network_file(change):
    with pytest.raises(ValidationError):
        network(change)
