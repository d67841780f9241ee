"""`--as`: who acts, by name. In development only: there is no check that it is true. Real identities come with the API."""

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


As = Annotated[
    Person,
    typer.Option(
        "--as",
        parser=person,
        metavar="NAME[:ROLE[@CASINO]]",
        help="Who does this. For development only: nobody checks it. Without a role a shift manager, without a casino of all.",
    ),
]
