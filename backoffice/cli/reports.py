"""`backoffice report`: what is to be read, printed or handed in, in every form."""

import sys
from collections.abc import Iterable
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, BinaryIO

import typer
from rich.console import Console
from rich.progress import Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from backoffice.cli.files import whole_file
from backoffice.cli.opening import house_of
from backoffice.kernel.calendar import Days, month_of
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.making import making
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Asked, Report

app = typer.Typer(no_args_is_help=True, help=__doc__)
Form = StrEnum("Form", {name: name for name in FORMS})  # type: ignore[misc]


@app.command("list")
def list_() -> None:
    """List the reports there are and what else each can be asked."""
    for report in REPORTS.values():
        sys.stdout.write(f"{report.name:<28} {report.about}\n")
        for name, meaning in report.filters.items():
            sys.stdout.write(f"{'':<30} --only {name}=...  {meaning}\n")


def add(report: Report) -> None:
    """Give `report` its command."""

    @app.command(report.name, help=f"{report.title}: {report.about}.")
    def make(
        context: typer.Context,
        casino: Annotated[str | None, typer.Option(help="One casino; without it, all.")] = None,
        day: Annotated[
            datetime | None, typer.Option(formats=["%Y-%m-%d"], help="One day; without any, everything.")
        ] = None,
        first: Annotated[
            datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="The first day.")
        ] = None,
        last: Annotated[
            datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="The last day.")
        ] = None,
        month: Annotated[datetime | None, typer.Option(formats=["%Y-%m"], help="A month.")] = None,
        days: Annotated[Days, typer.Option(help="What a day is.")] = Days.GAMING,
        only: Annotated[
            list[str] | None, typer.Option(metavar="NAME=VALUE", help="A filter of the report.")
        ] = None,
        form: Annotated[
            Form | None, typer.Option("--format", help="By default that of the file's ending, or text.")
        ] = None,
        out: Annotated[Path | None, typer.Option(help="The file; without it, the terminal or pipe.")] = None,
    ) -> None:
        period = period_of(day, first, last, month)
        asked = Asked(casino, *period, days, dict(map(_filter, only or ())))
        write = FORMS[_form(form, out)]
        with house_of(context) as house, making(house.engine, house.codec, report, asked) as made:
            if out is None:
                sys.stdout.buffer.writelines(write(made))
                return
            with whole_file(out) as stream:
                write_with_progress(write(made), stream, out.name)


for _report in REPORTS.values():
    add(_report)


def period_of(
    day: datetime | None, first: datetime | None, last: datetime | None, month: datetime | None
) -> tuple[date | None, date | None]:
    """The first and the last day asked for; none for everything. Raises typer.BadParameter."""
    ways = (day is not None) + (first is not None or last is not None) + (month is not None)
    if ways > 1 or (first is None) is not (last is None):
        raise typer.BadParameter("give a day, or a month, or the first and the last day")
    if month is not None:
        return month_of(month.date())
    begin, end = day or first, day or last
    if begin is None or end is None:
        return None, None
    if end < begin or not date(2, 1, 2) < begin.date() <= end.date() < date(9998, 12, 30):
        raise typer.BadParameter("the last day is not before the first, and both lie in the years 2 to 9998")
    return begin.date(), end.date()


def write_with_progress(pieces: Iterable[bytes], stream: BinaryIO, name: str) -> None:
    """Write, showing on a terminal how much has been written."""
    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}", markup=False), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(name, total=None)
        written = 0
        for piece in pieces:
            stream.write(piece)
            written += len(piece)
            progress.update(task, completed=written, description=f"{name}  {written:,} bytes")


def _filter(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator:
        raise typer.BadParameter(f"{text}: a filter is given as NAME=VALUE")
    return name, value


def _form(form: StrEnum | None, out: Path | None) -> str:
    if form is not None:
        return form.value
    ending = "text" if out is None else out.suffix.removeprefix(".").replace("txt", "text")
    if ending not in FORMS:
        raise typer.BadParameter(f"say --format: there is no form {ending or 'without an ending'}")
    return ending
