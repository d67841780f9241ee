"""Who decides: people by name, with their roles at their casinos (requirements, Access)."""

from dataclasses import dataclass
from enum import StrEnum


class Role(StrEnum):
    """What a person may do. Reading is for everyone of the house; the table feed is no person."""

    AUDITOR = "auditor"
    CASHIER = "cashier"
    SHIFT_MANAGER = "shift_manager"
    COMPLIANCE = "compliance"
    ACCOUNTANT = "accountant"
    ADMINISTRATOR = "administrator"


DECIDING = frozenset({Role.SHIFT_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR})
"""Who may propose, approve or refuse what costs the house money."""


@dataclass(frozen=True, slots=True)
class Person:
    """A named person with a role at some casinos; no casinos: at all of them."""

    name: str
    role: Role
    casinos: tuple[str, ...] = ()

    def works_at(self, casino: str) -> bool:
        """Whether this person is of that casino's staff."""
        return not self.casinos or casino in self.casinos
