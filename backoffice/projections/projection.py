"""What a read model is: facts in, rows out, by one pure function."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from sqlalchemy import Table, Text

from backoffice.domain.event import Event
from backoffice.projections.changes import Change
from backoffice.projections.fact import Fact

SCHEMA = "read"
"""Where the tables are that people and reports read."""
NAME = Text(collation="C")
"""Text compared byte by byte: the same order and the same indexes whatever language the server speaks, and
whatever it comes to think of that language's order after an upgrade."""


@dataclass(frozen=True, slots=True)
class Projection:
    """A read model: its tables and how facts change them."""

    name: str
    version: int
    """Goes up by one when the same facts are to make other rows: what is stored is stale until rebuilt."""
    tables: tuple[Table, ...]
    wants: tuple[type[Event], ...]
    """The kinds of facts that `changes` answers; others are not even decoded for it."""
    changes: Callable[[Fact], Iterable[Change]]
    """Pure. Never evaluates a rule of a game: what came out stands in the fact."""
    inline: bool = False
    """Whether its rows are written in the append's own transaction, so that they are never behind."""

    @property
    def types(self) -> tuple[str, ...]:
        """The published names of what it wants."""
        return tuple(kind.type_name for kind in self.wants)

    @property
    def checkpoint(self) -> str:
        """Its name among the readers of the log; an inline one has none, it is always at the head."""
        return f"projection/{self.name}"
