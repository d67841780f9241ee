"""Handing requests in at the house's front door, and waiting for the shared commit that answers them."""

import asyncio
from collections.abc import Sequence

from backoffice.api.desk import Desk
from backoffice.api.problems import Finding, Kind, Problem
from backoffice.app.group_commit import Full
from backoffice.app.requests import Declined, Outcome, Request, Unreadable

FULL_SECONDS = 1
"""After so long a full desk may be asked again."""
_KINDS = {"format": Kind.INVALID, "casino": Kind.FORBIDDEN, "role": Kind.FORBIDDEN, "changed": Kind.CHANGED}


async def hand_in(
    desk: Desk, requests: Sequence[Request | Unreadable], *, whole: bool = False
) -> list[Outcome]:
    """One answer each, once they are durable. Raises a Problem where the desk is full or nothing is known in time."""
    try:
        answers = asyncio.wrap_future(desk.group.submit(requests, whole=whole))
    except Full as full:
        raise Problem(Kind.TOO_MANY, str(full), headers={"Retry-After": str(FULL_SECONDS)}) from full
    try:
        return await asyncio.wait_for(answers, desk.settings.answer_seconds)
    except TimeoutError as late:
        raise Problem(Kind.LATE, "there is no answer yet: asking again with the same id tells") from late


def refusal(declined: Declined, request: Request | Unreadable) -> Problem:
    """A refusal as the problem that it is."""
    errors = None
    if isinstance(request, Unreadable):
        errors = [Finding(field=field, reason=reason) for field, reason in request.findings]
    kind = _KINDS.get(declined.rule, Kind.REFUSED)
    return Problem(kind, declined.reason, rule=declined.rule, errors=errors)
