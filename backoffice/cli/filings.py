"""`backoffice files`: what is handed in to authorities. Each file gets a number, and is entered with where it was made from."""

import json
import sys
from dataclasses import asdict
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from backoffice.bootstrap import House
from backoffice.cli.asking import visit
from backoffice.cli.opening import Unusable, house_of
from backoffice.cli.people import As
from backoffice.cli.reports import period_of
from backoffice.domain.event import Refused
from backoffice.log.seen import SeenLog
from backoffice.reports.regulators.files import FILES
from backoffice.reports.regulators.producing import Placed
from backoffice.reports.regulators.register import Entry, registers

app = typer.Typer(no_args_is_help=True, help=__doc__)
FileName = StrEnum("FileName", {name: name for name in FILES})  # type: ignore[misc]
Casino = Annotated[str, typer.Option(help="Whose file.")]
Out = Annotated[Path, typer.Option(file_okay=False, help="The folder it is put into.")]


@app.command()
def kinds() -> None:
    """List the kinds of files there are."""
    for file in FILES.values():
        sys.stdout.write(f"{file.name:<28} {file.about}\n")


@app.command()
def produce(
    context: typer.Context,
    name: Annotated[FileName, typer.Argument(help="Which kind of file.")],
    casino: Casino,
    day: Annotated[
        datetime, typer.Option(formats=["%Y-%m-%d"], help="Which day, as its authority counts days.")
    ],
    out: Out,
    by: As,
) -> None:
    """Produce a day's files, or put those that hold there again where nothing has changed since.

    A file that was produced is never changed: what has become known since is in a further one, which adds to it or
    replaces it, as its authority wants it. Ends with 1 if it is refused.
    """
    asked, _ = period_of(day, None, None, None)
    assert asked is not None  # there is a day
    working = Console(stderr=True).status(f"{name.value} of {casino}, {asked}")  # on a terminal only
    with house_of(context) as house, working:
        try:
            placed = house.produce(name.value, casino, asked, out, by, datetime.now(UTC), visit())
        except Refused as refused:
            sys.stderr.write(f"refused: {refused.reason}\n")
            raise typer.Exit(1) from None
    for one in placed:
        sys.stdout.write(f"{_placed(one)}\n")
    if not placed:
        sys.stdout.write(f"no activity: {casino} has nothing to hand in as {name.value} for {asked}\n")


@app.command("list")
def list_(
    context: typer.Context,
    casino: Annotated[str | None, typer.Option(help="Only this casino's.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="The same as data.")] = False,
) -> None:
    """List what was produced: number, kind, day, what it replaces, from which position of the log, with which hash."""
    with house_of(context) as house:
        for entry in _entries(house, casino):
            told = json.dumps(_told(entry), ensure_ascii=False) if as_json else _line(entry)
            sys.stdout.write(f"{told}\n")


@app.command()
def show(
    context: typer.Context,
    casino: Annotated[str, typer.Argument()],
    authority: Annotated[str, typer.Argument(help="dk, gr or mga.")],
    number: Annotated[int, typer.Argument(min=1)],
    out: Annotated[
        Path | None,
        typer.Option(file_okay=False, help="Put the file into this folder, too: made again, to the byte."),
    ] = None,
) -> None:
    """Tell all about one file that was produced."""
    with house_of(context) as house:
        for entry in _entries(house, casino):
            if (entry.file.authority, entry.file.number) == (authority, number):
                break
        else:
            raise Unusable(f"{casino} has produced no file {number} for {authority}")
        told = _told(entry)
        if out is not None:
            told["path"] = str(house.produce_again(entry, out).path)
    json.dump(told, sys.stdout, ensure_ascii=False, indent=2)
    sys.stdout.write("\n")


def _entries(house: House, casino: str | None) -> list[Entry]:
    with house.engine.connect() as connection:
        every = registers(SeenLog(connection), house.codec)
        return [entry for entry in every if casino in {None, entry.file.casino}]


def _placed(one: Placed) -> str:
    state = "produced" if one.new else "unchanged"
    return f"{one.path}  number {one.number}, {one.records} records, {state}"


def _line(entry: Entry) -> str:
    file = entry.file
    about = f"{file.name} {file.day}" + (f" {file.part}" if file.part else "")
    instead = "" if file.replaces is None else f", replaces {file.replaces}"
    return (
        f"{file.casino} {file.authority} {file.number:>6}  {about}, version {file.version}{instead};"
        f" position {file.position}, {file.records} records, sha256 {file.sha256}"
    )


def _told(entry: Entry) -> dict[str, Any]:
    return {**asdict(entry.file), "made_at": entry.made_at.isoformat(), "by": entry.by}
