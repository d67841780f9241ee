"""A feed in batches of requests, each with how far the feed is read behind it."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from backoffice.app.feed import KEPT_BYTES, read_action
from backoffice.app.feed_lines import LONGEST_LINE, FeedLine, FeedLines
from backoffice.app.requests import Origin, Request, Unreadable

BATCH_LINES = 4000
BATCH_BYTES = 8 * 1024 * 1024


class FeedBatch(NamedTuple):
    """Some lines as requests, and how far the feed is read behind them."""

    requests: list[Request | Unreadable]
    begins: int
    """The offset in the feed before the first of them."""
    offset: int
    lines: int
    digest: bytes


def read_batches(feed: Path, offset: int, number: int, import_id: int, sender: str) -> Iterator[FeedBatch]:
    """The batches behind line `number`, which ends at `offset`. Raises OSError where the feed cannot be read."""
    with feed.open("rb") as stream:
        lines = FeedLines(stream, offset, number)
        while batch := _next_batch(lines, import_id, sender):
            yield batch


def _next_batch(lines: FeedLines, import_id: int, sender: str) -> FeedBatch | None:
    requests: list[Request | Unreadable] = []
    begins, last = lines.offset, lines.number + BATCH_LINES
    while lines.number < last and lines.offset - begins < BATCH_BYTES and (line := lines.next()):
        if line.text.strip():
            requests.append(_request(line, sender, Origin(import_id, line.number)))
    if lines.offset == begins:
        return None
    return FeedBatch(requests, begins, lines.offset, lines.number, lines.digest())


def _request(line: FeedLine, sender: str, origin: Origin) -> Request | Unreadable:
    if not line.whole:
        reason = f"a line is at most {LONGEST_LINE} bytes long"
        return Unreadable(line.text[:KEPT_BYTES], reason, sender, origin)
    request = read_action(line.text, sender, origin)
    return request._replace(digest=request.content()) if isinstance(request, Request) else request
