import tracemalloc
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta, timezone
from hashlib import sha256
from uuid import UUID

import pytest

from backoffice.log.chain import Broken, genesis, link, verify
from backoffice.log.envelope import Head, NewEvent, Recorded

LOG = "01890a5d-ac96-774b-bcce-b302099a8057"
START = genesis(LOG)
NOON = datetime(2026, 3, 29, 12, 0, 0, 5, UTC)
ID = UUID("01890a5d-ac96-774b-bcce-b302099a8058")
EVENT = NewEvent(ID, "round-å", 7, "round.settled", 2, NOON, "feed", ID, "call", b'{"n":1}')


def chain(count: int, after: Head = START) -> Iterator[Recorded]:
    previous = after.hash
    for number in range(1, count + 1):
        event = EVENT._replace(event_id=UUID(int=number), version=number)
        position = after.position + number
        previous = link(previous, position, NOON, event)
        yield Recorded(*event, position, NOON, previous)


def head_of(events: list[Recorded]) -> Head:
    return Head(LOG, events[-1].position, events[-1].hash)


def by_the_book(previous: bytes, position: int, recorded_at: datetime, event: NewEvent) -> bytes:
    """The chain's definition again, written to be read and not to be quick."""

    def number(value: int) -> bytes:
        return value.to_bytes(8, "big", signed=True)

    def instant(value: datetime) -> bytes:
        return number((value - datetime(2000, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1))

    values = [
        number(position),
        event.event_id.bytes,
        event.stream.encode(),
        number(event.version),
        event.type.encode(),
        number(event.schema),
        instant(event.happened_at),
        instant(recorded_at),
        event.actor.encode(),
        event.cause and event.cause.bytes,
        event.correlation and event.correlation.encode(),
        event.data,
    ]
    hashed = previous
    for value in values:
        length = -1 if value is None else len(value)
        hashed += length.to_bytes(4, "big", signed=True) + (value or b"")
    return sha256(hashed).digest()


@pytest.mark.parametrize(
    "event",
    [
        EVENT,
        EVENT._replace(cause=None),
        EVENT._replace(correlation=None, happened_at=NOON.min.replace(tzinfo=UTC)),
    ],
)
def test_the_chain_is_as_defined(event: NewEvent) -> None:
    assert link(START.hash, 5, NOON, event) == by_the_book(START.hash, 5, NOON, event)


def test_the_definition_never_changes() -> None:
    assert START.hash.hex() == sha256(UUID(LOG).bytes).hexdigest()
    assert link(START.hash, 1, NOON, EVENT).hex() == (
        "eb57c3b172e11393145da65917077c7acd620f7a2d1d4fce7510ed75b9baf1b5"
    )


CHANGED = {
    "event_id": UUID(int=1),
    "stream": "round-b",
    "version": 8,
    "type": "round.opened",
    "schema": 3,
    "happened_at": NOON + timedelta(microseconds=1),
    "actor": "feef",
    "cause": None,
    "correlation": None,
    "data": b'{"n":2}',
}


def test_every_field_is_known_here() -> None:
    assert list(CHANGED) == list(NewEvent._fields)


@pytest.mark.parametrize("field", CHANGED)
def test_every_field_is_hashed(field: str) -> None:
    changed = EVENT._replace(**{field: CHANGED[field]})  # type: ignore[arg-type]
    assert link(START.hash, 1, NOON, changed) != link(START.hash, 1, NOON, EVENT)


def test_the_place_the_time_and_the_hash_before_are_hashed() -> None:
    hashes = {
        link(START.hash, 1, NOON, EVENT),
        link(START.hash, 2, NOON, EVENT),
        link(START.hash, 1, NOON + timedelta(microseconds=1), EVENT),
        link(bytes(32), 1, NOON, EVENT),
    }
    assert len(hashes) == 4


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"type": "ab", "stream": "c"}, {"type": "b", "stream": "ca"}),
        ({"actor": "ab", "correlation": "c"}, {"actor": "a", "correlation": "bc"}),
        ({"correlation": "", "data": b"{}"}, {"correlation": None, "data": b"{}"}),
        ({"correlation": "a", "data": b"{}"}, {"correlation": "a{", "data": b"}"}),
        ({"cause": ID, "correlation": None}, {"cause": None, "correlation": ID.bytes.decode("latin1")}),
    ],
)
def test_fields_do_not_flow_into_each_other(one: dict[str, object], other: dict[str, object]) -> None:
    first, second = (EVENT._replace(**parts) for parts in (one, other))  # type: ignore[arg-type]
    assert link(START.hash, 1, NOON, first) != link(START.hash, 1, NOON, second)


