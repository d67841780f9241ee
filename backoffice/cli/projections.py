"""`backoffice projections`: how the read tables stand, redrawing them, and comparing them with the log."""

import sys
from typing import Annotated

import typer

from backoffice.cli.opening import house_of

app = typer.Typer(no_args_is_help=True, help=__doc__)
Name = Annotated[str | None, typer.Argument(help="One projection; without it, all of them.")]


@app.command()
def status(context: typer.Context) -> None:
    """Show for each projection how far it has come and how far behind it is."""
    with house_of(context) as house:
        told = house.projector().status()
    sys.stdout.write(
        f"{'projection':<16} {'position':>12} {'behind':>10} {'seconds':>9} {'rows':>12}  state\n"
    )
    for one in told:
        state = "stale" if one.stale else "current"
        sys.stdout.write(
            f"{one.name:<16} {one.position:>12,} {one.lag_events:>10,} {one.lag_seconds:>9.0f} {one.rows:>12,}  {state}\n"
        )


@app.command()
def rebuild(context: typer.Context, name: Name = None) -> None:
    """Redraw a projection from the log while the old rows serve, and swap it in."""
    with house_of(context) as house:
        for rebuilt in house.projector().rebuild(name):
            changed = "differed" if rebuilt.differed else "as before"
            sys.stdout.write(f"{rebuilt.name:<16} {rebuilt.rows:>12,} rows, {changed}\n")


@app.command()
def compare(context: typer.Context, name: Name = None) -> None:
    """Replay the log and compare with the stored rows. Prints each differing row and ends with 1 if there is one."""
    differing = 0
    with house_of(context) as house:
        for difference in house.projector().compare(name):
            differing += 1
            sys.stdout.write(f"{difference}\n")
    sys.stdout.write("no difference\n" if not differing else f"{differing:,} rows differ\n")
    raise typer.Exit(1 if differing else 0)
