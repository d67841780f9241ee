"""Who acts: the account that is logged in, or in development whoever `--as` names. Real identities come with the API."""

import re
from getpass import getuser
from typing import Annotated

import typer
from pydantic import ValidationError

from backoffice.domain.staff import Person, Role

_ROLES = ", ".join(Role)


def person(text: str) -> Person:
    """`"ann"`, `"ann:compliance"`, `"ann:cashier@tallinn"`; of no casino: of all. Raises typer.BadParameter."""
    name_and_role, _, casino = text.strip().partition("@")
    name, _, role = name_and_role.partition(":")
    if role and role not in list(Role):
        raise typer.BadParameter(f"there is no role {role}: {_ROLES}")
    try:
        return Person(
            name=name.strip(),
            role=Role(role or Role.SHIFT_MANAGER),
            casinos=(casino,) if casino else (),
        )
    except ValidationError as invalid:
        raise typer.BadParameter(f"{text!r} is nobody: NAME[:ROLE[@CASINO]]") from invalid


def logged_in() -> str:
    """The name of the account that calls the command line; what would read as a role or a casino in it does not."""
    try:
        return re.sub("[:@]", "-", getuser())
    except (KeyError, OSError) as nobody:
        raise typer.BadParameter("nobody is logged in here: say who acts by --as") from nobody


def _administrator() -> str:
    return f"{logged_in()}:{Role.ADMINISTRATOR}"


As = Annotated[
    Person,
    typer.Option(
        "--as",
        parser=person,
        metavar="NAME[:ROLE[@CASINO]]",
        default_factory=logged_in,
        show_default="the account that is logged in",
        help="Who does this. For development only: nobody checks it. Without a role a shift manager, without a casino of all.",
    ),
]

AsAdministrator = Annotated[
    Person,
    typer.Option(
        "--as",
        parser=person,
        metavar="NAME[:ROLE[@CASINO]]",
        default_factory=_administrator,
        show_default="the account that is logged in, as administrator",
        help="Who does this. For development only: nobody checks it.",
    ),
]
