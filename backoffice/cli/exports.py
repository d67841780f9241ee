"""`backoffice export`: the books as files."""

import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from backoffice.cli.files import long_file
from backoffice.cli.opening import house_of
from backoffice.reports.exports import EXPORTS, write_export

ExportName = StrEnum("ExportName", {name: name for name in EXPORTS})  # type: ignore[misc]


class Format(StrEnum):
    """What a file looks like."""

    CSV = "csv"
    JSONL = "jsonl"


def export(
    context: typer.Context,
    name: Annotated[ExportName, typer.Argument(help="Which export.")],
    file_format: Annotated[Format, typer.Option("--format")] = Format.CSV,
    out: Annotated[Path | None, typer.Option(help="The file; without it, the terminal or pipe.")] = None,
) -> None:
    """Write an export. A file is written beside and moved into place: never half a one."""
    with house_of(context) as house, house.engine.connect() as connection:
        house.projector().catch_up()
        if out is None:
            write_export(connection, name.value, file_format.value, sys.stdout.buffer)
            return
        with long_file(out) as stream:
            write_export(connection, name.value, file_format.value, stream)
