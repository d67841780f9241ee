"""`backoffice`: every command of the command line."""

import sys
import traceback
from importlib.metadata import entry_points
from pathlib import Path
from typing import Annotated

import typer

from backoffice.cli import (
    books,
    cancelling,
    cases,
    databases,
    days,
    debts,
    exports,
    filings,
    imports,
    keys,
    projections,
    reports,
    rounds,
    serving,
)
from backoffice.cli.opening import ANTICIPATED, told
from backoffice.settings import Settings

OPTIONAL = {"celery", "kombu", "billiard"}
"""Packages of an extra: where they are missing, so are its commands."""

app = typer.Typer(no_args_is_help=True, pretty_exceptions_enable=False, help=__doc__)
app.command("import")(imports.import_feed)
app.command("export")(exports.export)
app.command("verify")(databases.verify)
app.command("cancel")(cancelling.cancel)
app.command("correct")(cancelling.correct)
app.command("serve")(serving.serve)
app.add_typer(books.app, name="books")
app.add_typer(cases.app, name="cases")
app.add_typer(days.app, name="day")
app.add_typer(debts.app, name="debts")
app.add_typer(keys.app, name="keys")
app.add_typer(projections.app, name="projections")
app.add_typer(reports.app, name="report")
app.add_typer(rounds.app, name="round")
app.add_typer(filings.app, name="files")
app.add_typer(databases.app, name="db")

for plugged in entry_points(group="backoffice.commands"):  # of those who stand beside the house
    try:
        app.add_typer(plugged.load(), name=plugged.name)
    except ModuleNotFoundError as missing:
        if missing.name not in OPTIONAL:
            raise


@app.callback()
def settle(
    context: typer.Context,
    data: Annotated[
        Path | None, typer.Option(help="The folder of the house's own PostgreSQL (BACKOFFICE_DATA).")
    ] = None,
) -> None:
    """Read the surroundings once; commands find them in the context."""
    settings = Settings()
    context.obj = settings if data is None else settings.model_copy(update={"data": data})


BUG = 70
"""Neither what an import ends with (0, 1) nor what a person can put right (2)."""


def main() -> None:
    """Run a command. What was anticipated is said in a sentence and ends with 2; anything else is a bug and shows."""
    try:
        app()
    except ANTICIPATED as known:
        sys.stderr.write(f"backoffice: {told(known)}\n")
        sys.exit(2)
    except Exception:  # noqa: BLE001 - it is shown, and told apart from how an import ends
        traceback.print_exc()
        raise SystemExit(BUG) from None
