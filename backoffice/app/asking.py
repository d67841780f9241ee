"""What a person asks, as the request that every door hands in for it."""

import dataclasses
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from backoffice.app.requests import Request, Visit
from backoffice.domain.event import Command, command_of
from backoffice.domain.staff import Person


def request_of(
    kind: type[Command],
    by: Person,
    fields: Mapping[str, Any],
    *,
    name: str,
    at: datetime,
    sender: str,
    visit: Visit,
    digest: bytes = b"",
) -> Request:
    """The command of a kind with these fields, asked by a person at `at` under the id `name`.

    `digest` is of what was asked apart from the time, where it may be asked again at another. Raises pydantic's
    ValidationError.
    """
    who = {"by": by} if any(field.name == "by" for field in dataclasses.fields(kind)) else {}
    command = command_of(kind, {**fields, **who, "id": name, "at": at})
    return Request(command, sender, actor=by.name, digest=digest, visit=visit)