def test_a_zone_is_not_hashed() -> None:
    away = NOON.astimezone(timezone(timedelta(hours=13)))
    assert link(START.hash, 1, away, EVENT._replace(happened_at=away)) == link(START.hash, 1, NOON, EVENT)


def test_a_naive_time_is_an_error() -> None:
    with pytest.raises(TypeError):
        link(START.hash, 1, NOON, EVENT._replace(happened_at=datetime(2026, 1, 1)))  # noqa: DTZ001


def test_a_whole_chain_is_whole() -> None:
    events = list(chain(5))
    assert verify(events, START) is None
    assert verify(events, START, head_of(events)) is None
    assert verify(events[2:], head_of(events[:2]), head_of(events)) is None
    assert verify([], START, START) is None


def test_a_dropped_event_is_missed() -> None:
    events = list(chain(5))
    assert verify(events[:2] + events[3:], START) == Broken(3, "missing")
    assert verify(events[1:], START) == Broken(1, "missing")


def test_a_repeated_event_is_noticed() -> None:
    events = list(chain(5))
    broken = verify(events[:3] + events[2:], START)
    assert broken == Broken(4, "position 3 comes again")


@pytest.mark.parametrize("field", [*CHANGED, "recorded_at", "hash"])
def test_a_changed_event_is_noticed(field: str) -> None:
    events = list(chain(5))
    changed = {**CHANGED, "recorded_at": NOON + timedelta(seconds=1), "hash": bytes(32)}
    events[2] = events[2]._replace(**{field: changed[field]})  # type: ignore[arg-type]
    broken = verify(events, START)
    assert broken is not None
    assert broken.position == 3


def test_swapped_events_are_noticed() -> None:
    one, two, three, four, five = chain(5)
    swapped = four._replace(position=2), two._replace(position=4)
    broken = verify([one, swapped[0], three, swapped[1], five], START)
    assert broken is not None
    assert broken.position == 2


def test_an_event_from_elsewhere_is_noticed() -> None:
    events = list(chain(5))
    elsewhere = list(chain(6, genesis(str(UUID(int=1)))))
    broken = verify([*events, elsewhere[5]], START)
    assert broken is not None
    assert broken.position == 6


def test_a_cut_tail_is_noticed_by_who_knows_the_head() -> None:
    events = list(chain(5))
    assert verify(events[:3], START) is None
    broken = verify(events[:3], START, head_of(events))
    assert broken == Broken(4, "missing: the log ends at 3, expected 5")
    assert verify([], START, head_of(events)) == Broken(1, "missing: the log ends at 0, expected 5")


def test_a_grown_tail_is_noticed_by_who_knows_the_head() -> None:
    events = list(chain(5))
    assert verify(events, START, head_of(events[:3])) == Broken(4, "unexpected: the log should end at 3")


def test_another_whole_chain_is_noticed_by_who_knows_the_head() -> None:
    events, other = list(chain(5)), list(chain(5, genesis(str(UUID(int=1)))))
    broken = verify(events, START, head_of(other))
    assert broken is not None
    assert broken.position == 5


def test_verifying_takes_no_memory() -> None:
    events = chain(3_000)
    tracemalloc.start()
    assert verify(events, START) is None
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 100_000
