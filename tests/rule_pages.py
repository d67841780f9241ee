"""The rule pages as data: their tables, read from the shared folder."""

from collections.abc import Iterator

from shared_folder import shared

Table = list[list[str]]
"""Rows of cells, the header first."""


def page(name: str) -> str:
    """A rule page's text."""
    return shared("rules", name).read_text(encoding="utf-8")


def tables(name: str) -> Iterator[Table]:
    """Every table of a page, in order."""
    table: Table = []
    for line in [*page(name).splitlines(), ""]:
        if line.startswith("|"):
            cells = [cell.strip() for cell in line.strip("|").split("|")]
            if set("".join(cells)) != {"-"}:
                table.append(cells)
        elif table:
            yield table
            table = []


def table_headed(name: str, *header: str) -> Table:
    """The rows below the table whose header begins with these cells."""
    for table in tables(name):
        if tuple(table[0][: len(header)]) == header:
            return table[1:]
    raise LookupError(f"{name} has no table headed {header}")
