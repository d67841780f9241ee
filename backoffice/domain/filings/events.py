"""What became true of a casino's files for an authority."""

from dataclasses import dataclass
from typing import Literal

from backoffice.domain.event import Event

Authority = Literal["dk", "gr", "mga"]


@dataclass(frozen=True, slots=True)
class FileProduced(Event):
    """A file for an authority was made, under the next number, and may be handed in.

    It tells of one `day`; `part` tells files of the same day and kind apart (a currency, a hit). `version` counts the files
    about the same from 0 on. One of them takes the place of the one it `replaces`, or adds to those before it what became
    known behind the position `after`. It was made from the log up to `position`, whose event has this `hash`.
    """

    type_name = "filing.produced"
    casino: str
    authority: Authority
    number: int
    name: str
    day: str
    part: str
    version: int
    replaces: int | None
    after: int
    position: int
    hash: str
    records: int
    size_bytes: int
    sha256: str

    @property
    def stream(self) -> str:
        """`files/{casino}/{authority}`: one row of numbers each."""
        return files_stream(self.casino, self.authority)


def files_stream(casino: str, authority: str) -> str:
    """The stream of a casino's files for an authority."""
    return f"files/{casino}/{authority}"
