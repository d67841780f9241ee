"""Whose books are shown: a casino sees its own, the network sees all."""

from collections.abc import Iterable
from dataclasses import dataclass

from sqlalchemy import ColumnElement, true


class OutOfScope(Exception):
    """Somebody asks for the books of a casino that are not theirs to see."""


@dataclass(frozen=True, slots=True)
class Scope:
    """The casinos whose books may be shown; none named: those of all."""

    casinos: tuple[str, ...] = ()

    @property
    def whole(self) -> bool:
        """Whether it is the whole network."""
        return not self.casinos

    def covers(self, casino: str) -> bool:
        """Whether that casino's books may be shown."""
        return self.whole or casino in self.casinos

    def meets(self, casinos: Iterable[str]) -> bool:
        """Whether what concerns these casinos concerns one of ours."""
        return any(map(self.covers, casinos))

    def of(self, casino: str | None) -> "Scope":
        """The part of it that is one casino; all of it for None. Raises OutOfScope."""
        if casino is None:
            return self
        if not self.covers(casino):
            raise OutOfScope(f"the books of {casino} are not yours to see")
        return Scope((casino,))

    def holds(self, column: ColumnElement[str]) -> ColumnElement[bool]:
        """That a row is of one of these casinos."""
        if self.whole:
            return true()
        return column == self.casinos[0] if len(self.casinos) == 1 else column.in_(self.casinos)


EVERYTHING = Scope()
