"""Published events as they were stored: one sample of each type and schema in `event_samples/`, readable for ever.

A new type or a new schema brings its sample, `{type}.{schema}.json`, with the commit that publishes it; no sample is ever
changed or taken away. An event may gain optional fields without a new schema; its sample does not change for that.
"""

import json
from pathlib import Path
from typing import Any

import pytest
from pydantic_core import to_jsonable_python

from backoffice.bootstrap import CODEC
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.ledger import postings
from backoffice.domain.meters import meter_moves

SAMPLES = {
    path.stem: path.read_bytes() for path in sorted((Path(__file__).parent / "event_samples").glob("*.json"))
}
PUBLISHED = {
    f"{event.type_name}.{schema}" for event in EVENTS for schema in range(1, event.schema_number + 1)
}


def decoded(name: str) -> Any:
    type_name, _, schema = name.rpartition(".")
    return CODEC.decode(type_name, int(schema), SAMPLES[name])


def missing(sample: Any, stored: Any) -> list[str]:
    """Where `stored` does not say what `sample` says; what it says beyond that is no matter."""
    if isinstance(sample, dict) and isinstance(stored, dict):
        inside = {key: missing(value, stored.get(key, ...)) for key, value in sample.items()}
        return [f"{key}.{place}".rstrip(".") for key, places in inside.items() for place in places]
    if isinstance(sample, list) and isinstance(stored, list) and len(sample) == len(stored):
        return [place for one, other in zip(sample, stored, strict=True) for place in missing(one, other)]
    return [] if sample == stored else [""]


def test_every_published_event_has_a_sample():
    assert PUBLISHED - set(SAMPLES) == set(), (
        "put the data of such an event, as it is stored, into event_samples/"
    )


def test_nothing_that_was_published_has_gone():
    assert set(SAMPLES) - PUBLISHED == set(), "a published type or schema is readable for ever"


@pytest.mark.parametrize("name", SAMPLES)
def test_a_sample_is_read_as_an_event_that_is_written_and_read_again(name):
    event = decoded(name)
    assert CODEC.decode(event.type_name, event.schema_number, CODEC.encode(event)) == event


@pytest.mark.parametrize("name", SAMPLES)
def test_a_report_tells_an_event_as_it_is_stored(name):
    event = decoded(name)
    assert to_jsonable_python(event) == json.loads(CODEC.encode(event))


@pytest.mark.parametrize(
    "name",
    [
        f"{event.type_name}.{event.schema_number}"
        for event in EVENTS
        if f"{event.type_name}.{event.schema_number}" in SAMPLES
    ],
)
def test_a_sample_of_the_present_schema_is_written_as_it_was_stored(name):
    stored = json.loads(CODEC.encode(decoded(name)))
    assert missing(json.loads(SAMPLES[name]), stored) == []


@pytest.mark.parametrize("name", SAMPLES)
def test_a_samples_money_balances(name):
    sums: dict[str, int] = {}
    for posting in postings(decoded(name)):
        sums[posting.currency] = sums.get(posting.currency, 0) + posting.minor
    assert not any(sums.values())
    assert all(move.currency for move in meter_moves(decoded(name)))
