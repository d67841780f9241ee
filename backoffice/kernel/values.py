"""Values of which very many are made."""

from dataclasses import dataclass, field
from typing import TypeVar, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def value(cls: type[T]) -> type[T]:
    """A dataclass that nobody changes.

    The type checker sees to that and not the interpreter, for which each field of a frozen one takes three times as long.
    """
    return dataclass(slots=True, unsafe_hash=True)(cls)
