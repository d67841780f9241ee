"""A dispute pack as a file, in each of its forms: whichever door it is asked for at, the same text."""

import json
from collections.abc import Callable, Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Any

from backoffice.reports.dispute_page import dispute_page


class PackForm(StrEnum):
    """What a dispute pack looks like."""

    HTML = "html"
    """For people."""
    JSON = "json"
    """Can be put to the test by `backoffice round check`."""


def written_json(told: Mapping[str, Any]) -> str:
    """Plain data as people can read it, too."""
    return json.dumps(told, ensure_ascii=False, indent=2) + "\n"


PACK_FORMS: Mapping[PackForm, Callable[[Mapping[str, Any]], str]] = MappingProxyType(
    {PackForm.HTML: dispute_page, PackForm.JSON: written_json}
)
