"""What stands in the log, read for a report: a log somebody laid hands on is told apart from a bug."""

from pydantic import ValidationError

from backoffice.domain.event import Event
from backoffice.log.codec import Codec
from backoffice.log.envelope import Recorded


class Damaged(Exception):
    """A recorded fact that is not what this program ever wrote; the message says where."""


def decoded(codec: Codec, recorded: Recorded) -> Event:
    """The fact that was recorded. Raises Damaged."""
    try:
        event = codec.decode(recorded.type, recorded.schema, recorded.data)
    except ValidationError as unfit:
        raise Damaged(
            f"position {recorded.position} is no {recorded.type}: see `backoffice verify`"
        ) from unfit
    assert isinstance(event, Event)
    return event
