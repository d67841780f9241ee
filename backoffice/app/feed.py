"""A line of a table feed -> a request, or what is wrong with it (FORMAT.md, version 1)."""

import json
from typing import Annotated, Any

from pydantic import Field, TypeAdapter, ValidationError

from backoffice.app.requests import Origin, Request, Unreadable
from backoffice.domain.network.commands import SetRate
from backoffice.domain.rounds.commands import TableAction
from backoffice.domain.wallet.commands import Deposit, Withdraw

Action = Annotated[TableAction | Deposit | Withdraw | SetRate, Field(discriminator="do")]
"""Everything a table system may send."""

ACTIONS: TypeAdapter[Action] = TypeAdapter(Action)
KEPT_BYTES = 64 * 1024
"""How much of an unreadable line is kept with its refusal."""


def read_action(line: bytes, sender: str, origin: Origin | None = None) -> Request | Unreadable:
    """One JSON object as the feed has it, decoded strictly: every field known, of its type, and there once."""
    try:
        command = ACTIONS.validate_json(line)
        if line.count(b'":') != len(command.model_fields_set):
            _refuse_twins(line)
    except ValidationError as invalid:
        return Unreadable(line[:KEPT_BYTES], _sentence(invalid), sender, origin)
    except _TwinField as twin:
        return Unreadable(line[:KEPT_BYTES], f"{twin}: stands there twice", sender, origin)
    return Request(command, sender, actor=sender, origin=origin, raw=line)


class _TwinField(ValueError):
    """A field stands twice in one object: parsers disagree on which one counts."""


def _refuse_twins(line: bytes) -> None:
    json.loads(line, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise _TwinField(next(name for name in names if names.count(name) > 1))
    return fields


def _sentence(invalid: ValidationError) -> str:
    """Every finding as `field: what is wrong`, without what was sent: it may be long, or not be text at all."""
    findings = invalid.errors(include_url=False, include_input=False, include_context=False)
    return "; ".join(_finding(finding["type"], finding["loc"], finding["msg"]) for finding in findings[:5])


def _finding(kind: str, place: tuple[int | str, ...], message: str) -> str:
    match kind:
        case "missing":
            message = "is missing"
        case "extra_forbidden":
            message = "is no field of this action"
        case "union_tag_not_found":
            return "do: is missing"
        case "union_tag_invalid":
            return "do: is no action"
        case "json_invalid":
            return f"not JSON: {message.removeprefix('Invalid JSON: ')}"
    # The first part of a place is the action's own name, by which the union told it apart.
    field = ".".join(str(part) for part in place[1:])
    return f"{field}: {message[:1].lower()}{message[1:]}" if field else message
