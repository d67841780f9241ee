"""What every fact and every question shares: the event base, the command base, and the refusal."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Annotated, Any, ClassVar, TypeVar

from pydantic import (
    AfterValidator,
    BeforeValidator,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    WithJsonSchema,
)
from pydantic_core import ArgsKwargs

from backoffice.kernel.cards import CARD_PATTERN
from backoffice.kernel.currencies import AMOUNT_PATTERN
from backoffice.kernel.exchange import RATE_PATTERN
from backoffice.kernel.values import value

T = TypeVar("T")

_RFC_3339 = re.compile(r"\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d{1,9})?([Zz]|[+-]\d\d:\d\d)", re.ASCII)
_ISO_DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
PRINTABLE = (
    r"^[^\x00-\x1f\x7f-\x9f\x{ad}\x{61c}\x{200b}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2060}-\x{206f}\x{feff}]*$"
)
"""What may be written in one line, and is seen as it is stored: no control characters, none that turn the direction of
writing, none that do not show. What stands in facts is not asked again: older ones may have them."""

Id = Annotated[str, StringConstraints(min_length=1, max_length=64, pattern=PRINTABLE)]
"""A sender's identifier: 1 to 64 printable characters."""
Reason = Annotated[str, StringConstraints(min_length=1, max_length=200, pattern=PRINTABLE)]
"""Free text of at most 200 characters, kept free of personal data by its sender."""
Card = Annotated[str, StringConstraints(pattern=CARD_PATTERN)]
Hand = Annotated[tuple[Card, ...], Field(max_length=16)]
"""Cards as sent; how many there must be is for the decider to say, in words."""
AmountText = Annotated[str, StringConstraints(max_length=32, pattern=AMOUNT_PATTERN)]
RateText = Annotated[str, StringConstraints(max_length=32, pattern=RATE_PATTERN)]
CurrencyCode = Annotated[str, StringConstraints(pattern=r"^[A-Z]{3}$")]


def _instant(value: object) -> datetime:
    """Only the written form is taken from outside: a bare number would be read as seconds since 1970."""
    if isinstance(value, str) and _RFC_3339.fullmatch(value):
        moment = datetime.fromisoformat(value if value.isupper() else value.upper())
    elif isinstance(value, datetime) and value.utcoffset() is not None:
        moment = value
    else:
        raise ValueError("must be an RFC 3339 time with an offset")
    if moment.tzinfo is not UTC:
        try:
            moment = moment.astimezone(UTC)
        except OverflowError:
            moment = datetime.min.replace(tzinfo=UTC)
    if not 1 < moment.year < 9999:
        # In any other zone, too, it is a time that Python and PostgreSQL can tell.
        raise ValueError("must lie in the years 2 to 9998")
    return moment


Instant = Annotated[
    datetime, BeforeValidator(_instant), WithJsonSchema({"type": "string", "format": "date-time"})
]
"""A moment, written in RFC 3339 with an offset; in UTC once read, and to the microsecond: what is finer is cut off."""


def _day(value: object) -> date:
    """Only the written form, again: numbers and moments would be read as days, too."""
    if isinstance(value, str) and _ISO_DAY.fullmatch(value):
        value = date.fromisoformat(value)
    if type(value) is not date:
        raise ValueError("must be a day as 2026-03-01 is one")
    if not date(2, 1, 2) < value < date(9998, 12, 30):
        # It has a day before it and one behind it in any zone.
        raise ValueError("must lie in the years 2 to 9998")
    return value


Day = Annotated[date, BeforeValidator(_day), WithJsonSchema({"type": "string", "format": "date"})]
"""A date, written in ISO 8601 with its dashes."""


def _given(value: T | None) -> T:
    if value is None:
        raise ValueError("is null: a field without a value is left out")
    return value


def _never_null(schema: dict[str, Any]) -> None:
    schema["anyOf"].remove({"type": "null"})
    del schema["default"]


Omittable = Annotated[T | None, AfterValidator(_given), Field(json_schema_extra=_never_null)]
"""What may be left out, and is None then; where it is given, it is not null."""


class Refused(Exception):
    """An anticipated no, with a reason a shift manager understands and the short name of the rule behind it."""

    def __init__(self, reason: str, rule: str = "rule") -> None:
        super().__init__(reason)
        self.reason = reason
        self.rule = rule


@dataclass(frozen=True, slots=True)
class Event:
    """A fact. Past tense, immutable, its published shape never changes. Who, when and why are in the envelope.

    What it is made of is looked at when it is written to the log, and when it is read.
    """

    __pydantic_config__: ClassVar = ConfigDict(strict=True, extra="forbid")

    type_name: ClassVar[str]
    schema_number: ClassVar[int] = 1

    @property
    def stream(self) -> str:
        """The stream this fact belongs to."""
        raise NotImplementedError

    @property
    def decided_by_system(self) -> bool:
        """Whether the system decided this for a player (auto-call, auto-fold): its actor is `system` then."""
        return False


@value
class Command:
    """A question: what someone asks for, at a time of theirs. `id` is the sender's own, unique to the sender.

    What comes from outside is looked at by `command_of`, or by whoever reads a feed; what the house asks itself is right.
    """

    __pydantic_config__: ClassVar = ConfigDict(strict=True, extra="forbid")

    id: Id
    at: Instant


Asked = TypeVar("Asked", bound=Command)


def command_of(kind: type[Asked], fields: Mapping[str, Any]) -> Asked:
    """The command of a kind with these fields. Raises pydantic's ValidationError for what is not as it must be."""
    command = kind.__new__(kind)
    adapter_of(kind).validator.validate_python(ArgsKwargs((), dict(fields)), self_instance=command)
    return command


def adapter_of(kind: type[Command]) -> TypeAdapter[Any]:
    """What reads and writes the commands of a kind."""
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        adapter = _ADAPTERS[kind] = TypeAdapter(kind)
    return adapter


_ADAPTERS: dict[type[Command], TypeAdapter[Any]] = {}
"""Those that were asked for already: to make one takes a while."""
