"""What the law wants to know of a casino: optional, held to the authorities' own patterns, and a fact when it changes."""

import copy
import tomllib
from pathlib import Path
from typing import Any

import pytest
from pure_house import PureHouse
from pydantic import ValidationError

from backoffice.domain.event import Refused
from backoffice.domain.network.events import ParticularsGiven
from backoffice.domain.network.legal import LegalSection, particulars

NETWORK = tomllib.loads((Path(__file__).parents[3] / "golden" / "network.toml").read_text(encoding="utf-8"))


def with_legal(**legal: Any) -> dict[str, Any]:
    file = copy.deepcopy(NETWORK)
    file["casino"][1]["legal"] = legal
    return file


def test_a_casino_needs_no_particulars() -> None:
    house = PureHouse()
    assert "network.particulars_given" not in [event.type_name for event in house.apply_network(NETWORK)]
    assert house.past.network.particulars == {}


def test_what_is_given_is_a_fact_and_given_again_none() -> None:
    house, file = PureHouse(), with_legal(dk={"certificate": "tt-1"}, sessions={"gap_minutes": 20})
    house.apply_network(file)
    said = {"dk": {"certificate": "tt-1"}, "sessions": {"gap_minutes": "20"}}
    assert house.past.network.particulars == {"stockholm": said}
    assert house.apply_network(file) == []


def test_what_changes_or_goes_is_a_fact_of_its_own() -> None:
    house = PureHouse()
    house.apply_network(with_legal(dk={"certificate": "tt-1"}))
    (changed,) = house.apply_network(with_legal(dk={"certificate": "tt-2"}))
    assert changed == ParticularsGiven(casino="stockholm", particulars={"dk": {"certificate": "tt-2"}})
    (gone,) = house.apply_network(NETWORK)
    assert gone == ParticularsGiven(casino="stockholm", particulars={})


def test_a_default_that_nobody_gave_is_not_said() -> None:
    assert particulars(LegalSection()) == {}


def test_play_on_the_internet_without_a_site_is_a_contradiction() -> None:
    with pytest.raises(
        Refused,
        match=r"casino\.1\.legal\.dk\.channel: play by Internet happens on a website: it is not given",
    ):
        PureHouse().apply_network(with_legal(dk={"channel": "Internet"}))


@pytest.mark.parametrize(
    ("section", "field", "value"),
    [
        ("dk", "certificate", "c" * 46),
        ("dk", "channel", "Telegraf"),
        ("gr", "licensee", "el12345678"),
        ("gr", "domain", "Casino.GR"),
        ("gr", "domain", "a.gr"),
        ("mga", "licence", "MGA/1"),
        ("mga", "website", "casino"),
        ("company", "country", "Norway"),
        ("sessions", "gap_minutes", 0),
        ("sessions", "gap_minutes", "30"),
        ("company", "cvr", "1"),
        ("ee", "licence", "1"),
    ],
)
def test_what_an_authority_would_not_take_is_refused_when_it_is_given(
    section: str, field: str, value: object
) -> None:
    with pytest.raises(ValidationError, match=section if section == "ee" else field):
        LegalSection.model_validate({section: {field: value}})
