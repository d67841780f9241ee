"""Trying what may come to nothing: what is remembered is copied first, and put back if it does."""

from collections.abc import Mapping
from typing import Any

from backoffice.domain.past import Past


def snapshot(past: Past) -> Mapping[str, Any]:
    """Everything `past` holds now. States never change, they are replaced: only what holds them is copied."""
    return {name: _copied(held) for name, held in vars(past).items()}


def go_back(past: Past, before: Mapping[str, Any]) -> None:
    """Make `past` what it was; a snapshot serves once."""
    vars(past).update(before)


def _copied(held: Any) -> Any:
    match held:
        case dict():
            # All values of one are alike: where the first is a state, so are they all.
            inside = next(iter(held.values()), None)
            deep = isinstance(inside, dict | list | set)
            return {key: _copied(value) for key, value in held.items()} if deep else dict(held)
        case list() | set():
            return held.copy()
        case _:
            return held
