"""Facts of an older schema, met on every path that reads the log (pitfall 9): each sees them as they are written now.

The older program here wrote antes, cancellations and rates in another shape. It is stored, and stays as it was stored.
"""

import io
import json
from collections.abc import Sequence
from typing import Any

import pytest
from front_door import action, deposit, founding, opened, tallinn, whole_round
from sqlalchemy import Engine

from backoffice.app.handle import Handler
from backoffice.app.recall import Recall
from backoffice.app.requests import Accepted
from backoffice.bootstrap import House
from backoffice.domain.catalogue import EVENTS
from backoffice.domain.network.events import RateSet
from backoffice.domain.rounds.events import AntePlaced, CancellationRequested
from backoffice.log.codec import Codec
from backoffice.log.envelope import Encoded
from backoffice.log.postgres import PostgresLog
from backoffice.log.verification import verify_log
from backoffice.reports.round_audit import audit_rounds
from backoffice.reports.round_story import round_story

CHANGED = (AntePlaced, CancellationRequested, RateSet)


class OlderCodec(Codec):
    """What an older program wrote: all of it under `was`, and nothing beside it."""

    def encode_all(self, events: Sequence[object]) -> list[Encoded]:
        return list(map(_older, events, super().encode_all(events)))


def _older(event: object, data: Encoded) -> Encoded:
    return Encoded(json.dumps({"was": json.loads(data)}).encode()) if isinstance(event, CHANGED) else data


def unwrap(fields: dict[str, Any]) -> dict[str, Any]:
    (was,) = fields.values()
    return dict(was)


@pytest.fixture
def house(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house of today's program on a log that an older one has written."""
    log, codec = PostgresLog(engine), OlderCodec(EVENTS)
    older = Handler(log, codec, Recall(codec), reacts=False)
    done = older.commit(
        [
            founding(),
            deposit("ann"),
            deposit("bob"),
            *whole_round("settled", "ann"),
            *whole_round("open", "ann")[:5],
            opened("cancelled"),
            action("ante", round="cancelled", seat="1", **tallinn("bob"), amount="20.00"),
            action("cancel", round="cancelled", reason="misdeal"),
        ]
    )
    assert all(isinstance(outcome, Accepted) for outcome in done), done
    for kind in CHANGED:
        monkeypatch.setattr(kind, "schema_number", 2)
    return House(engine, log, Codec(EVENTS, {(kind.type_name, 1): unwrap for kind in CHANGED}), reacts=False)


def test_every_reader_sees_older_facts_as_they_are_written_now(house: House) -> None:
    with house.group_commit() as group:  # loads streams and rates, and decides by them
        played = group.submit(whole_round("open", "ann")[5:]).result()
        assert all(isinstance(outcome, Accepted) for outcome in played), played
    assert house.reactor().carry_out_due() == 1
    projector = house.projector()
    projector.catch_up()
    assert list(projector.compare()) == []
    assert not any(each.differed for each in projector.rebuild())
    audited = list(audit_rounds(house.log, house.codec))
    assert [(one.round, one.differences) for one in audited] == [
        ("settled", ()),
        ("cancelled", ()),
        ("open", ()),
        ("cancelled", ()),
    ]
    story = round_story(house.log, house.codec, "cancelled")
    assert [event["schema"] for event in story["events"] if event["type"] == "round.ante_placed"] == [1]
    assert "ante of 20.00 EUR" in str(story["events"])
    lines = io.BytesIO()
    house.export("round-lines", "csv", lines)
    assert b"cancelled,1,tallinn,bob,EUR,ante,20.00,refund,,20.00\n" in lines.getvalue()


def test_what_was_stored_stays_as_it_was_stored(house: House) -> None:
    stored = list(house.log.read(types=[AntePlaced.type_name]))
    assert {one.schema for one in stored} == {1}
    assert all(list(json.loads(one.data)) == ["was"] for one in stored)
    assert verify_log(house.log) is None
