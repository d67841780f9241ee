"""What every log promises, asked of the one in PostgreSQL and of its twin in memory."""

import json
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise
from random import Random
from uuid import UUID

import pytest
from sqlalchemy import Engine
from uuid_utils.compat import uuid7

from backoffice.log.chain import Broken, genesis, link, verify
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.errors import (
    AlreadyAppended,
    DuplicateEvent,
    Malformed,
    VersionConflict,
    WriterSpent,
)
from backoffice.log.memory import MemoryLog
from backoffice.log.postgres import PostgresLog
from backoffice.log.protocol import Log
from backoffice.log.verification import verify_log

NOON = datetime(2026, 3, 29, 12, 0, 0, 123_456, UTC)


@pytest.fixture(params=["memory", "postgres"])
def log(request: pytest.FixtureRequest) -> Iterator[Log]:
    if request.param == "memory":
        yield MemoryLog()
    else:
        yield PostgresLog(request.getfixturevalue("engine"))


def fact(stream: str, version: int, **parts: object) -> NewEvent:
    event = NewEvent(uuid7(), stream, version, "thing.done", 1, NOON, "feed", None, None, b'{"n":1}')
    return event._replace(**parts)  # type: ignore[arg-type]


def facts(stream: str, count: int, after: int = 0) -> list[NewEvent]:
    return [fact(stream, version) for version in range(after + 1, after + count + 1)]


def append(log: Log, *events: NewEvent) -> list[Recorded]:
    with log.writing() as writer:
        placed = writer.append(events)
    return list(log.read(placed.start - 1, placed.stop - 1))


def positions(events: list[Recorded]) -> list[int]:
    return [event.position for event in events]


def test_a_new_log_is_at_its_genesis(log: Log) -> None:
    head = log.head()
    assert head == genesis(head.log_id)
    assert head.position == 0
    assert list(log.read()) == []
    assert verify(log.read(), head, head) is None


def test_what_is_read_is_what_was_appended(log: Log) -> None:
    cause = uuid7()
    event = fact("round-1", 1, cause=cause, correlation="call 7", actor="cashier:anna", schema=3, type="a.b")
    [recorded] = append(log, event)
    assert [getattr(recorded, name) for name in NewEvent._fields] == [
        getattr(event, name) for name in NewEvent._fields
    ]
    assert [recorded] == list(log.read()) == log.read_stream("round-1")
    assert isinstance(recorded.event_id, UUID)
    assert isinstance(recorded.data, bytes)
    assert recorded.recorded_at.utcoffset() == timedelta(0)
    assert log.head() == Head(log.head().log_id, 1, recorded.hash)


def test_positions_are_dense_over_streams_and_appends(log: Log) -> None:
    with log.writing() as writer:
        assert writer.append([*facts("a", 2), *facts("b", 1)]) == range(1, 4)
        assert writer.append([*facts("a", 1, after=2), *facts("c", 1)]) == range(4, 6)
        last = list(writer.read())[-1]
        assert writer.head == Head(writer.head.log_id, 5, last.hash)
    third = append(log, *facts("b", 2, after=1))
    assert positions(third) == [6, 7]
    assert positions(list(log.read())) == [1, 2, 3, 4, 5, 6, 7]


def test_one_transaction_has_one_time(log: Log) -> None:
    with log.writing() as writer:
        writer.append(facts("a", 2))
        writer.append(facts("b", 2))
        assert [event.recorded_at for event in writer.read()] == [writer.now] * 4


def test_the_clock_is_asked_when_the_lock_is_held(log: Log) -> None:
    with log.writing() as first:
        pass
    time.sleep(0.002)
    with log.writing() as second:
        assert first.now < second.now


def test_versions_of_streams(log: Log) -> None:
    append(log, *facts("a", 3), *facts("b", 1))
    with log.writing() as writer:
        assert writer.versions(["a", "b", "new"]) == {"a": 3, "b": 1, "new": 0}
        writer.append([*facts("a", 1, after=3), *facts("new", 2)])
        assert writer.versions(["a", "b", "new"]) == {"a": 4, "b": 1, "new": 2}
        assert writer.versions([]) == {}


def test_a_writer_reads_its_own_events(log: Log) -> None:
    append(log, *facts("a", 1))
    with log.writing() as writer:
        writer.append([*facts("a", 1, after=1), *facts("b", 1)])
        assert positions(list(writer.read())) == [1, 2, 3]
        assert positions(list(writer.read(batch=1))) == [1, 2, 3]
        assert positions(writer.read_stream("a")) == [1, 2]
        streams = writer.read_streams(["a", "b", "c"])
        assert {name: positions(events) for name, events in streams.items()} == {
            "a": [1, 2],
            "b": [3],
            "c": [],
        }


