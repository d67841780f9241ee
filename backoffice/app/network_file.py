"""Reading a network file: TOML -> what it says, or what is wrong with it and on which line."""

import re
import tomllib
from collections.abc import Iterable
from pathlib import Path

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from backoffice.domain.network.commands import NetworkFile
from backoffice.domain.network.contradictions import Contradiction, Place, contradictions


class BadNetworkFile(Exception):
    """A network file that is no TOML, lacks something, or contradicts itself; the message has every line and reason."""


def read_network(path: Path) -> NetworkFile:
    """The network that `path` describes. Raises OSError, or BadNetworkFile with `line N: reason` for every finding."""
    content = path.read_bytes()
    try:
        text = content.decode("utf-8-sig")
        given = tomllib.loads(text)
    except (UnicodeDecodeError, tomllib.TOMLDecodeError, RecursionError) as unreadable:
        raise BadNetworkFile(f"{path}: {unreadable}") from unreadable
    try:
        file = NetworkFile.model_validate(given)
    except ValidationError as invalid:
        raise BadNetworkFile(_told(path, text, map(_misfit, invalid.errors(include_url=False)))) from invalid
    findings = list(contradictions(file))
    if findings:
        raise BadNetworkFile(_told(path, text, findings))
    return file


def _misfit(error: ErrorDetails) -> Contradiction:
    """A key that is missing, that nobody knows, or whose value is of another kind: named, since its line may not be."""
    *_, key = [part for part in error["loc"] if isinstance(part, str) and part != "[key]"]
    match error["type"]:
        case "missing":
            reason = "is missing"
        case "extra_forbidden":
            reason = "is not known here"
        case _:
            reason = f"{error['msg'][:1].lower()}{error['msg'][1:]}"
    return Contradiction(error["loc"], f"{key}: {reason}")


def _told(path: Path, text: str, findings: Iterable[Contradiction]) -> str:
    lines = text.split("\n")
    told = [f"{path}, line {line_of(lines, found.place)}: {found.reason}" for found in findings]
    return "\n".join(dict.fromkeys(told))


_HEADER = re.compile(r"^\s*\[{1,2}\s*([^\[\]]+?)\s*\]{1,2}")
_KEY = re.compile(r"^\s*([^=#\[]+?)\s*=")


def line_of(lines: list[str], place: Place) -> int:
    """The number of the line that says what stands at `place`, or of the closest that encloses it; tomllib keeps none.

    A place names sections, the index of a section of several, and keys: `("table", 0, "limits", "ante", "EUR")`.
    """
    best, best_depth = 1, -1
    counts: dict[str, int] = {}
    section: Place = ()
    for number, line in enumerate(lines, start=1):
        if header := _HEADER.match(line):
            section = _section(header[1], several=line.lstrip().startswith("[["), counts=counts)
            said = section
        elif key := _KEY.match(line):
            said = (*section, *_names(key[1]))
        else:
            continue
        if place[: len(said)] == said and len(said) > best_depth:
            best, best_depth = number, len(said)
    return best


def _section(dotted: str, *, several: bool, counts: dict[str, int]) -> Place:
    """`[[table]]` for the second time -> ("table", 1); `[table.limits.ante]` after it -> ("table", 1, "limits", "ante")."""
    first, *rest = _names(dotted)
    if several:
        counts[first] = counts.get(first, -1) + 1
    return (first, *((counts[first],) if first in counts else ()), *rest)


def _names(dotted: str) -> list[str]:
    return [name.strip().strip("\"'") for name in dotted.split(".")]
