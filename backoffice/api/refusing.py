"""Every exception that may reach the door, as a problem document. No trace of the inside ever leaves."""

import logging
from collections.abc import Mapping
from typing import Any

from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse
from starlette.exceptions import HTTPException
from starlette.routing import Match

from backoffice.api.asking import note_denial
from backoffice.api.limits import SAFE
from backoffice.api.problems import Finding, Kind, Problem, answer
from backoffice.api.reading import NotModified
from backoffice.app.attempts import LOST
from backoffice.app.group_commit import Closed

log = logging.getLogger(__name__)

RETRY_SECONDS = 2
_METHODS = ("DELETE", "GET", "PATCH", "POST", "PUT")
_BY_STATUS = {kind.value.status: kind for kind in reversed(Kind)}


def add_handlers(app: FastAPI) -> None:
    """Answer every exception with a problem document."""
    app.add_exception_handler(Problem, _problem)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(NotModified, _not_modified)
    for lost in {*LOST, Closed}:
        app.add_exception_handler(lost, _unavailable)
    app.add_exception_handler(Exception, _bug)


def _problem(request: Request, problem: Exception) -> JSONResponse:
    assert isinstance(problem, Problem)
    if problem.kind in {Kind.UNAUTHENTICATED, Kind.FORBIDDEN}:
        note_denial(request, str(problem), problem.document.rule or "")
    return answer(problem)


def _not_modified(_: Request, same: Exception) -> Response:
    assert isinstance(same, NotModified)
    return Response(status_code=304, headers=same.headers)


def _http(request: Request, error: Exception) -> JSONResponse:
    """What the framework itself refuses: an unknown path, a wrong method, a body that is too large."""
    assert isinstance(error, HTTPException)
    kind = _BY_STATUS.get(error.status_code, Kind.MALFORMED)
    headers = {"Allow": _allowed(request)} if kind is Kind.METHOD_NOT_ALLOWED else error.headers
    return answer(Problem(kind, f"{error.detail}", headers=headers))


def _allowed(request: Request) -> str:
    """Every method of a path: the framework names those of one of its endpoints."""
    return ", ".join(method for method in _METHODS if _is_endpoint({**request.scope, "method": method}))


def _is_endpoint(scope: dict[str, Any]) -> bool:
    return any(route.matches(scope)[0] is Match.FULL for route in scope["app"].routes)


def _invalid(_: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    found = error.errors()
    if any(one["type"] == "json_invalid" for one in found):
        return answer(Problem(Kind.MALFORMED, "the body is no JSON"))
    errors = [_finding(one) for one in found[:10]]
    return answer(Problem(Kind.INVALID, f"{errors[0].field}: {errors[0].reason}", errors=errors))


def _finding(error: Mapping[str, Any]) -> Finding:
    """What is wrong, without what was sent."""
    field = ".".join(_shown(part) for part in error["loc"][1:]) or str(error["loc"][0])
    plain = str(error["msg"]).removeprefix("Value error, ")
    return Finding(field=field, reason=f"{plain[:1].lower()}{plain[1:]}")


def _shown(part: object) -> str:
    """A part of a place; a name that the sender made up is shown if it could be a name."""
    text = str(part)
    return text if len(text) <= 64 and text.isprintable() else "?"


def _unavailable(_: Request, error: Exception) -> JSONResponse:
    """The database is not there, or this process is leaving; whether a write was made is not known: the same id tells."""
    log.warning("unavailable: %s", str(error).strip().partition("\n")[0])
    headers = {"Retry-After": str(RETRY_SECONDS)}
    return answer(
        Problem(Kind.UNAVAILABLE, "the house does not answer: ask again, with the same id", headers=headers)
    )


def _bug(_: Request, __: Exception) -> JSONResponse:
    # Starlette raises it again behind this answer: uvicorn writes the trace into the log.
    return answer(Problem(Kind.BUG, "this is a fault of the house; it was written down", headers=SAFE))
