"""Who is asking: a person by a token, or a table system by a key."""

from dataclasses import dataclass

from backoffice.domain.staff import Person, Role


@dataclass(frozen=True, slots=True)
class Principal:
    """A named person or system with its roles at some casinos; no casinos: at all of them, as for `Person`."""

    name: str
    roles: frozenset[Role]
    casinos: tuple[str, ...]
    credential: str
    """By what they are known: `token`, or `key` and its name. For the record; never the secret."""

    def works_at(self, casino: str) -> bool:
        """Whether this one has to do with that casino."""
        return not self.casinos or casino in self.casinos

    @property
    def everywhere(self) -> bool:
        """Whether this one has to do with all casinos."""
        return not self.casinos

    def acting(self, holders: tuple[Role, ...]) -> Person:
        """Who they are for the house, in the first of `holders` that is a role of theirs. Raises StopIteration for none."""
        role = next(role for role in holders if role in self.roles)
        return Person(self.name, role, self.casinos)
