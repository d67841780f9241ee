"""What an endpoint reads with: a visitor's scope, the position that they wait for, and the version that they have."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Annotated, Protocol, TypeVar

from fastapi import Depends, Header, Query, Response
from sqlalchemy import Connection

from backoffice.api.asking import TheDesk, principal_of
from backoffice.api.principals import Principal
from backoffice.api.problems import Kind, Problem
from backoffice.api.pulse import Pulse
from backoffice.api.reading_desk import RETRY, ReadingDesk
from backoffice.api.strays import NoStrays
from backoffice.projections.projection import Projection
from backoffice.projections.reading import log_head
from backoffice.reports.scope import Scope

POSITION = "Log-Position"
"""The header that says at which position an answer was read."""
PATIENCE_SECONDS = 5.0
"""So long `wait_for` waits."""


class Told(Protocol):
    """Whatever is read says at which position."""

    @property
    def position(self) -> int:
        """The position of the log up to which it tells."""
        ...


Answer = TypeVar("Answer", bound=Told)


@dataclass(frozen=True, slots=True)
class Reading:
    """One visitor's reading: within their scope, behind the position that they wait for."""

    scope: Scope
    _desk: ReadingDesk
    _pulse: Pulse
    _wait_for: int | None
    _response: Response

    async def read(self, question: Callable[[Connection], Answer], *projections: Projection) -> Answer:
        """What a question of these projections comes to (of none: of the log itself). Raises a Problem."""
        if self._wait_for is not None:
            await self._wait(self._wait_for, projections)
        answer = await self._desk.ask(question)
        self._response.headers[POSITION] = str(answer.position)
        return answer

    async def behind(self) -> None:
        """Wait for the log to come to the position that the visitor waits for, if any. Raises a Problem."""
        if self._wait_for is not None:
            await self._wait(self._wait_for, ())

    async def _wait(self, position: int, projections: tuple[Projection, ...]) -> None:
        """For what was written a moment ago; a position that the log has not come to is no such thing."""
        if self._pulse.beat.head < position:
            end = await self._desk.ask(lambda connection: log_head(connection).position)
            if end < position:
                raise Problem(Kind.REFUSED, f"the log ends at {end}", rule="position")
        if not await self._pulse.until(lambda beat: beat.reached(*projections) >= position, PATIENCE_SECONDS):
            reached = self._pulse.beat.reached(*projections)
            raise Problem(
                Kind.LATE, f"what is asked has come to {reached} and not to {position}", headers=RETRY
            )


async def _reading(
    response: Response,
    desk: TheDesk,
    who: Annotated[Principal, Depends(principal_of)],
    _: NoStrays,
    wait_for: Annotated[
        int | None,
        Query(
            ge=0,
            le=2**63 - 1,
            description="Answer only behind this position, which a write was answered with; waits a few seconds for it.",
        ),
    ] = None,
) -> Reading:
    return Reading(Scope(who.casinos), desk.readings, desk.pulse, wait_for, response)


TheReading = Annotated[Reading, Depends(_reading)]


def check_position(position: int, end: int) -> None:
    """Raises a Problem for a position that was read of a log that went on further than this one does."""
    if position > end:
        raise Problem(Kind.REFUSED, f"the log ends at {end}: was it restored?", rule="position")


class NotModified(Exception):
    """What was asked for is what the asker has already."""

    def __init__(self, headers: Mapping[str, str]) -> None:
        super().__init__("not modified")
        self.headers = dict(headers)


@dataclass(frozen=True, slots=True)
class Conditions:
    """Which version of a thing its asker has, or insists on."""

    _response: Response
    _match: str | None
    _none_match: str | None

    def check(self, version: int | str) -> None:
        """Say by an ETag which version of its stream is shown, or by a digest which bytes are.

        Raises NotModified where the asker has it, and a Problem where they insist on another one.
        """
        tag = f'"{version}"'
        self._response.headers["ETag"] = tag
        if not _names(self._match, tag, default=True):
            raise Problem(Kind.CHANGED, f"it is at version {version}", headers={"ETag": tag})
        if _names(self._none_match, tag, default=False):
            raise NotModified(self._response.headers)


async def _conditions(
    response: Response,
    if_match: Annotated[
        str | None, Header(description="Versions; another one is refused.", examples=['"9"'])
    ] = None,
    if_none_match: Annotated[
        str | None, Header(description="Versions that are not to be sent again.", examples=['"8"'])
    ] = None,
) -> Conditions:
    return Conditions(response, if_match, if_none_match)


TheConditions = Annotated[Conditions, Depends(_conditions)]


def _names(header: str | None, tag: str, *, default: bool) -> bool:
    """Whether a header names a tag, also as a weak one, or any."""
    if header is None:
        return default
    return any(one.strip().removeprefix("W/") in {tag, "*"} for one in header.split(","))