def test_nobody_else_sees_events_before_the_commit(log: Log) -> None:
    append(log, *facts("a", 1))
    with log.writing() as writer:
        writer.append([*facts("a", 1, after=1), *facts("b", 1)])
        assert positions(list(log.read())) == positions(log.read_stream("a")) == [1]
        assert log.read_streams(["b"]) == {"b": []}
        assert log.head().position == 1


def test_a_rollback_leaves_no_hole(log: Log) -> None:
    before = append(log, *facts("a", 2))
    with pytest.raises(ZeroDivisionError), log.writing() as writer:  # noqa: PT012
        writer.append([*facts("a", 1, after=2), *facts("b", 5)])
        raise ZeroDivisionError
    assert list(log.read()) == before
    assert log.head().position == 2
    after = append(log, *facts("b", 1), *facts("a", 1, after=2))
    assert positions(after) == [3, 4]
    assert verify(log.read(), genesis(log.head().log_id), log.head()) is None


def test_nothing_appended_is_nothing_changed(log: Log) -> None:
    before = log.head()
    with log.writing() as writer:
        assert not writer.append([])
    assert log.head() == before


@pytest.mark.parametrize(
    ("given", "stream", "expected", "actual"),
    [
        ([("a", 1)], "a", 0, 2),
        ([("a", 2)], "a", 1, 2),
        ([("a", 4)], "a", 3, 2),
        ([("new", 2)], "new", 1, 0),
        ([("b", 1), ("a", 3), ("a", 5)], "a", 4, 3),
        ([("a", 3), ("a", 3)], "a", 2, 3),
        ([("b", 2), ("b", 1)], "b", 1, 0),
    ],
)
def test_a_conflict_names_the_stream_and_leaves_the_writer_usable(
    log: Log, given: list[tuple[str, int]], stream: str, expected: int, actual: int
) -> None:
    append(log, *facts("a", 2))
    with log.writing() as writer:
        with pytest.raises(VersionConflict) as conflict:
            writer.append([fact(*place) for place in given])
        assert (conflict.value.stream, conflict.value.expected, conflict.value.actual) == (
            stream,
            expected,
            actual,
        )
        assert list(writer.append(facts("b", 1))) == [3]
    assert positions(list(log.read())) == [1, 2, 3]


def test_reading_from_and_to(log: Log) -> None:
    append(log, *facts("a", 10))
    assert positions(list(log.read(after=4))) == [5, 6, 7, 8, 9, 10]
    assert positions(list(log.read(after=4, upto=7))) == [5, 6, 7]
    assert positions(list(log.read(upto=3))) == [1, 2, 3]
    assert positions(list(log.read(after=10))) == []
    assert positions(list(log.read(after=11))) == []
    for batch in (1, 2, 3, 10, 11):
        assert positions(list(log.read(batch=batch))) == list(range(1, 11))


def test_reading_some_types(log: Log) -> None:
    events = facts("a", 9)
    append(log, *[event._replace(type=f"type.{event.version % 3}") for event in events])
    assert positions(list(log.read(types=["type.0"]))) == [3, 6, 9]
    assert positions(list(log.read(types={"type.0", "type.1"}, batch=2))) == [1, 3, 4, 6, 7, 9]
    assert positions(list(log.read(after=3, upto=6, types=["type.0", "type.1"]))) == [4, 6]
    assert positions(list(log.read(types=["type.9"]))) == []
    assert positions(list(log.read(types=[]))) == []


def test_reading_streams(log: Log) -> None:
    append(log, *facts("a", 2), *facts("b", 2), *facts("a", 2, after=2))
    assert positions(log.read_stream("a")) == [1, 2, 5, 6]
    assert positions(log.read_stream("a", after_version=3)) == [6]
    assert log.read_stream("a", after_version=4) == log.read_stream("nothing") == []
    streams = log.read_streams(["b", "a", "nothing"])
    assert {name: positions(events) for name, events in streams.items()} == {
        "a": [1, 2, 5, 6],
        "b": [3, 4],
        "nothing": [],
    }
    assert log.read_streams([]) == {}


