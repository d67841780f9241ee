"""`backoffice projections`: how the read tables stand, redrawing them, and comparing them with the log."""

import sys
from typing import Annotated

import typer

from backoffice.app.reactions import REACTING
from backoffice.cli.opening import house_of
from backoffice.projections.stuck import stuck_events

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
        if one.stuck:
            state += f", {one.stuck:,} events stuck"
        sys.stdout.write(
            f"{one.name:<16} {one.position:>12,} {one.lag_events:>10,} {one.lag_seconds:>9.0f} {one.rows:>12,}  {state}\n"
        )


@app.command()
def rebuild(context: typer.Context, name: Name = None) -> None:
    """Redraw a projection from the log while the old rows serve, and swap it in."""
    with house_of(context) as house:
        for rebuilt in house.rebuild(name):
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


@app.command()
def stuck(context: typer.Context, name: Name = None) -> None:
    """List events that could not be projected, or reacted to, and those that wait behind them. Ends with 1 if there are any."""
    reader = None if name is None else _reader(name)
    with house_of(context) as house, house.engine.connect() as connection:
        events = stuck_events(connection, reader)
    for one in events:
        sys.stdout.write(
            f"{_shown(one.reader):<16} {one.position:>12,} {age(one.age_seconds):>9} {one.attempts:>3} tries"
            f"  {one.type} in {one.stream}: {one.reason}\n"
        )
    to_blame = sum(one.behind is None for one in events)
    sys.stdout.write(
        f"{len(events):,} events stuck, {to_blame:,} of them to blame\n" if events else "nothing is stuck\n"
    )
    raise typer.Exit(1 if events else 0)


@app.command()
def retry(context: typer.Context, name: Name = None) -> None:
    """Try what is stuck again, in order; `reactions` by that name. Ends with 1 if something still is."""
    with house_of(context) as house:
        retried = [] if name == REACTING else house.projector().retry(name)
        if name in {None, REACTING}:
            retried.append(house.reactor().retry())
    for one in retried:
        if one.taken or one.left:
            sys.stdout.write(f"{_shown(one.reader):<16} {one.taken:>12,} taken, {one.left:,} still stuck\n")
    raise typer.Exit(1 if any(one.left for one in retried) else 0)


def _reader(name: str) -> str:
    return name if name == REACTING else f"projection/{name}"


def _shown(reader: str) -> str:
    return reader.removeprefix("projection/")


def age(seconds: float) -> str:
    """How old, in the largest unit that makes sense: 12 s, 5 min, 3 h, 2 d."""
    for unit, length, upto in (("s", 1, 120), ("min", 60, 7200), ("h", 3600, 172_800)):
        if seconds < upto:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds / 86_400:.0f} d"
