"""Producing files: written beside, entered under their numbers, and only then moved into place.

Nothing that dies in between loses or skips a number. Before a file is entered, its number is nobody's and what was
written is rubbish; from then on it is made again, to the byte, whenever it is not found in its place.
"""

import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Engine

from backoffice.domain.event import Refused
from backoffice.domain.filings.decisions import TAKEN
from backoffice.log.codec import Codec
from backoffice.reports.asked import Asked
from backoffice.reports.reading import reading
from backoffice.reports.regulators.files import AuthorityFile, Part
from backoffice.reports.regulators.heading import Heading
from backoffice.reports.regulators.nodes import Document
from backoffice.reports.regulators.placing import Written, beside, lies_there, move, write
from backoffice.reports.regulators.refusals import InTheWay, NotOver, OtherBytes
from backoffice.reports.regulators.register import Entry
from backoffice.reports.regulators.scope import Scope

TRIES = 5
"""So many files of others may come between before that is said."""
Enter = Callable[[dict[str, Any]], None]
"""Enters a file, given by the fields of `RegisterFile` that say what it is. Raises where that is refused."""


@dataclass(frozen=True, slots=True)
class Placed:
    """A file in its place, and whether it was produced just now."""

    path: Path
    number: int
    records: int
    new: bool


def produce(
    engine: Engine,
    codec: Codec,
    kind: AuthorityFile,
    casino: str,
    day: date,
    out: Path,
    made_at: datetime,
    enter: Enter,
) -> list[Placed]:
    """The files of a casino's day in the folder `out`: those that hold, put there again, and those that are due, made.

    A file that would say the same as the one before it is not due. Where somebody else's file came between, all is looked
    at anew. Raises NotOver, UnknownCasino, ParticularMissing, Unwritable, InTheWay, OtherBytes, what `reading` raises and
    what `enter` does.
    """
    tries = 0
    while True:
        tries += 1
        try:
            with reading(engine, codec, kind.needs, Asked(casino)) as snapshot:
                scope = Scope(snapshot, kind.authority, casino, day, kind.days)
                production = _Production(kind, scope, out, made_at, enter)
                return list(production.whole_day())
        except (Refused, InTheWay) as stopped:
            if tries == TRIES or not _came_between(stopped):
                raise


def produce_again(engine: Engine, codec: Codec, kind: AuthorityFile, entry: Entry, out: Path) -> Placed:
    """One file that was produced, put into the folder `out`, whatever has become of it since. Raises as `produce` does."""
    file = entry.file
    with reading(engine, codec, kind.needs, Asked(file.casino)) as snapshot:
        scope = Scope(snapshot, kind.authority, file.casino, date.fromisoformat(file.day), kind.days)
        return _Production(kind, scope, out, entry.made_at, _nothing_to_enter).place_again(entry)


@dataclass(slots=True)
class _Production:
    """One casino's day at work. Numbers go up with every file that is entered."""

    kind: AuthorityFile
    scope: Scope
    out: Path
    made_at: datetime
    enter: Enter
    entered: int = 0

    def whole_day(self) -> Iterator[Placed]:
        """The files of all parts of the day, if it is over."""
        end = self.scope.bounds.end
        if self.made_at < end:
            raise NotOver(
                f"the day {self.scope.day} of {self.scope.casino} is not over: it ends at {end.isoformat()}"
            )
        for part in self.kind.parts(self.scope):
            yield from self.place(part)

    def place(self, part: Part) -> Iterator[Placed]:
        """The files of one part: all that add up, or the one that counts; behind them a new one if it is due."""
        chain = self.scope.register.chain(self.kind.name, self.scope.day.isoformat(), part.key)
        due = part.due if self.kind.adds else self._differs(part, chain)
        if self.kind.adds or not due:
            yield from map(self.place_again, chain if self.kind.adds else chain[-1:])
        if due:
            yield self._place_new(part, chain)

    def place_again(self, entry: Entry) -> Placed:
        """A file that was produced before: made anew from where it was made, unless it lies in its place."""
        path = self.out / _file_name(entry.file.casino, self.kind.name, entry.file.day, entry.file.number)
        placed = Placed(path, entry.file.number, entry.file.records, new=False)
        if lies_there(path, entry.file.sha256):
            return placed
        with beside(self.out) as (written_to, stream):
            written = write(self._document_of(entry), stream)
            if written.sha256 != entry.file.sha256:
                raise OtherBytes(
                    f"file {entry.file.number} of {entry.file.casino} for {entry.file.authority} was"
                    f" {entry.file.sha256} and is {written.sha256} now"
                )
            move(written_to, path, written.sha256)
        return placed

    def _place_new(self, part: Part, chain: Sequence[Entry]) -> Placed:
        heading = Heading(
            number=self.scope.register.next_number + self.entered,
            part=part.key,
            version=len(chain),
            replaces=chain[-1].file.number if chain and not self.kind.adds else None,
            made_at=self.made_at,
        )
        day = self.scope.day.isoformat()
        path = self.out / _file_name(self.scope.casino, self.kind.name, day, heading.number)
        with beside(self.out) as (written_to, stream):
            written = write(part.document(heading), stream)
            lies_there(path, written.sha256)
            self.enter(self._entry(heading, written, chain))
            self.entered += 1
            move(written_to, path, written.sha256)
        return Placed(path, heading.number, written.records, new=True)

    def _differs(self, part: Part, chain: Sequence[Entry]) -> bool:
        """Whether what there is to say now is not what the last file about it says."""
        if not chain:
            return part.due
        document = replace(part.document(_heading(chain[-1])), notice=self.scope.as_of_file(chain[-1]).notice)
        with Path(os.devnull).open("wb") as nowhere:
            return write(document, nowhere).sha256 != chain[-1].file.sha256

    def _document_of(self, entry: Entry) -> Document:
        """A file as it was made."""
        scope = replace(self.scope.as_of_file(entry), day=date.fromisoformat(entry.file.day))
        part = next(part for part in self.kind.parts(scope) if part.key == entry.file.part)
        return part.document(_heading(entry))

    def _entry(self, heading: Heading, written: Written, chain: Sequence[Entry]) -> dict[str, Any]:
        return {
            "casino": self.scope.casino,
            "authority": self.kind.authority,
            "number": heading.number,
            "name": self.kind.name,
            "day": self.scope.day.isoformat(),
            "part": heading.part,
            "version": heading.version,
            "replaces": heading.replaces,
            "after": chain[-1].file.position if chain and self.kind.adds else 0,
            "position": self.scope.position,
            "hash": self.scope.reading.place.hash.hex(),
            "records": written.records,
            "size_bytes": written.size_bytes,
            "sha256": written.sha256,
        }


def _came_between(stopped: Refused | InTheWay) -> bool:
    """Whether it may be that somebody else was quicker: the number is given, or what is in the way was entered meanwhile."""
    return isinstance(stopped, InTheWay) or stopped.rule == TAKEN


def _heading(entry: Entry) -> Heading:
    file = entry.file
    return Heading(file.number, file.part, file.version, file.replaces, entry.made_at)


def _file_name(casino: str, name: str, day: str, number: int) -> str:
    return f"{quote(casino, safe='')}-{name}-{day}-{number:06}.xml"


def _nothing_to_enter(_: dict[str, Any]) -> None:
    raise AssertionError("what was produced before is not entered again")
