"""Everything the log refuses, each by its own name."""

from collections.abc import Sequence
from uuid import UUID

from backoffice.log.envelope import Recorded


class LogError(Exception):
    """The log refuses; every refusal of the log is one of these."""


class Malformed(LogError):
    """Bytes that must never get in: `field` says which part of the event, `reason` what is wrong with it."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(f"{field}: {reason}")
        self.field = field
        self.reason = reason


class VersionConflict(LogError):
    """The stream is not where the writer thought: somebody else wrote first. Nothing was written."""

    def __init__(self, stream: str, expected: int, actual: int) -> None:
        super().__init__(f"stream {stream} is at version {actual}, not at {expected}")
        self.stream = stream
        self.expected = expected
        self.actual = actual


class DuplicateEvent(LogError):
    """An event id that the log already holds, with other content. Nothing was written."""

    def __init__(self, event_id: UUID) -> None:
        super().__init__(f"event id {event_id} is taken")
        self.event_id = event_id


class AlreadyAppended(LogError):
    """These very events are in the log: an earlier try was committed and its answer lost.

    `recorded` is that answer.
    """

    def __init__(self, recorded: Sequence[Recorded]) -> None:
        positions = [event.position for event in recorded]
        super().__init__(f"already appended at positions {positions[0]}..{positions[-1]}")
        self.recorded = list(recorded)


class WriterSpent(LogError):
    """A writer whose transaction is over or was aborted by an earlier error was used again."""


class CheckpointError(LogError):
    """A checkpoint does not fit the log or was moved by somebody else."""


class CheckpointAhead(CheckpointError):
    """The checkpoint is ahead of its log: the log was restored from a backup."""


class CheckpointElsewhere(CheckpointError):
    """The checkpoint belongs to another log, or to another past of this one."""


class CheckpointBackward(CheckpointError):
    """A checkpoint never goes backward."""


class CheckpointMoved(CheckpointError):
    """Somebody else moved the checkpoint since it was read: a second worker under the same name."""


class UnknownType(LogError):
    """No class is registered for this event type."""


class UnknownSchema(LogError):
    """The event's schema is newer than this program knows, or no upcaster leads from it to the present."""


class Unencodable(LogError):
    """An event cannot be written as JSON that can be read back."""
