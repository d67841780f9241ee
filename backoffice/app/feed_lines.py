"""Reading a feed line by line in flat memory, knowing at every line how far one is and what was read so far."""

from hashlib import sha256
from typing import BinaryIO, NamedTuple

LONGEST_LINE = 4 * 1024 * 1024
"""Bytes; a longer line is no action. A deal to a thousand seats fits many times over."""
_PART = 1 << 20
_BOM = b"\xef\xbb\xbf"


class FeedLine(NamedTuple):
    """One line without its end; `whole` is False where it was longer than a line can be and only its beginning is here."""

    number: int
    text: bytes
    whole: bool


class FeedLines:
    """The lines of a feed from where one stopped. `offset`, `number` and `digest()` tell how far it was read."""

    def __init__(self, stream: BinaryIO, offset: int = 0, number: int = 0) -> None:
        self._stream = stream
        self._digest = sha256()
        self.offset = 0
        self.number = number
        stream.seek(0)
        while self.offset < offset and (part := stream.read(min(offset - self.offset, _PART))):
            self._count(part)

    def digest(self) -> bytes:
        """SHA-256 of everything up to `offset`."""
        return self._digest.digest()

    def next(self) -> FeedLine | None:
        """The next line, or None at the end of the feed."""
        text = self._stream.readline(LONGEST_LINE)
        if not text:
            return None
        self._count(text)
        whole = text.endswith(b"\n") or len(text) < LONGEST_LINE or self._skip_rest()
        self.number += 1
        if self.number == 1:
            text = text.removeprefix(_BOM)
        return FeedLine(self.number, text.rstrip(b"\r\n"), whole)

    def _skip_rest(self) -> bool:
        """Read on to the end of a line; whether there was nothing left of it."""
        nothing = True
        while part := self._stream.readline(_PART):
            self._count(part)
            nothing = False
            if part.endswith(b"\n"):
                break
        return nothing

    def _count(self, part: bytes) -> None:
        self._digest.update(part)
        self.offset += len(part)