def test_reading_some_types_of_streams(log: Log) -> None:
    events = [*facts("a", 4), *facts("b", 2)]
    append(log, *[event._replace(type=f"type.{event.version % 2}") for event in events])
    for types, expected in (({"type.0"}, [2, 4]), (["type.0", "type.1"], [1, 2, 3, 4]), ([], [])):
        streams = log.read_streams(["a", "nothing"], types)
        assert {name: positions(events) for name, events in streams.items()} == {"a": expected, "nothing": []}
    with log.writing() as writer:
        writer.append([fact("a", 5)._replace(type="type.1")])
        assert positions(writer.read_streams(["a"], ["type.1"])["a"]) == [1, 3, 7]


def test_a_reader_that_takes_its_time_meets_later_events_in_order(log: Log) -> None:
    append(log, *facts("a", 3))
    reader = log.read(batch=2)
    seen = [next(reader).position]
    append(log, *facts("a", 3, after=3))
    seen += [event.position for event in reader]
    assert seen == [1, 2, 3, 4, 5, 6]


def test_the_chain_is_over_the_bytes_that_are_stored(log: Log) -> None:
    append(log, *facts("a", 3), *facts("b", 2))
    stored = list(log.read())
    previous = genesis(log.head().log_id).hash
    for event in stored:
        previous = link(previous, event.position, event.recorded_at, event)
        assert event.hash == previous
    assert log.head().hash == previous
    assert all(one.hash != other.hash for one, other in pairwise(stored))


@pytest.mark.parametrize(
    "data",
    [
        "{}",
        '{"nick":"Åsa 🂡 \\" \\\\ ünïcödé \\n"}',
        '{"b":1, "a":  2,"b":3}',
        '{"big":123456789012345678901234567890,"null":null,"no":[false,[{}]]}',
        '{"escaped":"\\u00e5 \\ud83c\\udca1","not nul":"\\\\u0000"}',
        '{"rate":"1.0825","text":"[1.5, 1e5","at":": 0.5","id":"7e4"}',
        json.dumps({"lines": ["0123456789" * 10] * 9_000}),
    ],
    ids=["empty", "unicode", "order and blanks", "large number", "escapes", "fractions in text", "900 kB"],
)
def test_data_comes_back_to_the_byte(log: Log, data: str) -> None:
    [recorded] = append(log, fact("a", 1, data=data.encode()))
    assert recorded.data == data.encode()
    assert [event.data for event in log.read()] == [data.encode()]
    assert verify(log.read(), genesis(log.head().log_id), log.head()) is None


def test_names_in_any_script(log: Log) -> None:
    event = fact("spelare-åäö-♠", 1, actor="Ζωή", correlation="夜", type="spel.börjat")
    append(log, event)
    [stored] = log.read_stream("spelare-åäö-♠")
    assert (stored.actor, stored.correlation, stored.type) == ("Ζωή", "夜", "spel.börjat")
    assert verify(log.read(), genesis(log.head().log_id), log.head()) is None


def test_the_longest_names_have_room(log: Log) -> None:
    """Of letters that do not repeat: an index packs those that do."""
    dice = Random(1)  # noqa: S311
    for longest in (
        "".join(chr(dice.randint(0x21, 0x7E)) for _ in range(1000)),
        "".join(chr(dice.randint(0x100, 0x7FF)) for _ in range(1000)),
        "".join(chr(dice.randint(0x10000, 0xEFFFF)) for _ in range(500)),
    ):
        append(log, fact(longest, 1, type=longest, actor=longest, correlation=longest))
        assert [event.stream for event in log.read_stream(longest)] == [longest]
    assert verify_log(log) is None


def test_an_instant_is_the_same_in_every_zone(log: Log) -> None:
    away = NOON.astimezone(timezone(timedelta(hours=-9, minutes=-30)))
    [here] = append(log, fact("a", 1))
    [there] = append(log, fact("b", 1, happened_at=away))
    assert [event.happened_at for event in log.read()] == [NOON, NOON]
    assert link(here.hash, 2, there.recorded_at, there._replace(happened_at=NOON)) == there.hash


