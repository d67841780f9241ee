"""`backoffice keys`: keys of table systems. A secret is shown once, when it is made; the house keeps its digest only."""

import sys
from typing import Annotated

import typer

from backoffice.app.key_secrets import new_secret, shown_key
from backoffice.app.keyring import Keyring
from backoffice.cli.asking import ask
from backoffice.cli.cancelling import Reason
from backoffice.cli.opening import house_of
from backoffice.cli.people import AsAdministrator
from backoffice.domain.access.commands import CreateKey, RevokeKey, RotateKey
from backoffice.domain.access.state import Key
from backoffice.domain.staff import Role

app = typer.Typer(no_args_is_help=True, help=__doc__)
KeyName = Annotated[str, typer.Argument(metavar="KEY", help="What the key is called, for good.")]


@app.command()
def create(
    context: typer.Context,
    key: KeyName,
    sender: Annotated[str, typer.Option(help="Whose ids its actions have.")],
    by: AsAdministrator,
    role: Annotated[list[Role], typer.Option(help="What it may do; several if need be.")],
    casino: Annotated[list[str] | None, typer.Option(help="For which casinos; several if need be.")] = None,
    everywhere: Annotated[bool, typer.Option("--all-casinos", help="For all of them.")] = False,
) -> None:
    """Give a system a key, and show its secret, once. Ends with 1 if it is refused."""
    if bool(casino) is everywhere:
        raise typer.BadParameter("say for which casinos the key is: --casino, or --all-casinos")
    secret, digest = new_secret()
    with house_of(context) as house:
        given = {"sender": sender, "roles": tuple(role), "casinos": tuple(casino or ())}
        ask(house, CreateKey, by, key=key, digest=digest, **given)
    sys.stdout.write(f"{shown_key(key, secret)}\n")


@app.command()
def rotate(
    context: typer.Context,
    key: KeyName,
    by: AsAdministrator,
    keep_old_minutes: Annotated[int, typer.Option(help="So long the old secret stays good.")] = 0,
) -> None:
    """Give a key a new secret, and show it, once. Ends with 1 if it is refused."""
    secret, digest = new_secret()
    with house_of(context) as house:
        ask(house, RotateKey, by, key=key, digest=digest, keep_old_minutes=keep_old_minutes)
    sys.stdout.write(f"{shown_key(key, secret)}\n")


@app.command()
def revoke(context: typer.Context, key: KeyName, by: AsAdministrator, reason: Reason) -> None:
    """Make a key open nothing any more, for good. Ends with 1 if it is refused."""
    with house_of(context) as house:
        ask(house, RevokeKey, by, key=key, reason=reason)


@app.command("list")
def list_(context: typer.Context) -> None:
    """List all keys, revoked ones too."""
    with house_of(context) as house:
        ring = Keyring(house.log, house.codec)
        ring.refresh()
        for key in ring:
            sys.stdout.write(f"{_line(key)}\n")


def _line(key: Key) -> str:
    state = "revoked" if key.revoked else ", ".join(key.roles)
    return f"{key.id:<32} {key.sender:<24} {state:<24} {', '.join(key.casinos) or 'all casinos'}"
