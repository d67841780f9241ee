"""A line of a table feed -> a request, or what is wrong with it (FORMAT.md, version 1)."""

import json
from dataclasses import MISSING, fields
from typing import Annotated, Any, get_args

from pydantic import Field, TypeAdapter, ValidationError

from backoffice.app.requests import Origin, Request, Unreadable
from backoffice.domain.event import Command, CurrencyCode, Id
from backoffice.domain.network.commands import SetRate
from backoffice.domain.rounds.commands import TableAction
from backoffice.domain.wallet.commands import Deposit, Withdraw
from backoffice.kernel.cards import CARD_PATTERN
from backoffice.kernel.currencies import AMOUNT_PATTERN
from backoffice.kernel.exchange import RATE_PATTERN

Action = Annotated[TableAction | Deposit | Withdraw | SetRate, Field(discriminator="do")]
"""Everything a table system may send."""
KINDS: tuple[type[Command], ...] = get_args(get_args(Action)[0])
"""The kinds of it."""

ACTIONS: TypeAdapter[Action] = TypeAdapter(Action)
Findings = tuple[tuple[str, str], ...]
KEPT_BYTES = 64 * 1024
"""How much of an unreadable line is kept with its refusal."""


def read_action(line: bytes, sender: str, origin: Origin | None = None) -> Request | Unreadable:
    """One JSON object as the feed has it, decoded strictly: every field known, of its type, and there once."""
    try:
        command = ACTIONS.validate_json(line)
        if line.count(b'":') != _REQUIRED[type(command)] or any(blank in line for blank in _BLANKS):
            refuse_twins(line)
    except ValidationError as invalid:
        return _unreadable(line, _findings(invalid), sender, origin)
    except TwinField as twin:
        return _unreadable(line, ((_shown(str(twin)), "stands there twice"),), sender, origin)
    return Request(command, sender, actor=sender, origin=origin, raw=line)


# With each colon right behind its name, an object has at least as many `":` as fields: only one with more than it must
# have, or with a blank behind a quote, can hold a twin and is looked at again.
_REQUIRED = {kind: sum(field.default is MISSING for field in fields(kind)) for kind in KINDS}
_BLANKS = (b'" ', b'"\t', b'"\r', b'"\n')


class TwinField(ValueError):
    """A field stands twice in one object: parsers disagree on which one counts."""


def refuse_twins(line: bytes) -> None:
    """Raises TwinField for JSON in which a field stands twice."""
    json.loads(line, object_pairs_hook=_unique)


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    fields = dict(pairs)
    if len(fields) < len(pairs):
        names = [name for name, _ in pairs]
        raise TwinField(next(name for name in names if names.count(name) > 1))
    return fields


def _unreadable(line: bytes, findings: Findings, sender: str, origin: Origin | None) -> Unreadable:
    sentence = "; ".join(f"{field}: {reason}" if field else reason for field, reason in findings)
    return Unreadable(line[:KEPT_BYTES], sentence, sender, origin, findings)


def _findings(invalid: ValidationError) -> Findings:
    """Every finding as a field and what is wrong, without what was sent: it may be long, or not be text at all."""
    return tuple(
        (_place(found["loc"]), _reason(found["type"], found["msg"], found.get("ctx", {})))
        for found in invalid.errors(include_url=False, include_input=False)[:5]
    )


def _place(place: tuple[int | str, ...]) -> str:
    # The first part of a place is the action's own name, by which the union told it apart.
    return ".".join(_shown(part) for part in place[1:])


def _shown(part: int | str) -> str:
    """A part of a place; a name that the sender made up is shown if it is one that could be a name."""
    text = str(part)
    return text if len(text) <= 64 and text.isprintable() else "?"


def _reason(kind: str, message: str, context: dict[str, Any]) -> str:
    match kind:
        case "missing":
            return "is missing"
        case "unexpected_keyword_argument":
            return "is no field of this action"
        case "union_tag_not_found":
            return "do: is missing"
        case "union_tag_invalid":
            return "do: is no action"
        case "json_invalid":
            return f"not JSON: {message.removeprefix('Invalid JSON: ')}"
        case "string_pattern_mismatch":
            return _WRITTEN.get(context["pattern"], "is not written as it must be")
        case _:
            plain = message.removeprefix("Value error, ").removeprefix("Input ").removeprefix("String ")
            return f"{plain[:1].lower()}{plain[1:]}"


def _pattern(text: object) -> str:
    return next(str(part.pattern) for part in get_args(text) if getattr(part, "pattern", None))


_WRITTEN = {
    AMOUNT_PATTERN: "must be digits, and a point with digits if there are any",
    RATE_PATTERN: "must be digits, and a point with digits if there are any",
    CARD_PATTERN: "is no card",
    _pattern(CurrencyCode): "must be three capital letters",
    _pattern(Id): "has characters that cannot be printed",
}
