"""A line of a feed is understood whole, or refused with the field and the reason; what was sent is never said again."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from shared_folder import shared

from backoffice.app.feed import KEPT_BYTES, read_action
from backoffice.app.requests import Request, Unreadable

DEPOSIT = {
    "id": "a-1",
    "at": "2026-03-01T20:00:00Z",
    "do": "deposit",
    "casino": "tallinn",
    "player": "ann",
    "currency": "EUR",
    "amount": "10.00",
}
ROUND = {"id": "a-2", "at": "2026-03-01T20:00:00Z", "round": "r-1"}
DEAL = {**ROUND, "do": "deal", "hands": {"1": ["As", "Ks", "Qs", "Js", "9s"]}, "up": "2c"}


def line(action: dict[str, Any], **changed: Any) -> bytes:
    """The action as a line; a field changed to `...` is left out."""
    fields = {name: value for name, value in {**action, **changed}.items() if value is not ...}
    return json.dumps(fields).encode()


def refusal(text: bytes) -> str:
    read = read_action(text, "floor")
    assert isinstance(read, Unreadable), read
    assert read.raw == text[:KEPT_BYTES]
    return read.reason


def understood(text: bytes) -> Request:
    read = read_action(text, "floor")
    assert isinstance(read, Request), read
    return read


def test_an_action_is_understood_and_its_sender_is_who_did_it() -> None:
    request = understood(line(DEPOSIT))
    assert (request.sender, request.actor, request.key) == ("floor", "floor", "a-1")
    assert request.command.at == datetime(2026, 3, 1, 20, tzinfo=UTC)
    assert request.raw == line(DEPOSIT)


def test_every_line_of_the_sample_feed_is_understood() -> None:
    for text in shared("feeds", "sample.jsonl").read_bytes().splitlines():
        understood(text)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (line(DEPOSIT, amount=...), "amount: is missing"),
        (line(DEPOSIT, at=..., id=...), "id: is missing; at: is missing"),
        (line(DEPOSIT, do=...), "do: is missing"),
        (line(DEPOSIT, do="lend"), "do: is no action"),
        (line(DEPOSIT, do=7), "do: is no action"),
        (line(DEPOSIT, tip="1.00"), "tip: is no field of this action"),
        (line(DEPOSIT, round="r-1"), "round: is no field of this action"),
        (line(DEPOSIT, player=7), "player: should be a valid string"),
        (line(DEPOSIT, player=None), "player: should be a valid string"),
        (line(DEPOSIT, player=["ann"]), "player: should be a valid string"),
        (line(DEPOSIT, currency="eur"), "currency: must be three capital letters"),
        (line(DEAL, hands=[["As"]]), "hands: should be an object"),
        (line(DEAL, hands={"1": "As"}), "hands.1: should be a valid array"),
        (line(DEAL, hands={"1": ["As", "1s"]}), "hands.1.1: is no card"),
        (line(DEAL, hands=..., street=1.0), "street: should be a valid integer"),
        (line(DEAL, hands=..., street=True), "street: should be a valid integer"),
        (line(ROUND, do="bet", seat="1", units=3), "units: should be less than or equal to 2"),
        (
            line(ROUND, do="blind", seat="1", by="2", amount="1", mark="yes"),
            "mark: should be a valid boolean",
        ),
        (line(ROUND, do="settle", payouts={"1": {"ante": 5}}), "payouts.1.ante: should be a valid string"),
    ],
)
def test_a_field_that_is_missing_unknown_or_of_another_type_is_named_with_the_reason(
    text: bytes, reason: str
) -> None:
    assert refusal(text) == reason


@pytest.mark.parametrize("amount", [10, 10.5, 0.1, 1e2, True, None, ["10.00"]])
def test_an_amount_is_never_a_number(amount: object) -> None:
    assert refusal(line(DEPOSIT, amount=amount)) == "amount: should be a valid string"


@pytest.mark.parametrize(
    "number", ["1e2", "NaN", "Infinity", "-Infinity", "12345678901234567890.12", "1e400"]
)
def test_no_spelling_of_a_number_is_an_amount(number: str) -> None:
    text = line(DEPOSIT, amount="X").replace(b'"X"', number.encode())
    assert refusal(text).startswith("amount: ")


@pytest.mark.parametrize(
    "amount",
    [
        "",
        " 1",
        "1 ",
        "+1",
        "-1",
        "1e2",
        "1E2",
        "NaN",
        ".5",
        "1.",
        "1,00",
        "1_000",
        "٣",
        "0x10",
        "1\n",
        "1" * 25,
    ],
)
def test_an_amount_is_digits_and_a_point(amount: str) -> None:
    assert refusal(line(DEPOSIT, amount=amount)) == (
        "amount: must be digits, and a point with digits if there are any"
    )


def test_an_amount_has_an_end() -> None:
    assert refusal(line(DEPOSIT, amount="1" * 10_000)) == "amount: should have at most 32 characters"


@pytest.mark.parametrize("rate", ["0x1", "-1", "1e3", "1,5", "NaN"])
def test_a_rate_is_digits_and_a_point(rate: str) -> None:
    text = line({"id": "r", "at": DEPOSIT["at"], "do": "rate", "quote": "SEK", "rate": rate})
    assert refusal(text) == "rate: must be digits, and a point with digits if there are any"


@pytest.mark.parametrize(
    "at",
    [
        "2026-03-01T20:00:00",
        "2026-03-01",
        "1772395200",
        "20260301T200000Z",
        "2026-03-01T20:00Z",
        "2026-03-01T20:00:00 +01:00",
        "2026-W09-7T20:00:00Z",
        "٢٠٢٦-03-01T20:00:00Z",
        "now",
        1772395200,
        1772395200.5,
        None,
    ],
)
def test_a_time_is_written_out_with_its_offset(at: object) -> None:
    assert refusal(line(DEPOSIT, at=at)) == "at: must be an RFC 3339 time with an offset"


@pytest.mark.parametrize(
    ("at", "reason"),
    [
        ("2026-13-01T20:00:00Z", "at: month must be in 1..12"),
        ("2026-02-30T20:00:00Z", "at: day is out of range for month"),
        ("2026-03-01T25:00:00Z", "at: hour must be in 0..23"),
        ("0001-01-01T00:00:00+01:00", "at: must lie in the years 2 to 9998"),
        ("0001-06-01T00:00:00Z", "at: must lie in the years 2 to 9998"),
        ("9999-06-01T00:00:00Z", "at: must lie in the years 2 to 9998"),
        ("9998-12-31T23:59:59-01:00", "at: must lie in the years 2 to 9998"),
    ],
)
def test_a_time_that_never_was_or_that_the_log_cannot_tell_is_refused(at: str, reason: str) -> None:
    assert refusal(line(DEPOSIT, at=at)) == reason


def test_a_time_means_the_same_in_every_offset() -> None:
    spellings = ("2026-03-01T20:00:00Z", "2026-03-01t22:00:00.000+02:00", "2026-03-01 15:00:00-05:00")
    assert len({understood(line(DEPOSIT, at=at)).content() for at in spellings}) == 1


@pytest.mark.parametrize(
    "twin",
    [
        '"amount":"99.00"',
        '"amount" : "99.00"',
        '"amount"\t:"99.00"',
        '"amount"\r:"99.00"',
        '"amount"\n:"99.00"',
        r'"\u0061mount":"99.00"',
        r'"amoun\u0074" :"9"',
    ],
)
def test_a_field_that_stands_twice_is_refused_however_it_is_spelled(twin: str) -> None:
    """Parsers disagree on which of the two counts: the table and the house would read two amounts."""
    text = line(DEPOSIT)[:-1] + b"," + twin.encode() + b"}"
    assert refusal(text) == "amount: stands there twice"


def test_a_seat_that_is_dealt_two_hands_in_one_object_is_refused() -> None:
    text = line(DEAL).replace(b'"hands": {', b'"hands": {"1": ["2s", "3s", "4s", "5s", "7s"], ')
    assert refusal(text) == "1: stands there twice"


@pytest.mark.parametrize("field", ["id", "player", "casino"])
@pytest.mark.parametrize("character", ["\0", "\x1f", "\n", "\x7f", "\u2028"])
def test_a_character_that_cannot_be_printed_gets_into_no_id(field: str, character: str) -> None:
    assert refusal(line(DEPOSIT, **{field: f"x{character}"})) == (
        f"{field}: has characters that cannot be printed"
    )


@pytest.mark.parametrize("surrogate", [r"\ud800", r"\udfff", r"\ud800x", r"\udc00\ud800"])
def test_a_lone_surrogate_gets_in_nowhere(surrogate: str) -> None:
    in_a_value = line(DEPOSIT, player="X").replace(b'"X"', f'"{surrogate}"'.encode())
    in_a_name = line(DEPOSIT, X="1").replace(b'"X"', f'"{surrogate}"'.encode())
    assert refusal(in_a_value).startswith("not JSON: ")
    assert refusal(in_a_name).startswith("not JSON: ")


def test_a_surrogate_pair_is_one_character() -> None:
    text = line(DEPOSIT, player="X").replace(b'"X"', rb'"\ud83c\udcc1"')
    assert "\U0001f0c1" in understood(text).command.player


def test_an_id_has_64_characters_and_a_reason_200_at_most() -> None:
    cancel = {**ROUND, "do": "cancel", "reason": "r" * 200}
    understood(line(cancel, id="ä" * 64))
    assert refusal(line(cancel, id="i" * 65)) == "id: should have at most 64 characters"
    assert refusal(line(cancel, id="")) == "id: should have at least 1 character"
    assert refusal(line(cancel, round="r" * 65)) == "round: should have at most 64 characters"
    assert refusal(line(cancel, reason="r" * 201)) == "reason: should have at most 200 characters"
    assert refusal(line(cancel, reason="")) == "reason: should have at least 1 character"


@pytest.mark.parametrize(
    "text",
    [
        b"",
        b"{",
        b"}",
        b"deposit",
        b"\xff\xfe",
        b'{"id": "\xe4"}',
        line(DEPOSIT) + line(DEPOSIT),
        b"[" * 100_000,
    ]
    + [line(DEPOSIT)[:cut] for cut in (1, 20, 80, len(line(DEPOSIT)) - 1)],
)
def test_what_is_no_json_is_refused_as_such(text: bytes) -> None:
    assert refusal(text).startswith("not JSON: ")


def test_a_time_is_read_to_the_microsecond() -> None:
    request = understood(line(DEPOSIT, at="2026-03-01T20:00:00.123456789Z"))
    assert request.command.at == datetime(2026, 3, 1, 20, 0, 0, 123456, UTC)


@pytest.mark.parametrize(
    ("action", "field"),
    [
        *(({**ROUND, "do": "open", "table": "t", "number": "1"}, field) for field in ("dealer", "shift")),
        *((DEAL, field) for field in ("hands", "street", "down", "up")),
        ({**ROUND, "do": "settle"}, "payouts"),
    ],
)
def test_what_may_be_left_out_is_not_null(action: dict[str, Any], field: str) -> None:
    understood(line(action, **{field: ...}))
    assert refusal(line(action, **{field: None})) == f"{field}: is null: a field without a value is left out"


def test_a_text_that_says_null_is_a_text() -> None:
    understood(line(ROUND, do="open", table="null", number="null", dealer="null"))


@pytest.mark.parametrize("text", [b"[]", b"7", b"null", b'"deposit"', b"[" + line(DEPOSIT) + b"]"])
def test_an_action_is_an_object(text: bytes) -> None:
    assert refusal(text) == "should be an object"


@pytest.mark.parametrize("secret", ["Jane Doe", "4111 1111 1111 1111", "\x1b[2Jcleared", "x" * 5000])
def test_what_was_sent_is_not_said_again(secret: str) -> None:
    """It may be a name that should not be there, a screen's control characters, or a megabyte."""
    texts = [line(DEPOSIT, **{field: [secret]}) for field in DEPOSIT]
    texts += [
        line(DEPOSIT, amount=secret),
        line(DEPOSIT, at=secret),
        line(DEPOSIT, do=secret),
        secret.encode(),
    ]
    texts += [line(DEAL, hands={"1": [secret]}), line(ROUND, do="settle", payouts={"1": {"ante": secret}})]
    for text in texts:
        assert secret not in refusal(text)


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\x1b[2J", "\u202eevil", "x" * 65])
def test_a_made_up_field_is_named_only_if_its_name_can_be_shown(name: str) -> None:
    assert refusal(line(DEPOSIT, **{name: "1"})) == "?: is no field of this action"


@pytest.mark.parametrize("name", ["a\0b", "a\nb", "\x1b[2J", "x" * 65])
def test_a_seat_that_cannot_be_is_not_named(name: str) -> None:
    assert refusal(line(DEAL, hands={name: ["As"]})).startswith("hands.?.[key]: ")


def test_a_line_with_a_thousand_faults_is_refused_in_a_sentence_of_some() -> None:
    reason = refusal(line(DEPOSIT, **{f"field-{number}": 1 for number in range(1000)}))
    assert reason.count(";") == 4


def test_of_a_long_line_that_is_not_understood_its_beginning_is_kept() -> None:
    read = read_action(b"x" * (KEPT_BYTES + 1), "floor")
    assert isinstance(read, Unreadable)
    assert len(read.raw) == KEPT_BYTES


def test_spacing_and_order_of_fields_make_no_other_content() -> None:
    spaced = json.dumps(dict(reversed(DEPOSIT.items())), indent=1).encode()
    assert understood(spaced).content() == understood(line(DEPOSIT)).content()


def test_another_order_of_seats_makes_no_other_content() -> None:
    """A sender that keeps its objects in a hash table sends the same hands in another order the second time."""
    hands = {"1": ["As", "Ks", "Qs", "Js", "9s"], "2": ["Ad", "Kd", "Qd", "Jd", "9d"]}
    turned = dict(reversed(hands.items()))
    assert understood(line(DEAL, hands=hands)).content() == understood(line(DEAL, hands=turned)).content()


@pytest.mark.parametrize("changed", [{"amount": "10.01"}, {"player": "bob"}, {"at": "2026-03-01T20:00:01Z"}])
def test_any_other_value_makes_another_content(changed: dict[str, str]) -> None:
    assert understood(line(DEPOSIT, **changed)).content() != understood(line(DEPOSIT)).content()
