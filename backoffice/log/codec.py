"""Events as classes to bytes and back: the one way in which every reader gets an event out of its bytes."""

import json
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Any, ClassVar, Protocol, TypeAlias, cast

from pydantic import TypeAdapter
from pydantic_core import PydanticSerializationError

from backoffice.log.envelope import Encoded
from backoffice.log.errors import Unencodable, UnknownSchema, UnknownType

# What is not of its field's type, a float where a whole number belongs, is never written: pydantic warns of it, and a warning
# of that is an error here, for the whole process. To ask for the error at each call takes as long again as the call.
warnings.filterwarnings("error", "Pydantic serializer warnings", UserWarning)

Upcaster: TypeAlias = Callable[[dict[str, Any]], dict[str, Any]]
"""Takes an event's data of one schema to the next."""

Upcasters: TypeAlias = Mapping[tuple[str, int], Upcaster]
"""By event type and the schema number that is left behind."""

_NONE: Upcasters = MappingProxyType({})


class EventClass(Protocol):
    """What an event class says about itself, beside being one that pydantic reads and writes (a dataclass, a model)."""

    type_name: ClassVar[str]
    schema_number: ClassVar[int]


class Codec:
    """A registry of event classes and of the upcasters that lead old data to them.

    Raises ValueError for a registry that could not read what it may meet: two classes of one type, a field
    that is a float, a gap in the upcasters.
    """

    def __init__(self, types: Iterable[type[Any]], upcasters: Upcasters = _NONE) -> None:
        self._classes: dict[str, type[Any]] = {}
        self._encode: dict[type[Any], Callable[[Any], bytes]] = {}
        self._current: dict[tuple[str, int], Callable[[bytes], Any]] = {}
        self._upcasters = dict(upcasters)
        for event_class in types:
            self._register(event_class)
        for type_name, schema in self._upcasters:
            self._check_leads_somewhere(type_name, schema)

    @property
    def classes(self) -> Mapping[str, type[Any]]:
        """The registered classes by type, for catalogues."""
        return MappingProxyType(self._classes)

    def encode(self, event: object) -> Encoded:
        """The event's data as compact JSON, fields in the order of the class: same event, same bytes. Raises as below."""
        (data,) = self.encode_all([event])
        return data

    def encode_all(self, events: Sequence[object]) -> list[Encoded]:
        """The data of many, each as `encode` gives it, in two thirds of the time.

        Raises UnknownType for a class that is not registered and Unencodable for what is not of its field's type, or what
        JSON cannot say.
        """
        to_json = self._encode
        try:
            return [Encoded(to_json[type(event)](event)) for event in events]
        except (KeyError, PydanticSerializationError, UserWarning):
            for event in events:
                self._check_encodable(event)
            raise

    def decode(self, type: str, schema: int, data: bytes) -> object:  # noqa: A002  (the envelope's word)
        """The event that was recorded, brought to its class's present schema.

        Raises UnknownType or UnknownSchema; data that does not fit its class raises pydantic's
        ValidationError.
        """
        validate = self._current.get((type, schema))
        return self._decode_old(type, schema, data) if validate is None else validate(data)

    def _check_encodable(self, event: object) -> None:
        to_json = self._encode.get(type(event))
        if to_json is None:
            raise UnknownType(f"{type(event).__qualname__} is not registered")
        try:
            to_json(event)
        except (PydanticSerializationError, UserWarning) as error:
            raise Unencodable(f"{_type_name(type(event))}: {error}") from error

    def _decode_old(self, type_name: str, schema: int, data: bytes) -> object:
        event_class = self._classes.get(type_name)
        if event_class is None:
            raise UnknownType(f"no class is registered for {type_name}")
        current = _schema_number(event_class)
        if schema > current:
            raise UnknownSchema(
                f"{type_name}: schema {schema} is newer than {current}, the newest known here"
            )
        fields = json.loads(data)
        for step in range(schema, current):
            fields = self._upcaster(type_name, step)(fields)
        # Through JSON again: what is strict takes a time or a tuple from JSON that it would not take from Python.
        return self._current[type_name, current](json.dumps(fields).encode())

    def _upcaster(self, type_name: str, schema: int) -> Upcaster:
        upcaster = self._upcasters.get((type_name, schema))
        if upcaster is None:
            raise UnknownSchema(f"{type_name}: no upcaster leads on from schema {schema}")
        return upcaster

    def _register(self, event_class: type[Any]) -> None:
        name, schema = _type_name(event_class), _schema_number(event_class)
        if name in self._classes:
            raise ValueError(f"two classes of type {name}")
        adapter = TypeAdapter(event_class)
        if _mentions_float(adapter.core_schema):
            raise ValueError(f"{name} has a float in it")
        self._classes[name] = event_class
        self._encode[event_class] = adapter.serializer.to_json
        self._current[name, schema] = adapter.validator.validate_json

    def _check_leads_somewhere(self, type_name: str, schema: int) -> None:
        if type_name not in self._classes:
            raise ValueError(f"an upcaster for {type_name}, which is not registered")
        for step in range(schema, _schema_number(self._classes[type_name])):
            if (type_name, step) not in self._upcasters:
                raise ValueError(f"{type_name}: an upcaster leads to schema {step}, none leads on")
        if schema >= _schema_number(self._classes[type_name]):
            raise ValueError(f"{type_name}: an upcaster leads on from schema {schema}, the class does not")


def _type_name(event_class: type[Any]) -> str:
    return cast("type[EventClass]", event_class).type_name


def _schema_number(event_class: type[Any]) -> int:
    return cast("int", getattr(event_class, "schema_number", 1))


def _mentions_float(schema: object) -> bool:
    """Whether anything in a pydantic core schema is a float, however deep."""
    if isinstance(schema, Mapping):
        return schema.get("type") == "float" or any(map(_mentions_float, schema.values()))
    return isinstance(schema, (list, tuple)) and any(map(_mentions_float, schema))
