"""FORMAT.md's fields, one action after the other: none may be missing, none unknown, none of another type."""

from typing import Any

import pytest
from pure_house import PureHouse
from pydantic import ValidationError

SEAT = {"round": "r", "seat": "1"}
ANTE = {**SEAT, "casino": "tallinn", "player": "ann", "amount": "1.00", "currency": "EUR"}
WALLET = {"casino": "tallinn", "player": "ann", "amount": "1.00", "currency": "EUR"}
REASON = {"round": "r", "reason": "so it was"}
HAND = ["As", "Ks", "Qs", "Js", "Ts"]

FIELDS: dict[str, dict[str, Any]] = {
    "deposit": WALLET,
    "withdraw": WALLET,
    "rate": {"quote": "SEK", "rate": "11.4210"},
    "open": {"round": "r", "table": "live-1", "number": "20:00:00-1"},
    "ante": ANTE,
    "bonus": {**SEAT, "amount": "1.00"},
    "mark": SEAT,
    "blind": {**SEAT, "by": "2", "amount": "1.00", "mark": True},
    "undo": SEAT,
    "leave": SEAT,
    "close": {"round": "r"},
    "exchange": {**SEAT, "discard": "As", "draw": "Ks"},
    "call": SEAT,
    "fold": SEAT,
    "timeout": SEAT,
    "void": {**SEAT, "reason": "showed the cards"},
    "reveal": {"round": "r", "dealer": HAND},
    "announce": SEAT,
    "settle": {"round": "r"},
    "suspend": REASON,
    "resume": REASON,
    "cancel": REASON,
}
AMOUNTS = [(do, field) for do, fields in FIELDS.items() for field in fields if field in {"amount", "rate"}]


def read(do: str, **fields: Any) -> Any:
    return PureHouse().command(do, **fields)


def refused(do: str, **fields: Any) -> bool:
    try:
        read(do, **fields)
    except ValidationError:
        return True
    return False


@pytest.mark.parametrize("do", FIELDS)
def test_an_action_with_all_its_fields_is_read(do):
    assert read(do, **FIELDS[do]).do == do


@pytest.mark.parametrize(("do", "field"), [(do, field) for do, fields in FIELDS.items() for field in fields])
def test_a_field_that_is_missing_is_refused(do, field):
    assert refused(do, **{name: value for name, value in FIELDS[do].items() if name != field})


@pytest.mark.parametrize("do", FIELDS)
def test_an_unknown_field_is_refused(do):
    assert refused(do, **FIELDS[do], colour="red")


@pytest.mark.parametrize(("do", "field"), [(do, field) for do, fields in FIELDS.items() for field in fields])
@pytest.mark.parametrize("value", [None, 1, 1.0, ["x"], {"x": "y"}])
def test_a_wrong_type_is_refused(do, field, value):
    assert refused(do, **{**FIELDS[do], field: value})


@pytest.mark.parametrize(("do", "field"), AMOUNTS)
@pytest.mark.parametrize("value", [1, 1.0, 0.1, 10**20])
def test_an_amount_is_never_a_json_number(do, field, value):
    assert refused(do, **{**FIELDS[do], field: value})


@pytest.mark.parametrize(("do", "field"), AMOUNTS)
@pytest.mark.parametrize("value", ["-1", "+1", "1e2", "NaN", " 1", "1 ", "1,0", ".5", "1.", "", "1\n", "0x1"])
def test_an_amount_has_no_sign_no_exponent_and_nothing_but_digits_and_a_point(do, field, value):
    assert refused(do, **{**FIELDS[do], field: value})


UNSEEN = (
    *("\x80", "\x85", "\x9f", "\xad"),
    *("\u061c", "\u200e", "\u200f", "\u202a", "\u202e", "\u2066", "\u2069"),
    *("\u200b", "\u2060", "\u2028", "\u2029", "\ufeff"),
)
"""Control characters beyond ASCII, those that turn the direction of writing, and those that nobody sees."""


@pytest.mark.parametrize("field", ["round", "seat", "casino", "player"])
@pytest.mark.parametrize(
    "value", ["", "x" * 65, "a\x00b", "a\nb", "a\x7fb", *(f"a{unseen}b" for unseen in UNSEEN)]
)
def test_an_id_is_one_to_sixty_four_printable_characters(field, value):
    assert refused("ante", **{**ANTE, field: value})
    assert not refused("ante", **{**ANTE, field: "x" * 64})


@pytest.mark.parametrize("name", ["Jõhvi-1", "Ωμέγα", "شيراز", "दिल्ली", "桌-7", "a\u0301", "x\u200dy", "a b"])
def test_names_of_any_script_are_ids(name):
    assert not refused("ante", **{**ANTE, "player": name})


@pytest.mark.parametrize("unseen", UNSEEN)
def test_a_reason_is_seen_as_it_is_stored(unseen):
    assert refused("cancel", round="r", reason=f"the shoe{unseen} broke")


def test_a_reason_has_at_most_two_hundred_characters():
    assert not refused("cancel", round="r", reason="x" * 200)
    assert refused("cancel", round="r", reason="x" * 201)
    assert refused("cancel", round="r", reason="")


@pytest.mark.parametrize("card", ["AS", "1s", "10s", "A", "", "Asx", "Jo"])
def test_a_card_is_a_rank_and_a_suit(card):
    assert refused("reveal", round="r", dealer=[card, *HAND[1:]])
    assert refused("exchange", **SEAT, discard=card, draw="As")
    assert refused("deal", round="r", hands={"1": [card, *HAND[1:]]}, up="2c")


PARTIAL = ["2026-03-01T20:00:00", "2026-03-01", "20:00:00Z", "2026-03-01T20:00Z"]
NO_MOMENT = ["2026-02-30T20:00:00Z", "2026-03-01T24:00:01Z", "2026-03-01T20:00:00+25:00"]
MISWRITTEN = ["1772395200", 1772395200, "2026-03-01T20:00:00Z\n", None]


@pytest.mark.parametrize("at", [*PARTIAL, *NO_MOMENT, *MISWRITTEN])
def test_a_time_is_rfc_3339_with_an_offset(at):
    assert refused("mark", **SEAT, at=at)


@pytest.mark.parametrize(
    "at", ["2026-03-01T21:00:00+01:00", "2026-03-01T20:00:00.000Z", "2026-03-01t20:00:00z"]
)
def test_a_time_is_the_same_moment_in_any_offset(at):
    assert read("mark", **SEAT, at=at).at.isoformat() == "2026-03-01T20:00:00+00:00"


def test_an_unknown_action_is_refused():
    assert refused("cheat", **SEAT)
    assert refused("refund", round="r")
