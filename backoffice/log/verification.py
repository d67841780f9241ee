"""Is the log what was recorded? From first event to head, in flat memory, while others go on writing."""

from backoffice.log.chain import Broken, genesis, verify
from backoffice.log.envelope import Head
from backoffice.log.protocol import Log


def verify_log(log: Log, kept: Head | None = None) -> Broken | None:
    """Say where the log breaks first, or None if it is whole.

    `kept` is a head that somebody wrote down earlier (a seal, an exported file): the log must have that very
    event there. Without it a tail that was cut together with the head row cannot be found.
    """
    head = log.head()
    start = genesis(head.log_id)
    if kept is None:
        return _verify_to_head(log, start, head)
    if kept.log_id != head.log_id:
        return Broken(0, f"this is log {head.log_id}, expected {kept.log_id}")
    return verify(log.read(upto=kept.position), start, kept) or _verify_to_head(log, kept, head)


def _verify_to_head(log: Log, start: Head, head: Head) -> Broken | None:
    behind = log.read(start.position, upto=head.position)
    return verify(behind, start, head) or _stray(log, head)


def _stray(log: Log, head: Head) -> Broken | None:
    """A row behind the head. The head is asked again after it: what came in honestly has moved it."""
    event = next(log.read(head.position, batch=1), None)
    if event is None or event.position <= log.head().position:
        return None
    return Broken(event.position, "unexpected: it is behind the head")
