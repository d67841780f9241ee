"""Others' questions to this log: the recorder cases that the eventsourcing library ships for its own stores.

A small adapter makes their recorder of our log. Their states are bytes: they go base64 into the data. Their
first version of an aggregate may be 0 or 1, ours is 1.
"""

import threading
from base64 import b64decode, b64encode
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from itertools import islice
from threading import Event
from typing import Any
from uuid import UUID

import pytest
from eventsourcing.persistence import (
    ApplicationRecorder,
    IntegrityError,
    Notification,
    ProcessRecorder,
    StoredEvent,
    Subscription,
    Tracking,
    TrackingRecorder,
)
from eventsourcing.tests import persistence as shipped
from pydantic_core import from_json, to_json
from sqlalchemy import Connection, Engine, select
from uuid_utils.compat import uuid7

from backoffice.log.checkpoints import advance
from backoffice.log.envelope import Head, NewEvent, Recorded
from backoffice.log.errors import VersionConflict
from backoffice.log.memory import MemoryLog
from backoffice.log.news import News
from backoffice.log.postgres import PostgresLog
from backoffice.log.protocol import Log, Writer
from backoffice.log.tables import checkpoints


class LogRecorder(ApplicationRecorder):
    def __init__(self, log: Log, wait: Callable[[float], object]) -> None:
        self.log = log
        self.wait_for_news = wait

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        with self.log.writing() as writer:
            return list(self._append(writer, stored_events))

    def _append(self, writer: Writer, stored_events: Sequence[StoredEvent]) -> range:
        firsts = self._firsts(writer, stored_events)
        try:
            return writer.append([_new_event(stored, firsts) for stored in stored_events])
        except VersionConflict as conflict:
            raise IntegrityError from conflict

    def _firsts(self, writer: Writer, stored_events: Sequence[StoredEvent]) -> dict[str, int]:
        """The first version of every aggregate, as its own side counts."""
        firsts: dict[str, int] = {}
        for stored in stored_events:
            firsts.setdefault(_stream(stored.originator_id), stored.originator_version)
        for stream, events in writer.read_streams(firsts).items():
            if events:
                firsts[stream] = from_json(events[0].data)["version"]
        return firsts

    def select_events(
        self,
        originator_id: UUID | str,
        *,
        gt: int | None = None,
        lte: int | None = None,
        desc: bool = False,
        limit: int | None = None,
    ) -> Sequence[StoredEvent]:
        stored = [_stored_event(event) for event in self.log.read_stream(_stream(originator_id))]
        wanted = [
            event
            for event in (reversed(stored) if desc else stored)
            if (gt is None or event.originator_version > gt)
            and (lte is None or event.originator_version <= lte)
        ]
        return wanted[:limit]

    def select_notifications(
        self,
        start: int | None,
        limit: int,
        stop: int | None = None,
        topics: Sequence[str] = (),
        *,
        inclusive_of_start: bool = True,
    ) -> Sequence[Notification]:
        after = (start or 0) - (1 if start and inclusive_of_start else 0)
        events = self.log.read(after, stop, topics or None, batch=limit)
        return [_notification(event) for event in islice(events, limit)]

    def max_notification_id(self) -> int | None:
        return self.log.head().position or None

    def subscribe(self, gt: int | None = None, topics: Sequence[str] = ()) -> "LogSubscription":
        return LogSubscription(self, gt, topics)


class LogSubscription(Subscription[LogRecorder]):
    def __next__(self) -> Notification:
        while not self._has_been_stopped:
            for notification in self._recorder.select_notifications(
                self._last_notification_id, 1, topics=self._topics, inclusive_of_start=False
            ):
                self._last_notification_id = notification.id
                return notification
            self._recorder.wait_for_news(0.2)
        raise StopIteration


class LogTrackingRecorder(TrackingRecorder):
    """Where other applications were read to, as checkpoints; written under the head's lock."""

    def __init__(self, log: Log, engine: Engine) -> None:
        self.log = log
        self.engine = engine

    def insert_tracking(self, tracking: Tracking) -> None:
        with self.log.writing() as writer:
            self._track(writer, tracking)

    def max_tracking_id(self, application_name: str) -> int | None:
        with self.engine.connect() as connection:
            return _tracked(connection, application_name) or None

    def _track(self, writer: Writer, tracking: Tracking) -> None:
        assert writer.connection is not None
        at = _tracked(writer.connection, tracking.application_name)
        if tracking.notification_id <= at:
            raise IntegrityError(f"{tracking} is not behind {at}")
        to = Head(writer.head.log_id, tracking.notification_id, b"theirs")
        advance(writer.connection, tracking.application_name, at, to)


