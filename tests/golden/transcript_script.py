"""Reading transcripts: a text file is a row of transcripts, each a title and lines of a word and what belongs to it.

    # a remark
    transcript  A royal flush is shared equally by all marks
    round       caribbean-live/1  table live-1  jackpot royal
    seat        a  stockholm SEK  ante 50.00  mark
    ante        a  9000.00
      refused   seat a: the ante would be 9050.00 SEK; this table takes 10.00 to 5000.00

An indented line is about the line above it. Commas are for the reader's eye. `s1-s500` is five hundred seats.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

_RANGE = re.compile(r"([a-z]*)(\d+)-\1(\d+)")
_CARD = re.compile("[2-9TJQKA][shdc]")


class ScriptError(Exception):
    """A transcript that cannot be played as it is written."""


@dataclass(frozen=True)
class Line:
    """One line: where it stands, its first word, what follows it, and the indented lines below it."""

    number: int
    word: str
    text: str
    below: list["Line"] = field(default_factory=list)


@dataclass(frozen=True)
class Script:
    """One transcript."""

    theme: str
    title: str
    lines: list[Line] = field(default_factory=list)


class Words:
    """The words of a line, taken from left to right; whatever is left over or missing is an error."""

    def __init__(self, text: str) -> None:
        self._words = text.replace(",", " ").split()

    def take(self, what: str = "a word") -> str:
        """The next word."""
        if not self._words:
            raise ScriptError(f"{what} is missing")
        return self._words.pop(0)

    def take_if(self, word: str) -> bool:
        """Whether the next word is `word`; it is taken then."""
        if self._words[:1] != [word]:
            return False
        self._words.pop(0)
        return True

    def expect(self, word: str) -> None:
        """The next word must be `word`."""
        if not self.take_if(word):
            raise ScriptError(f"`{word}` is missing before `{' '.join(self._words)}`")

    def seats(self) -> list[str]:
        """One seat, or a range of seats."""
        return spread(self.take("a seat"))

    def all_seats(self) -> list[str]:
        """Every word that is left, as seats and ranges of seats; at least one."""
        seats = self.seats()
        while self:
            seats += self.seats()
        return seats

    def cards(self) -> list[str]:
        """As many cards as follow each other."""
        cards = []
        while _CARD.fullmatch(self.peek()):
            cards.append(self.take())
        return cards

    def rest(self) -> str:
        """All that is left, with single spaces."""
        words, self._words = self._words, []
        return " ".join(words)

    def end(self) -> None:
        """Nothing may be left."""
        if self._words:
            raise ScriptError(f"`{' '.join(self._words)}` is not understood")

    def __bool__(self) -> bool:
        return bool(self._words)

    def peek(self) -> str:
        """The next word, left where it is; empty at the end."""
        return self._words[0] if self._words else ""


def spread(word: str) -> list[str]:
    """`"s1-s3"` -> `["s1", "s2", "s3"]`; any other word is one seat."""
    match = _RANGE.fullmatch(word)
    if match is None:
        return [word]
    name, first, last = match.groups()
    return [f"{name}{number}" for number in range(int(first), int(last) + 1)]


def read_scripts(path: Path) -> Iterator[Script]:
    """Every transcript of a file, in order. Raises ScriptError for a line before the first title."""
    script: Script | None = None
    for number, raw in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        content = raw.strip()
        if not content or content.startswith("#"):
            continue
        word, _, text = content.partition(" ")
        line = Line(number, word, text.strip())
        if word == "transcript":
            if script is not None:
                yield script
            script = Script(path.stem, line.text)
        elif script is None:
            raise ScriptError(f"{path.name}:{number}: a transcript begins with its title")
        elif raw[0].isspace():
            if not script.lines:
                raise ScriptError(f"{path.name}:{number}: there is no line above it")
            script.lines[-1].below.append(line)
        else:
            script.lines.append(line)
    if script is not None:
        yield script
