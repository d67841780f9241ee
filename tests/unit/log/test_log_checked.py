import contextlib
import json
from datetime import UTC, datetime
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from backoffice.log.checked import LONGEST_DATA, check
from backoffice.log.envelope import NewEvent
from backoffice.log.errors import Malformed

NOON = datetime(2026, 3, 29, 12, tzinfo=UTC)


def event(data: bytes) -> NewEvent:
    return NewEvent(UUID(int=1), "a", 1, "t", 1, NOON, "me", None, None, data)


def is_taken(data: bytes) -> bool:
    with contextlib.suppress(Malformed):
        check([event(data)])
        return True
    return False


def is_clean(value: Any) -> bool:
    match value:
        case float():
            return False
        case str():
            return "\0" not in value and _encodes(value)
        case dict():
            return all(map(is_clean, value)) and all(map(is_clean, value.values()))
        case list():
            return all(map(is_clean, value))
    return True


def _encodes(value: str) -> bool:
    return not any("\ud800" <= letter <= "\udfff" for letter in value)


texts = st.one_of(
    st.text(max_size=8),
    st.text(alphabet='0123456789.eE-+,:[]{}" \\u0', max_size=12),
    st.sampled_from(["1.5", ":1.5", "[1e5", "-0.1", "\0", "\ud800", "a\\u0000", "NaN", "7e4", ", 1E9"]),
)
values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.integers(-9, 9)
    | st.floats(allow_nan=True, allow_infinity=True)
    | st.sampled_from([1.5, 1e300, 1e-7, -0.0])
    | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
layouts = st.sampled_from(
    [
        {"separators": (",", ":")},
        {},
        {"indent": 1},
        {"indent": "\t"},
        {"separators": (" ,\r\n", "\n: ")},
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.dictionaries(texts, values, max_size=4), layouts, st.booleans())
def test_exactly_the_clean_is_taken(value: dict[str, Any], layout: dict[str, Any], ascii_only: bool) -> None:
    data = json.dumps(value, ensure_ascii=ascii_only, **layout).encode(errors="surrogatepass")
    assert is_taken(data) == is_clean(json.loads(data.decode(errors="surrogatepass")))


@pytest.mark.parametrize(
    "data",
    [
        '{"a":1.0}', '{"a":-1.0}', '{"a":1e5}', '{"a":1E5}', '{"a":1e-5}', '{"a":0.10}', '{"a":0e0}',
        '{"a":12345678901234567890.12}', '{"a":[1,2.5]}', '{"a":[[-2E+3]]}', '{"a": 1.5}', '{"a":\n1.5}',
        '{"a":\t1.5}', '{"a":1.5e7}', '{"a":NaN}', '{"a":Infinity}', '{"a":-Infinity}', '{"a":1.5,"b":"\\""}',
        '{"a":"x","b":[{"c":{"d":9.9}}]}',
    ],
)  # fmt: skip
def test_a_fraction_is_found_wherever_it_hides(data: str) -> None:
    assert not is_taken(data.encode())


@pytest.mark.parametrize(
    "data",
    [
        '{"a":"1.5"}', '{"a":":1.5"}', '{"a":"[1.5,2e7"}', '{"1.5":1}', '{"a":"\\",1.5"}', '{"a":0}',
        '{"a":"\\\\",":2.5":1}', '{"a":"7e4d","b":10}', '{"a":-10}', '{"a":100000000000000000000000000}',
    ],
)  # fmt: skip
def test_what_only_looks_like_a_fraction_is_taken(data: str) -> None:
    assert is_taken(data.encode())


@pytest.mark.parametrize(
    ("data", "taken"),
    [
        (rb'{"a":"\u0000"}', False),
        (rb'{"a":"\\u0000"}', True),
        (rb'{"a":"\\\u0000"}', False),
        (rb'{"a":"\\\\u0000"}', True),
        (rb'{"a\u0000":1}', False),
        (rb'{"a":"\n\u0000"}', False),
        (rb'{"a":"\u0001"}', True),
        (rb'{"a":"\ud83c\udca1"}', True),
        (rb'{"a":"\udca1\ud83c"}', False),
        (rb'{"a":"\ud83c"}', False),
        (b'{"a":"\xff"}', False),
        (b'{"a":"\xc0\x80"}', False),
        (b'\xef\xbb\xbf{"a":1}', False),
        (b"null", False),
        (b'{"a":1} {}', False),
        (b'{"a":01}', False),
        (b"{'a':1}", False),
    ],
)
def test_escapes_and_encodings(data: bytes, taken: bool) -> None:
    assert is_taken(data) is taken


def test_data_has_a_longest_length() -> None:
    assert is_taken(b'{"a":"' + b"x" * (LONGEST_DATA - 8) + b'"}')
    assert not is_taken(b'{"a":"' + b"x" * (LONGEST_DATA - 7) + b'"}')


def test_too_deep_is_refused() -> None:
    assert not is_taken(b'{"a":' * 5_000 + b"1" + b"}" * 5_000)


@pytest.mark.parametrize(
    ("field", "bad"),
    [
        *((field, bad) for field in ("stream", "type", "actor", "correlation") for bad in ("", "a\0", "\ud800", "x" * 1001)),
        *((field, bad) for field in ("version", "schema") for bad in (0, -1, 1 << 63)),
        ("happened_at", NOON.replace(tzinfo=None)),
        ("happened_at", NOON.replace(year=1)),
        ("happened_at", NOON.replace(year=9999)),
        ("data", b'{"a":1.5}'),
    ],
)  # fmt: skip
def test_one_bad_field_among_many_events_is_found_and_named(field: str, bad: Any) -> None:
    many = [event(b"{}")._replace(stream=f"s-{n}", version=n + 1, correlation=f"c-{n}") for n in range(20)]
    check(many)
    many[7] = many[7]._replace(**{field: bad})
    with pytest.raises(Malformed) as refused:
        check(many)
    assert refused.value.field == field
