import subprocess
import sys
from datetime import UTC, datetime
from typing import Any, ClassVar

import pytest
from pydantic import BaseModel, ConfigDict, ValidationError

from backoffice.log.codec import Codec
from backoffice.log.errors import Unencodable, UnknownSchema, UnknownType


class Strict(BaseModel):
    model_config = ConfigDict(frozen=True, strict=True, extra="forbid")


class Money(Strict):
    minor: int
    currency: str


class Marked(Strict):
    type_name: ClassVar[str] = "box.marked"
    schema_number: ClassVar[int] = 3

    seat: str
    stake: Money
    cards: tuple[str, ...] = ()
    opened_at: datetime | None = None


class Folded(Strict):
    type_name: ClassVar[str] = "hand.folded"

    seat: str


def stake_as_money(fields: dict[str, Any]) -> dict[str, Any]:
    return {**fields, "stake": {"minor": fields["stake"], "currency": "SEK"}}


def seat_by_name(fields: dict[str, Any]) -> dict[str, Any]:
    return {"seat": fields.pop("box"), **fields}


CODEC = Codec([Marked, Folded], {("box.marked", 1): seat_by_name, ("box.marked", 2): stake_as_money})
EVENT = Marked(
    seat="Åsa",
    stake=Money(minor=100, currency="SEK"),
    cards=("Ah", "Kd"),
    opened_at=datetime(2026, 3, 29, 1, 30, tzinfo=UTC),
)


def test_an_event_comes_back() -> None:
    data = CODEC.encode(EVENT)
    assert (
        data
        == (
            '{"seat":"Åsa","stake":{"minor":100,"currency":"SEK"},"cards":["Ah","Kd"],'
            '"opened_at":"2026-03-29T01:30:00Z"}'
        ).encode()
    )
    assert CODEC.decode("box.marked", 3, data) == EVENT
    assert CODEC.decode("hand.folded", 1, b'{"seat":"a"}') == Folded(seat="a")


def test_an_addition_with_a_default_needs_no_new_schema() -> None:
    old = b'{"seat":"a","stake":{"minor":1,"currency":"SEK"}}'
    assert CODEC.decode("box.marked", 3, old) == Marked(seat="a", stake=Money(minor=1, currency="SEK"))


@pytest.mark.parametrize(
    ("schema", "data"),
    [
        (1, b'{"box":"a","stake":5,"cards":["Ah"],"opened_at":"2026-01-01T00:00:00Z"}'),
        (2, b'{"seat":"a","stake":5,"cards":["Ah"],"opened_at":"2026-01-01T00:00:00Z"}'),
    ],
)
def test_old_data_is_brought_up_step_by_step(schema: int, data: bytes) -> None:
    assert CODEC.decode("box.marked", schema, data) == Marked(
        seat="a",
        stake=Money(minor=5, currency="SEK"),
        cards=("Ah",),
        opened_at=datetime(2026, 1, 1, tzinfo=UTC),
    )


def test_an_unknown_type_is_named() -> None:
    with pytest.raises(UnknownType, match=r"box\.opened"):
        CODEC.decode("box.opened", 1, b"{}")


def test_a_newer_schema_is_named() -> None:
    with pytest.raises(UnknownSchema, match="schema 4 is newer than 3"):
        CODEC.decode("box.marked", 4, b"{}")


def test_a_schema_from_before_the_first_upcaster_is_named() -> None:
    codec = Codec([Marked], {("box.marked", 2): stake_as_money})
    with pytest.raises(UnknownSchema, match="no upcaster leads on from schema 1"):
        codec.decode("box.marked", 1, b"{}")


def test_data_that_does_not_fit_is_an_error() -> None:
    with pytest.raises(ValidationError):
        CODEC.decode("hand.folded", 1, b'{"seat":1}')
    with pytest.raises(ValidationError):
        CODEC.decode("hand.folded", 1, b'{"seat":"a","more":1}')


def test_a_class_that_is_not_registered_is_not_encoded() -> None:
    class Opened(Strict):
        type_name: ClassVar[str] = "box.opened"

    class Impostor(Folded):
        pass

    for stranger in (Opened(), Impostor(seat="a")):
        with pytest.raises(UnknownType):
            CODEC.encode(stranger)
        with pytest.raises(UnknownType, match=type(stranger).__name__):
            CODEC.encode_all([EVENT, stranger])


def test_a_lone_surrogate_cannot_be_said() -> None:
    wrong = Folded.model_construct(seat="\ud800")
    with pytest.raises(Unencodable, match=r"hand\.folded"):
        CODEC.encode(wrong)
    with pytest.raises(Unencodable, match=r"hand\.folded"):
        CODEC.encode_all([EVENT, wrong])


def test_many_are_encoded_as_each_is() -> None:
    events = [EVENT, Folded(seat="a"), EVENT]
    assert CODEC.encode_all(events) == [CODEC.encode(event) for event in events]
    assert CODEC.encode_all([]) == []


@pytest.mark.parametrize("wrong", ["1.5", "'1'", "[1]"])
def test_what_is_not_of_its_type_is_never_written_whatever_is_said_of_warnings(wrong: str) -> None:
    program = f"""
from dataclasses import dataclass
from backoffice.log.codec import Codec
from backoffice.log.errors import Unencodable

@dataclass(frozen=True, slots=True)
class Paid:
    type_name = "test.paid"
    minor: int

try:
    Codec([Paid]).encode(Paid({wrong}))
except Unencodable as refused:
    print(refused)
"""
    told = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", program], capture_output=True, text=True, check=True
    ).stdout
    assert "test.paid" in told
    assert "Expected `int`" in told


def test_a_float_is_not_registered_however_deep() -> None:
    class Share(Strict):
        part: float | None = None

    class Shared(Strict):
        type_name: ClassVar[str] = "pool.shared"
        shares: tuple[dict[str, list[Share]], ...]

    with pytest.raises(ValueError, match=r"pool\.shared has a float"):
        Codec([Shared])


@pytest.mark.parametrize(
    ("types", "upcasters", "reason"),
    [
        ([Folded, Folded], {}, "two classes"),
        ([Folded], {("box.marked", 1): seat_by_name}, "not registered"),
        ([Marked], {("box.marked", 1): seat_by_name}, "none leads on"),
        ([Folded], {("hand.folded", 1): seat_by_name}, "the class does not"),
    ],
)
def test_a_registry_that_could_not_read_is_refused(types: Any, upcasters: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Codec(types, upcasters)
