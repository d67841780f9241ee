"""`backoffice books`: accounting files by the accountant's own chart of accounts."""

import sys
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from backoffice.cli.files import long_file, whole_file
from backoffice.cli.opening import house_of
from backoffice.cli.people import logged_in
from backoffice.cli.reports import order_from_workers, period_of
from backoffice.kernel.calendar import Days
from backoffice.reports.asked import Asked
from backoffice.reports.books.chart import chart_text, default_chart, read_chart
from backoffice.reports.books.files import FORMATS, AccountingFile, accounting_file

app = typer.Typer(no_args_is_help=True, help=__doc__)
Name = StrEnum("Name", {name: name for name in FORMATS})  # type: ignore[misc]
Format = StrEnum("Format", {form: form for forms in FORMATS.values() for form in forms})  # type: ignore[misc]

_CSV = Format("csv")


class By(StrEnum):
    """Of what there is a trial balance each."""

    DAY = "day"
    MONTH = "month"


@app.command()
def chart() -> None:
    """Print the chart of accounts to begin with, as a file to be changed and given with --chart."""
    sys.stdout.write(default_chart())


@app.command()
def export(
    context: typer.Context,
    name: Annotated[Name, typer.Argument(help="Which of the books.")],
    form: Annotated[
        Format, typer.Option("--format", help="beancount, hledger and saft are for the journal.")
    ] = _CSV,
    chart_file: Annotated[
        Path | None,
        typer.Option("--chart", help="The accountant's chart; without it, that of `books chart`."),
    ] = None,
    casino: Annotated[
        str | None, typer.Option(help="One casino's book, or - for the network's own; without it, all.")
    ] = None,
    currency: Annotated[str | None, typer.Option(help="One currency; without it, all.")] = None,
    by: Annotated[By | None, typer.Option(help="A trial balance for each.")] = None,
    day: Annotated[
        datetime | None, typer.Option(formats=["%Y-%m-%d"], help="One day; without any, everything.")
    ] = None,
    first: Annotated[
        datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="The first day.")
    ] = None,
    last: Annotated[datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="The last day.")] = None,
    month: Annotated[datetime | None, typer.Option(formats=["%Y-%m"], help="A month.")] = None,
    days: Annotated[Days, typer.Option(help="What a day is.")] = Days.GAMING,
    out: Annotated[
        Path | None, typer.Option(help="The file, a manifest beside it; without it, the terminal or pipe.")
    ] = None,
    order: Annotated[
        bool, typer.Option("--order", help="Have a worker make it: see `report ordered`.")
    ] = False,
) -> None:
    """Write one of the books. A file is written beside and moved into place, with a manifest of its hash, rows and totals."""
    only = {"currency": currency, "by": by}
    period = period_of(day, first, last, month)
    asked = Asked(casino, *period, days, {key: value for key, value in only.items() if value is not None})
    if order:
        text = chart_text(chart_file)
        order_from_workers(
            context, lambda house: house.order_books(name.value, form.value, asked, text, by=logged_in())
        )
        return
    accounts = read_chart(chart_file)
    with (
        house_of(context) as house,
        accounting_file(house.engine, house.codec, accounts, name.value, form.value, asked) as made,
    ):
        if out is None:
            sys.stdout.buffer.writelines(made.pieces())
        else:
            _write(made, out)


def _write(made: AccountingFile, out: Path) -> None:
    with long_file(out) as stream:
        stream.writelines(made.pieces())
    if out.is_file():
        with whole_file(out.with_name(f"{out.name}.manifest.json")) as stream:
            stream.write(made.manifest(out.name))
