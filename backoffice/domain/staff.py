"""Who decides: people by name, with their roles at their casinos (requirements, Access)."""

from collections.abc import Collection, Iterable
from enum import StrEnum

from pydantic import ConfigDict
from pydantic.dataclasses import dataclass

from backoffice.domain.event import Id, Refused


class Role(StrEnum):
    """As what somebody comes in. Reading is for everyone of the house; the table feed is no person, and only sends."""

    TABLE_FEED = "table_feed"
    AUDITOR = "auditor"
    CASHIER = "cashier"
    SHIFT_MANAGER = "shift_manager"
    COMPLIANCE = "compliance"
    ACCOUNTANT = "accountant"
    ADMINISTRATOR = "administrator"

    @property
    def words(self) -> str:
        """As one says it."""
        return self.replace("_", " ")


DECIDING = frozenset({Role.SHIFT_MANAGER, Role.COMPLIANCE, Role.ADMINISTRATOR})
"""Who may propose, approve or refuse what costs the house money."""

PERSON_SENDER = "person:"
"""Begins the name under which the ids of what a person asks are kept; no system's."""
RESERVED_SENDERS = frozenset({"command line", "house", "office", "reactions", "system"})
"""Under which the house itself hands requests in, or acts."""


@dataclass(frozen=True, slots=True, config=ConfigDict(strict=True, extra="forbid"))
class Person:
    """A named person with a role at some casinos; no casinos: at all of them."""

    name: Id
    role: Role
    casinos: tuple[Id, ...] = ()

    def works_at(self, casino: str) -> bool:
        """Whether this person is of that casino's staff."""
        return not self.casinos or casino in self.casinos


def check_decides(by: Person, casinos: Iterable[str]) -> None:
    """Raises Refused for who has no say about the money of any of these casinos."""
    check_acts(by, DECIDING, "that role does not decide about money", casinos)


def check_acts(by: Person, roles: Collection[Role], otherwise: str, casinos: Iterable[str]) -> None:
    """Raises Refused for who acts in none of `roles`, told by `otherwise`, or is of the staff of none of `casinos`."""
    if by.role not in roles:
        raise Refused(f"{by.name} acts as {by.role.words}: {otherwise}", "role")
    if not any(by.works_at(casino) for casino in casinos):
        raise Refused(f"{by.name} is not of the staff of {' or '.join(casinos)}", "casino")
