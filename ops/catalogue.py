"""The event catalogue, made from the event classes: writes ops/events.md; with --check, compares it."""

import sys
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, fields, is_dataclass
from datetime import datetime
from inspect import getdoc
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, NamedTuple, Union, get_args, get_origin, get_type_hints

from backoffice.domain.catalogue import EVENTS
from backoffice.domain.event import Event

PAGE = Path(__file__).with_name("events.md")
REGENERATE = ".venv/bin/python -m ops.catalogue"

_WORDS: dict[Any, str] = {str: "text", int: "whole number", bool: "yes or no", datetime: "moment (UTC)"}
_HEAD = f"""\
# Event catalogue

Every kind of fact in the log, by its published name and schema number. Made from the event classes by
`{REGENERATE}`; a test fails when this page is stale. Who, when, why and under which key is in the
envelope of every event and not repeated here. Sums are in minor units of the currency beside them, or of the
seat's.
"""


class Field(NamedTuple):
    """One field of an event or of a part of one."""

    name: str
    kind: Any
    optional: bool


def page() -> str:
    """The whole catalogue."""
    parts = sorted({part for event in EVENTS for part in _parts(_event_fields(event))}, key=_name)
    sections = [
        _HEAD,
        "## Events\n",
        *map(_event_section, EVENTS),
        "## Parts of events\n",
        *map(_part_section, parts),
    ]
    return "\n".join(sections)


def is_fresh() -> bool:
    """Whether the page in the repository is what the classes say."""
    return PAGE.exists() and PAGE.read_text(encoding="utf-8") == page()


def main(arguments: list[str]) -> int:
    """Write the page, or compare it."""
    if arguments == ["--check"]:
        fresh = is_fresh()
        print(f"{PAGE.name} is up to date" if fresh else f"{PAGE.name} is stale; run: {REGENERATE}")
        return 0 if fresh else 1
    PAGE.write_text(page(), encoding="utf-8")
    return 0


def _event_section(event: type[Event]) -> str:
    stream = getdoc(event.stream)
    title = f"### {event.type_name} / {event.schema_number}\n"
    return "\n".join([title, f"{getdoc(event)}\n\nStream {stream}\n", *_table(_event_fields(event))])


def _part_section(part: type) -> str:
    return "\n".join([f"### {_name(part)}\n", f"{getdoc(part)}\n", *_table(_part_fields(part))])


def _table(rows: list[Field]) -> Iterator[str]:
    yield "| field | type |"
    yield "|---|---|"
    for name, kind, optional in rows:
        yield f"| `{name}` | {_words(kind)}{' (optional)' if optional else ''} |"
    yield ""


def _event_fields(event: type[Event]) -> list[Field]:
    return _part_fields(event)


def _part_fields(part: Any) -> list[Field]:
    hints = get_type_hints(part)
    return [
        Field(field.name, hints[field.name], (field.default, field.default_factory) != (MISSING, MISSING))
        for field in fields(part)
    ]


def _parts(rows: list[Field]) -> Iterator[type]:
    """The dataclasses that `rows` are made of, however deep."""
    for row in rows:
        for kind in _leaves(row.kind):
            if is_dataclass(kind) and isinstance(kind, type):
                yield kind
                yield from _parts(_part_fields(kind))


def _leaves(kind: Any) -> Iterator[Any]:
    arguments = get_args(kind)
    if not arguments:
        yield kind
    for argument in arguments:
        yield from _leaves(argument)


def _words(kind: Any) -> str:
    arguments = [argument for argument in get_args(kind) if argument is not Ellipsis]
    match get_origin(kind):
        case None:
            return _WORDS.get(kind) or f"[{_name(kind)}](#{_name(kind).lower()})"
        case origin if origin is Literal:
            return " or ".join(f"`{value}`" for value in arguments)
        case origin if origin in {Union, UnionType}:
            return " or ".join("nothing" if each is NoneType else _words(each) for each in arguments)
        case origin if issubclass(origin, Mapping):
            return f"{_words(arguments[1])}, by {_words(arguments[0])}"
        case origin if issubclass(origin, tuple) and Ellipsis in get_args(kind):
            return f"list of {_words(arguments[0])}"
        case _:
            return f"({', '.join(map(_words, arguments))})"


def _name(kind: type) -> str:
    return kind.__name__


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
