"""`backoffice report`: what is to be read, printed or handed in, in every form."""

import sys
from collections.abc import Callable
from datetime import date, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from backoffice.app.orders import Order, list_orders
from backoffice.bootstrap import House
from backoffice.cli.files import long_file
from backoffice.cli.opening import Unusable, house_of, settings_of
from backoffice.cli.people import logged_in
from backoffice.kernel.calendar import Days, month_of
from backoffice.reports.asked import Asked
from backoffice.reports.catalogue import REPORTS
from backoffice.reports.making import making
from backoffice.reports.rendering.forms import FORMS
from backoffice.reports.report import Report

app = typer.Typer(no_args_is_help=True, help=__doc__)
Form = StrEnum("Form", {name: name for name in FORMS})  # type: ignore[misc]


@app.command("list")
def list_() -> None:
    """List the reports there are and what else each can be asked."""
    for report in REPORTS.values():
        sys.stdout.write(f"{report.name:<28} {report.about}\n")
        for name, meaning in report.filters.items():
            sys.stdout.write(f"{'':<30} --only {name}=...  {meaning}\n")


@app.command()
def ordered(context: typer.Context) -> None:
    """List what was ordered from the workers, the newest first, and what became of it."""
    folder = settings_of(context).exports
    with house_of(context) as house, house.engine.connect() as connection:
        for one in list_orders(connection):
            sys.stdout.write(f"{one.number:>6}  {one.ordered_by:<16} {_became(one, folder)}\n")


def _became(order: Order, folder: Path) -> str:
    if order.refused is not None:
        return f"{order.name} cannot be made: {order.refused}"
    if order.done_at is None:
        return f"{order.name} is still to be made"
    return f"{folder / order.file}  {order.size_bytes:,} bytes, sha256 {order.sha256}"


def order_from_workers(context: typer.Context, order: Callable[[House], Order]) -> None:
    """Write an order down; a worker's next sweep finds it. Raises Unusable where there are no workers."""
    settings = settings_of(context)
    if settings.broker_url is None:
        raise Unusable(
            "nobody makes what is ordered without workers (BACKOFFICE_BROKER_URL): leave --order out"
        )
    with house_of(context) as house:
        placed = order(house)
    sys.stdout.write(f"ordered as number {placed.number}: it will be {settings.exports / placed.file}\n")


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
        order: Annotated[bool, typer.Option("--order", help="Have a worker make it: see `ordered`.")] = False,
    ) -> None:
        period = period_of(day, first, last, month)
        asked = Asked(casino, *period, days, dict(map(_filter, only or ())))
        if order:
            written = _form(form, out)
            order_from_workers(
                context, lambda house: house.order(report.name, written, asked, by=logged_in())
            )
            return
        write = FORMS[_form(form, out)]
        with house_of(context) as house, making(house.engine, house.codec, report, asked) as made:
            if out is None:
                sys.stdout.buffer.writelines(write(made))
                return
            with long_file(out) as stream:
                stream.writelines(write(made))


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
