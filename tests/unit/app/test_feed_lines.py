"""A feed is read line by line, whatever wrote it, in flat memory, and can be taken up again at any line."""

import tracemalloc
from hashlib import sha256
from io import BytesIO

import pytest

from backoffice.app.feed_lines import LONGEST_LINE, FeedLine, FeedLines


def lines_of(content: bytes) -> list[FeedLine]:
    lines = FeedLines(BytesIO(content))
    return list(iter(lines.next, None))


def texts_of(content: bytes) -> list[bytes]:
    return [line.text for line in lines_of(content)]


@pytest.mark.parametrize(
    ("content", "texts"),
    [
        (b"", []),
        (b"a\nb\n", [b"a", b"b"]),
        (b"a\nb", [b"a", b"b"]),
        (b"a\r\nb\r\n", [b"a", b"b"]),
        (b"\xef\xbb\xbfa\nb\n", [b"a", b"b"]),
        (b"a\n\xef\xbb\xbfb\n", [b"a", b"\xef\xbb\xbfb"]),
        (b"\xef\xbb\xbf", [b""]),
        (b"a\n\n\nb\n", [b"a", b"", b"", b"b"]),
        (b"\n", [b""]),
        (b"\xff\xfe\n\x00\n", [b"\xff\xfe", b"\x00"]),
        (b"a\x0bb\x85c\xe2\x80\xa8d\n", [b"a\x0bb\x85c\xe2\x80\xa8d"]),
    ],
)
def test_lines_end_where_lines_end(content: bytes, texts: list[bytes]) -> None:
    """Byte order marks, CRLF and a missing last newline are no part of a line; nothing else ends one."""
    assert texts_of(content) == texts


def test_lines_are_numbered_as_editors_number_them() -> None:
    assert [line.number for line in lines_of(b"a\n\nb")] == [1, 2, 3]


def test_the_longest_line_is_whole_and_a_longer_one_is_not() -> None:
    longest = b"x" * (LONGEST_LINE - 1)
    following = FeedLine(2, b"next", whole=True)
    assert lines_of(longest + b"\nnext") == [FeedLine(1, longest, whole=True), following]
    longer = b"x" * LONGEST_LINE
    assert lines_of(longer + b"\nnext") == [FeedLine(1, longer, whole=False), following]
    assert [line.whole for line in lines_of(3 * longer + b"\nnext\n")] == [False, True]
    assert [line.whole for line in lines_of(3 * longer)] == [False]


def test_a_file_without_a_line_end_is_read_in_flat_memory() -> None:
    class Endless(BytesIO):
        """Eight times what a line can be, made while it is read."""

        left = 8 * LONGEST_LINE

        def readline(self, size: int | None = -1) -> bytes:  # type: ignore[override]
            part = b"x" * min(self.left, size or 0)
            self.left -= len(part)
            return part

    lines = FeedLines(Endless())
    tracemalloc.start()
    line = lines.next()
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert line is not None
    assert not line.whole
    assert peak < 4 * LONGEST_LINE


CONTENT = b"\xef\xbb\xbffirst\r\n\nthird\n" + b"x" * (LONGEST_LINE + 5) + b"\nlast"


@pytest.mark.parametrize("stopped", range(6))
def test_reading_goes_on_behind_any_line(stopped: int) -> None:
    """The first line is the one with the mark, also for whoever comes later."""
    before = FeedLines(BytesIO(CONTENT))
    read = [before.next() for _ in range(stopped)]
    after = FeedLines(BytesIO(CONTENT), before.offset, before.number)
    assert after.digest() == before.digest() == sha256(CONTENT[: before.offset]).digest()
    assert [*filter(None, read), *iter(after.next, None)] == lines_of(CONTENT)
    assert after.digest() == sha256(CONTENT).digest()


def test_a_feed_that_became_shorter_is_not_read_up_to_where_one_was() -> None:
    assert FeedLines(BytesIO(b"abc"), 100, 7).offset == 3