class LogProcessRecorder(LogTrackingRecorder, LogRecorder, ProcessRecorder):
    def __init__(self, log: Log, engine: Engine) -> None:
        LogRecorder.__init__(self, log, Event().wait)
        LogTrackingRecorder.__init__(self, log, engine)

    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> Sequence[int] | None:
        tracking: Tracking | None = kwargs.get("tracking")
        with self.log.writing() as writer:
            placed = self._append(writer, stored_events)
            if tracking is not None:
                self._track(writer, tracking)
        return list(placed)


class AggregateOnly(LogRecorder):
    def insert_events(self, stored_events: Sequence[StoredEvent], **kwargs: Any) -> None:
        super().insert_events(stored_events, **kwargs)


def _stream(originator_id: UUID | str) -> str:
    return f"theirs-{originator_id}"


def _new_event(stored: StoredEvent, firsts: dict[str, int]) -> NewEvent:
    stream = _stream(stored.originator_id)
    version = stored.originator_version - firsts[stream] + 1
    told = {
        "id": stored.originator_id,
        "version": stored.originator_version,
        "state": b64encode(stored.state).decode(),
    }
    now = datetime.now(UTC)
    return NewEvent(uuid7(), stream, version, stored.topic, 1, now, "theirs", None, None, to_json(told))


def _parts(event: Recorded) -> dict[str, Any]:
    told = from_json(event.data)
    return {
        "originator_id": UUID(told["id"]),
        "originator_version": told["version"],
        "topic": event.type,
        "state": b64decode(told["state"]),
    }


def _stored_event(event: Recorded) -> StoredEvent:
    return StoredEvent(**_parts(event))


def _notification(event: Recorded) -> Notification:
    return Notification(id=event.position, **_parts(event))


def _tracked(connection: Connection, name: str) -> int:
    return connection.scalar(select(checkpoints.c.position).where(checkpoints.c.name == name)) or 0


class OnPostgres:
    @pytest.fixture(autouse=True)
    def _database(self, engine: Engine) -> Any:
        self.engine = engine
        before = set(threading.enumerate())
        with News(engine.url) as self.news:
            yield
        # The shipped cases leave reading threads behind: they still hold connections.
        for thread in set(threading.enumerate()) - before:
            thread.join(10)

    def create_recorder(self) -> Any:
        return LogRecorder(PostgresLog(self.engine), self.news.wait)


class InMemory:
    def create_recorder(self) -> Any:
        return LogRecorder(MemoryLog(), Event().wait)


class TestAggregateRecorder(OnPostgres, shipped.AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        return AggregateOnly(PostgresLog(self.engine), self.news.wait)


class TestAggregateRecorderInMemory(InMemory, shipped.AggregateRecorderTestCase):
    def create_recorder(self) -> Any:
        return AggregateOnly(MemoryLog(), Event().wait)


class TestApplicationRecorder(OnPostgres, shipped.ApplicationRecorderTestCase[LogRecorder]):
    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestApplicationRecorderInMemory(InMemory, shipped.ApplicationRecorderTestCase[LogRecorder]):
    def test_insert_subscribe(self) -> None:
        self.optional_test_insert_subscribe()


class TestTrackingRecorder(OnPostgres, shipped.TrackingRecorderTestCase):
    def create_recorder(self) -> Any:
        return LogTrackingRecorder(PostgresLog(self.engine), self.engine)


class TestProcessRecorder(OnPostgres, shipped.ProcessRecorderTestCase):
    def create_recorder(self) -> Any:
        return LogProcessRecorder(PostgresLog(self.engine), self.engine)


class TestNonInterleavingNotificationIDs(OnPostgres, shipped.NonInterleavingNotificationIDsBaseCase):
    pass


class TestNonInterleavingNotificationIDsInMemory(InMemory, shipped.NonInterleavingNotificationIDsBaseCase):
    pass