@pytest.mark.parametrize("year", [2, 1900, 9998])
def test_early_and_late_times(log: Log, year: int) -> None:
    instant = datetime(year, 12, 31, 23, 59, 59, 999_999, UTC)
    append(log, fact("a", 1, happened_at=instant))
    assert [event.happened_at for event in log.read()] == [instant]
    assert verify(log.read(), genesis(log.head().log_id), log.head()) is None


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("data", b'{"a":0.1}'),
        ("data", b'{"a":1e2}'),
        ("data", b'{"a":[1E2]}'),
        ("data", b'{"a":NaN}'),
        ("data", b'{"a":-Infinity}'),
        ("data", b'{"a":"\\u0000"}'),
        ("data", b'{"a":"\\ud800"}'),
        ("data", b'{"a":"\xed\xa0\x80"}'),
        ("data", b'{"a":"\x00"}'),
        ("data", b"{"),
        ("data", b""),
        ("data", b"[]"),
        ("happened_at", datetime(2026, 1, 1)),  # noqa: DTZ001
        ("happened_at", datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=9)))),
        ("happened_at", datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-9)))),
        ("stream", ""),
        ("stream", "a\0"),
        ("stream", "\ud800"),
        ("stream", "x" * 1001),
        ("stream", "♠" * 667),
        ("actor", "x" * 1001),
        ("correlation", "x" * 1001),
        ("type", ""),
        ("actor", "a\0"),
        ("correlation", "\udfff"),
        ("correlation", ""),
        ("version", 0),
        ("schema", 0),
        ("schema", 1 << 63),
    ],
)
def test_wrong_bytes_never_get_in(log: Log, field: str, value: object) -> None:
    with log.writing() as writer:
        with pytest.raises(Malformed) as refused:
            writer.append([fact("good", 1), fact(**{"stream": "a", "version": 1, field: value})])
        assert refused.value.field == field
        assert list(writer.append(facts("good", 1))) == [1]
    assert log.head().position == 1


def test_the_same_append_again_is_told_its_positions(log: Log) -> None:
    append(log, *facts("other", 3))
    events = [*facts("a", 2), *facts("b", 1)]
    first = append(log, *events)
    append(log, *facts("a", 1, after=2))
    with log.writing() as writer:
        with pytest.raises(AlreadyAppended) as again:
            writer.append(events)
        assert again.value.recorded == first
        assert list(writer.append(facts("b", 1, after=1))) == [8]


def test_the_same_append_again_in_another_order_is_told_in_its_own(log: Log) -> None:
    one, two = fact("a", 1), fact("b", 1)
    append(log, one, two)
    with log.writing() as writer, pytest.raises(AlreadyAppended) as again:
        writer.append([two, one])
    assert positions(again.value.recorded) == [2, 1]


def test_the_same_ids_with_other_content_are_no_repetition(log: Log) -> None:
    event = fact("a", 1)
    append(log, event)
    with log.writing() as writer:
        with pytest.raises(DuplicateEvent) as refused:
            writer.append([event._replace(data=b'{"n":2}')])
        assert refused.value.event_id == event.event_id
        assert list(writer.append(facts("b", 1))) == [2]


def test_a_part_of_an_append_again_is_a_conflict(log: Log) -> None:
    event = fact("a", 1)
    append(log, event)
    with log.writing() as writer, pytest.raises(VersionConflict):
        writer.append([event, fact("a", 2)])


def test_an_id_twice_in_one_append_is_refused_before_it_is_written(log: Log) -> None:
    event = fact("a", 1)
    with log.writing() as writer:
        with pytest.raises(DuplicateEvent):
            writer.append([event, event._replace(stream="b")])
        assert list(writer.append(facts("b", 1))) == [1]


def test_an_id_that_is_taken_ends_the_transaction(log: Log) -> None:
    event = fact("a", 1)
    append(log, event)
    with pytest.raises(WriterSpent), log.writing() as writer:  # noqa: PT012
        writer.append(facts("c", 1))
        with pytest.raises(DuplicateEvent) as refused:
            writer.append([fact("b", 1, event_id=event.event_id)])
        assert refused.value.event_id == event.event_id
    assert log.head().position == 1
    assert positions(append(log, *facts("b", 1))) == [2]


def test_what_comes_by_blocks_stands_as_if_it_had_come_at_once(log: Log) -> None:
    append(log, *facts("a", 1))
    events = [*facts("a", 2, after=1), *facts("b", 3)]
    with log.writing() as writer:
        writer.versions(["a", "b"])
        assert writer.append_blocks([events[:1], [], events[1:4], events[4:]]) == range(2, 7)
        assert writer.versions(["a", "b"]) == {"a": 3, "b": 3}
        assert list(writer.append(facts("b", 1, after=3))) == [7]
    assert [one[: len(events[0])] for one in log.read(1, 6)] == events
    assert verify_log(log) is None


def test_blocks_are_asked_for_one_by_one(log: Log) -> None:
    asked: list[int] = []

    def blocks() -> Iterator[list[NewEvent]]:
        for version in (1, 2, 3):
            assert writer.head.position == version - 1
            asked.append(version)
            yield [fact("a", version)]

    with log.writing() as writer:
        writer.versions(["a"])
        writer.append_blocks(blocks())
    assert asked == [1, 2, 3]


