"""The rules of appending that need no database: which streams, which versions, which ids."""

from collections.abc import Iterable, Sequence
from uuid import UUID

from backoffice.log.envelope import NewEvent, Recorded
from backoffice.log.errors import AlreadyAppended, DuplicateEvent, VersionConflict


def advanced(versions: dict[str, int], events: Sequence[NewEvent]) -> dict[str, int]:
    """The streams' versions after the events; raises VersionConflict for the first that is not next."""
    after = dict(versions)
    for event in events:
        at = after[event.stream]
        if event.version != at + 1:
            raise VersionConflict(event.stream, event.version - 1, at)
        after[event.stream] = event.version
    return after


def refuse_twins(events: Sequence[NewEvent]) -> None:
    """Raise DuplicateEvent if an id comes twice in one append."""
    if len({event.event_id.int for event in events}) == len(events):
        return
    seen: set[UUID] = set()
    for event in events:
        if event.event_id in seen:
            raise DuplicateEvent(event.event_id)
        seen.add(event.event_id)


def refuse_known(events: Sequence[NewEvent], known: Iterable[Recorded]) -> None:
    """Tell a repeated append from a conflict, given what the log holds under the events' ids.

    Raises AlreadyAppended if all are there with this very content, DuplicateEvent if one has another.
    """
    by_id = {event.event_id: event for event in known}
    for event in events:
        if event.event_id in by_id and not is_same(event, by_id[event.event_id]):
            raise DuplicateEvent(event.event_id)
    if len(by_id) == len(events):
        raise AlreadyAppended([by_id[event.event_id] for event in events])


def is_same(event: NewEvent, recorded: Recorded) -> bool:
    """Whether a recorded event is this event, to the byte."""
    return event == recorded[: len(event)]
