"""Entering files: numbers of a casino and an authority follow each other without a gap, each is given once."""

from collections.abc import Collection
from dataclasses import fields

from backoffice.domain.event import Refused
from backoffice.domain.filings.commands import RegisterFile
from backoffice.domain.filings.events import FileProduced
from backoffice.domain.staff import Role, check_acts

TAKEN = "number"
"""The rule by which a file is refused whose number was given to another one meanwhile."""
FILING = frozenset({Role.SHIFT_MANAGER, Role.COMPLIANCE, Role.ACCOUNTANT, Role.ADMINISTRATOR})
"""Who may produce what is handed in to an authority."""


def register_file(last: int, casinos: Collection[str], command: RegisterFile) -> FileProduced:
    """The file, entered, if its number is the one behind the `last`. Raises Refused.

    With the right number it is known that no file came between, so what else it says of those before it is right too.
    """
    if command.casino not in casinos:
        raise Refused(f"there is no casino {command.casino}", "casino")
    check_acts(command.by, FILING, "that role hands nothing in", [command.casino])
    if command.number != last + 1:
        given = f"{command.casino} has {last} files for {command.authority}"
        raise Refused(f"{given}, another one came between: produce file {command.number} again", TAKEN)
    told = {field.name: getattr(command, field.name) for field in fields(FileProduced)}
    return FileProduced(**told)


def last_number(last: int, event: FileProduced) -> int:
    """The last number given, after `event`."""
    if event.number != last + 1:
        raise ValueError(f"{event!r} does not follow number {last}")
    return event.number
