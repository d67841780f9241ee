"""`backoffice import`: a table feed in."""

import json
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any

import typer
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
from backoffice.cli.opening import house_of
from backoffice.domain.network.commands import ApplyNetwork, NetworkFile
from backoffice.settings import Settings


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
    with feed.open("rb"):
        pass  # before a database is started for it
    with house_of(context) as house, house.group_commit() as group:
        if file is not None:
            _apply(group, file)
        asked = sender or _settings(context).sender or (file.network.id if file else _network_of(house))
        began = time.monotonic()
        report = _with_progress(house, group, feed, asked)
        seconds = time.monotonic() - began
        house.projector().catch_up()
        if refused is not None:
            _write_refused(house, report.import_id, refused)
    _print(report, seconds)
    raise typer.Exit(1 if report.refused else 0)


def _settings(context: typer.Context) -> Settings:
    settings = context.obj
    assert isinstance(settings, Settings)
    return settings


def _apply(group: GroupCommit, file: NetworkFile) -> None:
    command = ApplyNetwork(id=f"network:{uuid7()}", at=datetime.now(UTC), file=file)
    outcome = group.handle(Request(command, sender="command line", actor="operator"))
    if isinstance(outcome, Declined):
        raise BadNetworkFile(outcome.reason)


def _network_of(house: House) -> str:
    founded = house.log.read_stream("network")
    if not founded:
        raise BadNetworkFile("there is no network yet: give its file with --network")
    event: Any = house.codec.decode(founded[0].type, founded[0].schema, founded[0].data)
    return str(event.network)


def _with_progress(house: House, group: GroupCommit, feed: Path, sender: str) -> ImportReport:
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task(feed.name, total=feed.stat().st_size)
        return run_import(
            house.engine, group, feed, sender, lambda done: progress.update(task, completed=done)
        )


def _print(report: ImportReport, seconds: float) -> None:
    actions = report.accepted + report.repeated + report.refused
    if report.resumed_at_line:
        sys.stdout.write(f"went on behind line {report.resumed_at_line}\n")
    for name in ("accepted", "repeated", "refused", "rounds"):
        sys.stdout.write(f"{name:<9} {getattr(report, name):>12,}\n")
    sys.stdout.write(f"{'rate':<9} {round(actions / max(seconds, 0.001)):>12,} actions a second\n")


def _write_refused(house: House, import_id: int, path: Path) -> None:
    """Written beside and moved into place: never half a file."""
    beside = path.with_name(f"{path.name}.part")
    with house.engine.connect() as connection, beside.open("w", encoding="utf-8", newline="\n") as stream:
        for refusal in refusals_of(connection, import_id):
            stream.write(json.dumps(_told(refusal), ensure_ascii=False) + "\n")
    beside.replace(path)


def _told(refusal: Refusal) -> dict[str, object]:
    text = refusal.action.decode("utf-8", errors="backslashreplace")
    try:
        action: object = json.loads(text)
    except ValueError:
        action = text
    return {"line": refusal.line, "reason": refusal.reason, "action": action}
