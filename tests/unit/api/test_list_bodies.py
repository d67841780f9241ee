"""Lists of actions are taken apart without being understood: every part is, byte for byte, what was written."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from backoffice.api.bodies import actions_of
from backoffice.api.problems import Problem

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text()
documents = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=20
)
layouts = st.fixed_dictionaries(
    {
        "indent": st.none() | st.integers(0, 3),
        "ensure_ascii": st.booleans(),
        "separators": st.sampled_from([None, (",", ":")]),
    }
)


@given(st.lists(documents, min_size=1, max_size=20), layouts)
def test_the_parts_of_a_list_are_what_is_in_it(parts, layout):
    body = json.dumps(parts, **layout).encode("utf-8", "surrogatepass")
    try:
        body.decode()
    except UnicodeDecodeError:
        with pytest.raises(Problem):
            actions_of(body, 20)
        return
    taken = actions_of(body, 20)
    assert isinstance(taken, list)
    assert [json.loads(part) for part in taken] == parts
    at = 0
    for part in taken:
        at = body.index(part, at) + len(part)


@given(st.binary(max_size=60).map(lambda end: b"[" + end))
def test_what_is_taken_for_a_list_is_one(body):
    """As the standard library reads it, too."""
    try:
        taken = actions_of(body, 1000)
    except Problem:
        return
    assert [json.loads(part) for part in taken] == json.loads(body)


@pytest.mark.parametrize("body", [b"{}", b"", b"  7", b'"["', b"\xff"])
def test_what_is_no_list_is_left_to_whoever_reads_an_action(body):
    assert actions_of(body, 5) == body


def test_a_list_has_one_action_and_not_too_many():
    assert actions_of(b"[1,2]", 2) == [b"1", b"2"]
    for body in (b"[]", b"[ ]", b"[1,2,3]"):
        with pytest.raises(Problem, match="1 to 2 actions"):
            actions_of(body, 2)
