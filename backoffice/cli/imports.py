"""`backoffice import`: a table feed in."""

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
from pydantic import TypeAdapter, ValidationError
from pydantic_core import from_json
from rich.console import Console
from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn
from uuid_utils.compat import uuid7

from backoffice.app.group_commit import GroupCommit
from backoffice.app.importing import ImportReport
from backoffice.app.importing import import_feed as run_import
from backoffice.app.network_file import BadNetworkFile, read_network
from backoffice.app.refusals import Refusal, refusals_of
from backoffice.app.requests import Declined, Request
from backoffice.bootstrap import House
from backoffice.cli.asking import visit
from backoffice.cli.files import whole_file
from backoffice.cli.opening import Unusable, house_of, settings_of
from backoffice.domain.event import Id
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile


def import_feed(
    context: typer.Context,
    feed: Annotated[Path, typer.Argument(help="The feed: one action a line (JSON Lines).")],
    network: Annotated[
        Path | None, typer.Option(help="A network file; what changed in it is applied first.")
    ] = None,
    refused: Annotated[
        Path | None, typer.Option(help="Where refused actions go, with line number and reason.")
    ] = None,
    sender: Annotated[
        str | None, typer.Option(help="Whose ids the feed's are; by default the network's.")
    ] = None,
) -> None:
    """Import a table feed. Ends with 0 if nothing was refused, 1 if something was, 2 if it cannot be read.

    Interrupted anywhere and called again, it goes on from where it stopped.
    """
    file = None if network is None else read_network(network)
    _check_files(feed, refused)  # before a database is started for them
    with house_of(context) as house, house.group_commit() as group:
        if file is not None:
            _apply(group, file)
        name = _sender(context, sender, house)
        began = time.monotonic()
        report = _with_progress(house, group, feed, name)
        seconds = time.monotonic() - began
        house.projector().catch_up()
        if refused is not None:
            _write_refused(house, report.import_id, refused)
    _print(report, seconds)
    raise typer.Exit(1 if report.refused else 0)


def _check_files(feed: Path, refused: Path | None) -> None:
    with feed.open("rb") as stream:
        if not stream.seekable():
            raise Unusable(f"{feed} cannot be read twice: an interrupted import could not go on")
    if refused is not None and not refused.parent.is_dir():
        raise Unusable(f"there is no folder {refused.parent} for the refused actions")
    if refused is not None and refused.exists() and refused.samefile(feed):
        raise Unusable("the refused actions would be written over the feed")


def _sender(context: typer.Context, given: str | None, house: House) -> str:
    """Whose ids they are: as the command line says, or the surroundings, or the network's own."""
    sender = given or settings_of(context).sender or _network_of(house)
    try:
        return _SENDERS.validate_python(sender)
    except ValidationError as invalid:
        raise Unusable("a sender's name is 1 to 64 characters that can be printed") from invalid


_SENDERS: TypeAdapter[str] = TypeAdapter(Id)


def _apply(group: GroupCommit, file: NetworkFile) -> None:
    command = ApplyNetwork(id=f"network:{uuid7()}", at=datetime.now(UTC), file=file)
    outcome = group.handle(Request(command, sender="command line", actor="operator", visit=visit()))
    if isinstance(outcome, Declined):
        raise BadNetworkFile(outcome.reason)


def _network_of(house: House) -> str:
    founded = house.log.read_stream("network")
    if not founded:
        raise BadNetworkFile("there is no network yet: give its file with --network")
    event: Any = house.codec.decode(founded[0].type, founded[0].schema, founded[0].data)
    return str(event.network)


def _with_progress(house: House, group: GroupCommit, feed: Path, sender: str) -> ImportReport:
    columns = (
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        DownloadColumn(),
        TimeRemainingColumn(),
    )
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(feed.name, total=feed.stat().st_size)
        return run_import(
            house.engine, group, feed, sender, lambda done: progress.update(task, completed=done)
        )


def _print(report: ImportReport, seconds: float) -> None:
    if report.resumed_at_line:
        sys.stdout.write(f"went on behind line {report.resumed_at_line}\n")
    for name in ("accepted", "repeated", "refused", "rounds"):
        sys.stdout.write(f"{name:<9} {getattr(report, name):>12}\n")
    now = report.lines - report.resumed_at_line
    sys.stdout.write(f"{'rate':<9} {round(now / max(seconds, 0.001)):>12} actions a second\n")


def _write_refused(house: House, import_id: int, path: Path) -> None:
    with house.engine.connect() as connection, whole_file(path) as stream:
        for refusal in refusals_of(connection, import_id):
            stream.write(_told(refusal).encode())


def _told(refusal: Refusal) -> str:
    why = json.dumps({"line": refusal.line, "reason": refusal.reason}, ensure_ascii=False)
    return f'{why[:-1]}, "action": {_as_sent(refusal.action)}}}\n'


def _as_sent(action: bytes) -> str:
    """The action, digit for digit, where it is JSON; what is not, as a string."""
    try:
        from_json(action, allow_inf_nan=False)
        return action.decode().replace("\r", " ").replace("\n", " ")
    except ValueError:
        return json.dumps(action.decode(errors="backslashreplace"), ensure_ascii=False)
