"""Numbers of files: each follows the one before, whoever asks, and is given once."""

import tomllib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse

from backoffice.cli.people import person
from backoffice.domain.event import Refused
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.filings.events import FileProduced

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))


@pytest.fixture
def house() -> PureHouse:
    house = PureHouse()
    house.apply_network(NETWORK)
    return house


def asked(number: int, by: str = "ann:compliance", **fields: Any) -> RegisterFile:
    given: dict[str, Any] = {
        "casino": "stockholm", "authority": "dk", "name": "dk-end-of-day", "day": "2026-03-01", "part": "SEK",
        "version": 0, "replaces": None, "after": 0, "position": 17, "hash": "a" * 64, "records": 1,
        "size_bytes": 9, "sha256": "b" * 64,
    }  # fmt: skip
    moment = datetime(2026, 3, 2, tzinfo=UTC)
    return RegisterFile(id="r", at=moment, by=person(by), number=number, **{**given, **fields})


def test_files_are_numbered_from_one_without_a_gap(house: PureHouse) -> None:
    for number in (1, 2, 3):
        (event,) = house.handle(asked(number))
        assert isinstance(event, FileProduced)
        assert event.number == number


@pytest.mark.parametrize("number", [1, 3])
def test_a_number_that_is_given_or_not_due_is_refused(house: PureHouse, number: int) -> None:
    house.handle(asked(1))
    with pytest.raises(Refused, match=f"stockholm has 1 files for dk.* produce file {number} again"):
        house.handle(asked(number))


def test_every_casino_and_authority_counts_for_itself(house: PureHouse) -> None:
    house.handle(asked(1))
    house.handle(asked(1, casino="tallinn"))
    house.handle(asked(1, authority="gr"))
    assert house.past.files == {("stockholm", "dk"): 1, ("tallinn", "dk"): 1, ("stockholm", "gr"): 1}


@pytest.mark.parametrize(
    ("by", "casino", "reason"),
    [
        ("ann:auditor", "stockholm", "ann acts as auditor: that role hands nothing in"),
        ("ann:cashier", "stockholm", "ann acts as cashier: that role hands nothing in"),
        ("ann:compliance@tallinn", "stockholm", "ann is not of the staff of stockholm"),
        ("ann:compliance", "oslo", "there is no casino oslo"),
    ],
)
def test_who_may_not_hand_in_is_refused(house: PureHouse, by: str, casino: str, reason: str) -> None:
    with pytest.raises(Refused, match=reason):
        house.handle(asked(1, by, casino=casino))
    assert house.past.files == {}
