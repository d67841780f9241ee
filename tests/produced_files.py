"""Files that were produced, read back."""

from decimal import Decimal
from typing import Any

from lxml import etree

from backoffice.reports.regulators.producing import Placed


def document(placed: Placed) -> Any:
    """A file, read."""
    return etree.parse(placed.path).getroot()


def texts(root: Any, name: str) -> list[str]:
    """The texts of all elements of a name, of whatever namespace."""
    return [element.text or "" for element in root.iter(f"{{*}}{name}")]


def total(root: Any, name: str) -> Decimal:
    """Their sum."""
    return sum(map(Decimal, texts(root, name)), Decimal())
