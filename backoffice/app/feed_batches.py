"""A feed in batches of requests, each with how far the feed is read behind it."""

from collections.abc import Generator
from pathlib import Path
from typing import NamedTuple

from backoffice.app.feed import KEPT_BYTES, read_action
from backoffice.app.feed_lines import LONGEST_LINE, FeedLine, FeedLines
from backoffice.app.reading_ahead import reading_ahead
from backoffice.app.requests import Origin, Request, Unreadable

FIRST_LINES, BATCH_LINES = 1000, 8000
"""A batch is small at first, for somebody waits for it, and then twice the last one up to so many lines."""
BATCH_BYTES = 8 * 1024 * 1024
READ_HERE_LINES = 4000
"""Lines that are decided about as soon as another process takes to start."""


class FeedBatch(NamedTuple):
    """Some lines as requests, and how far the feed is read behind them."""

    requests: list[Request | Unreadable]
    begins: int
    """The offset in the feed before the first of them."""
    offset: int
    lines: int
    digest: bytes


class Place(NamedTuple):
    """Behind a line of a feed: the offset at which it ends, and its number; at the beginning both are nought."""

    offset: int
    number: int


def read_batches(
    feed: Path, after: Place, import_id: int, sender: str, upto: int | None = None
) -> Generator[FeedBatch, None, None]:
    """The batches behind a place, to the end of the feed or of the line that ends at offset `upto`.

    Raises OSError where the feed cannot be read.
    """
    with feed.open("rb") as stream:
        lines, most = FeedLines(stream, *after), min(FIRST_LINES, BATCH_LINES)
        while batch := _next_batch(lines, most, import_id, sender, upto):
            yield batch
            most = min(2 * most, BATCH_LINES)


def read_batches_ahead(
    feed: Path, after: Place, import_id: int, sender: str
) -> Generator[FeedBatch, None, None]:
    """The same, read by another process; until that one is there the first lines are read here."""
    until = _place_behind(feed, after, READ_HERE_LINES)
    with reading_ahead(read_batches, feed, until, import_id, sender) as rest:
        yield from read_batches(feed, after, import_id, sender, until.offset)
        yield from rest


def _place_behind(feed: Path, after: Place, count: int) -> Place:
    with feed.open("rb") as stream:
        lines = FeedLines(stream, *after)
        for _ in range(count):
            lines.next()
        return Place(lines.offset, lines.number)


def _next_batch(
    lines: FeedLines, most: int, import_id: int, sender: str, upto: int | None
) -> FeedBatch | None:
    requests: list[Request | Unreadable] = []
    begins, last = lines.offset, lines.number + most
    end = begins + BATCH_BYTES if upto is None else min(begins + BATCH_BYTES, upto)
    while lines.number < last and lines.offset < end and (line := lines.next()):
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
