"""`backoffice day`: closing gaming days. What becomes known later is told in the day that is open then."""

import sys
from datetime import UTC, date, datetime
from typing import Annotated

import typer

from backoffice.app.requests import Declined
from backoffice.cli.asking import visit
from backoffice.cli.opening import house_of
from backoffice.cli.people import As
from backoffice.reports.asked import Asked
from backoffice.reports.closed_days import CLOSED_DAYS
from backoffice.reports.making import making
from backoffice.reports.rendering.as_text import text_form

app = typer.Typer(no_args_is_help=True, help=__doc__)


@app.command()
def close(
    context: typer.Context,
    casino: Annotated[str, typer.Argument(help="Whose day.")],
    day: Annotated[datetime, typer.Argument(formats=["%Y-%m-%d"], metavar="DATE", help="Which gaming day.")],
    by: As,
    carry_over: Annotated[
        bool, typer.Option("--carry-over", help="Leave rounds without a result to later days.")
    ] = False,
) -> None:
    """Close a gaming day: its figures are frozen. Ends with 1 and says why if it cannot be closed."""
    with house_of(context) as house:
        outcome = house.close_day(
            casino, _day(day), by, datetime.now(UTC), carry_over=carry_over, visit=visit()
        )
    if isinstance(outcome, Declined):
        sys.stderr.write(f"refused: {outcome.reason}\n")
        raise typer.Exit(1)
    sys.stdout.write(f"{by.name} closed {_day(day)} of {casino}: `backoffice report closed-day` tells it\n")


@app.command("list")
def list_(
    context: typer.Context,
    casino: Annotated[str | None, typer.Option(help="Only this casino's.")] = None,
) -> None:
    """List the days that are closed."""
    with (
        house_of(context) as house,
        making(house.engine, house.codec, CLOSED_DAYS, Asked(casino)) as made,
    ):
        sys.stdout.buffer.writelines(text_form(made))


def _day(text: datetime) -> date:
    return text.date()
