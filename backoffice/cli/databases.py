"""`backoffice db` and `backoffice verify`: the database, and the chain of the log in it."""

import sys

import typer

from backoffice.cli.opening import house_of
from backoffice.db import upgrade as migrate
from backoffice.log.verification import verify_log

app = typer.Typer(no_args_is_help=True, help="The database.")


@app.callback()
def database() -> None:
    """The database."""


@app.command()
def upgrade(context: typer.Context) -> None:
    """Bring the database up to date with this program."""
    with house_of(context, to_upgrade=True) as house:
        migrate(house.engine)
    sys.stdout.write("up to date\n")


def verify(context: typer.Context) -> None:
    """Walk the log's chain from its first event to its head. Names the first bad position and ends with 1 if it is broken."""
    with house_of(context) as house:
        head = house.log.head()
        broken = verify_log(house.log)
    if broken is not None:
        sys.stdout.write(f"broken at position {broken.position}: {broken.reason}\n")
        raise typer.Exit(1)
    sys.stdout.write(f"{head.position:,} events, whole; head {head.hash.hex()}\n")