@pytest.mark.parametrize(
    ("wrong", "refusal"),
    [
        (fact("a", 5), VersionConflict),
        (fact("a", 3)._replace(data=b"{"), Malformed),
        (fact("a", 3)._replace(actor=""), Malformed),
    ],
)
def test_one_block_that_is_wrong_ends_the_transaction(
    log: Log, wrong: NewEvent, refusal: type[Exception]
) -> None:
    append(log, *facts("other", 1))
    with pytest.raises(refusal), log.writing() as writer:  # noqa: PT012
        writer.versions(["a"])
        writer.append_blocks([facts("a", 2), [wrong]])
    assert log.head().position == 1


def test_who_goes_on_behind_a_wrong_block_is_told_that_nothing_was_written(log: Log) -> None:
    with pytest.raises(WriterSpent), log.writing() as writer:  # noqa: PT012
        writer.versions(["a"])
        with pytest.raises(VersionConflict):
            writer.append_blocks([facts("a", 2), facts("a", 1)])
        with pytest.raises(WriterSpent):
            writer.append(facts("b", 1))
    assert log.head().position == 0


def test_an_id_twice_in_two_blocks_ends_the_transaction(log: Log) -> None:
    event = fact("a", 1)
    with pytest.raises(DuplicateEvent) as refused, log.writing() as writer:  # noqa: PT012
        writer.versions(["a", "b"])
        writer.append_blocks([[event], [event._replace(stream="b")]])
    assert refused.value.event_id == event.event_id
    assert log.head().position == 0


def test_what_fails_while_a_block_is_made_is_raised_and_nothing_is_written(log: Log) -> None:
    def blocks() -> Iterator[list[NewEvent]]:
        yield facts("a", 1)
        raise KeyError("no such thing")

    with pytest.raises(KeyError, match="no such thing"), log.writing() as writer:  # noqa: PT012
        writer.versions(["a"])
        writer.append_blocks(blocks())
    assert log.head().position == 0
    assert positions(append(log, *facts("a", 1))) == [1]


def test_a_writer_is_good_for_one_transaction(log: Log) -> None:
    with log.writing() as writer:
        pass
    with pytest.raises(WriterSpent):
        writer.append(facts("a", 1))
    with pytest.raises(WriterSpent):
        writer.read_stream("a")


def test_the_twin_has_no_connection_and_the_other_one_has(log: Log, request: pytest.FixtureRequest) -> None:
    with log.writing() as writer:
        assert (writer.connection is None) == isinstance(log, MemoryLog)


def test_a_log_is_verified_to_its_head_and_through_any_head_that_was_kept(log: Log) -> None:
    assert verify_log(log) is None
    heads = [log.head()]
    for n in range(3):
        append(log, *facts("a", 2, after=2 * n))
        heads.append(log.head())
    assert verify_log(log) is None
    assert [verify_log(log, kept) for kept in heads] == [None] * 4
    log_id = log.head().log_id
    assert verify_log(log, Head(log_id, 9, b"")) == Broken(7, "missing: the log ends at 6, expected 9")
    assert verify_log(log, replace(heads[2], hash=bytes(32))) == Broken(
        4, "the chain is whole, but it is not the one that was expected here"
    )
    stranger = verify_log(log, genesis(str(uuid7())))
    assert stranger is not None
    assert stranger.position == 0


def test_events_that_come_in_during_the_verification_are_no_strays(log: Log) -> None:
    append(log, *facts("a", 2))
    walking = log.read(upto=2)
    head = log.head()
    append(log, *facts("a", 2, after=2))
    assert verify(walking, genesis(head.log_id), head) is None
    assert verify_log(log, head) is None


def test_two_logs_do_not_share_hashes(engine: Engine) -> None:
    event = fact("a", 1)
    clocked = MemoryLog(clock=lambda: NOON), MemoryLog(clock=lambda: NOON)
    [[one], [other]] = [append(log, event) for log in clocked]
    assert one.recorded_at == other.recorded_at
    assert one.hash != other.hash


def test_both_logs_hash_alike(engine: Engine) -> None:
    stored = PostgresLog(engine)
    [recorded] = append(stored, fact("a", 1, cause=uuid7(), correlation="x"))
    twin = MemoryLog(clock=lambda: recorded.recorded_at, log_id=stored.head().log_id)
    assert append(twin, NewEvent(*recorded[: len(NewEvent._fields)])) == [recorded]
