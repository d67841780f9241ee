"""What the API says of itself: FastAPI's description, made whole with what only this house knows."""

import re
from typing import Any

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi

from backoffice.api.commands import BODIES
from backoffice.api.problems import MEDIA_TYPE, Finding, ProblemDocument
from backoffice.app.feed import ACTIONS

_REF = "#/components/schemas/{model}"
_PROBLEM = {"content": {MEDIA_TYPE: {"schema": {"$ref": _REF.format(model="ProblemDocument")}}}}
_CODE_POINT = re.compile(r"\\x\{([0-9a-f]+)\}")
_SCHEMES = {
    "person": {
        "type": "http",
        "scheme": "bearer",
        "bearerFormat": "JWT",
        "description": "A person's token.",
    },
    "system": {
        "type": "apiKey",
        "in": "header",
        "name": "X-API-Key",
        "description": "A table system's key.",
    },
}
_TAGS = {
    "ingest": "What table systems send.",
    "commands": "What people decide. Each needs an Idempotency-Key of the asker's own.",
    "problems": "What a no means.",
}


def describe(app: FastAPI) -> None:
    """Have `app` describe itself whole, once it is asked."""

    def described() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _whole(app)
        return app.openapi_schema

    app.openapi = described  # type: ignore[method-assign]


def _whole(app: FastAPI) -> dict[str, Any]:
    told = get_openapi(
        title=app.title,
        version=app.version,
        summary=app.summary,
        routes=app.routes,
        tags=[{"name": name, "description": text} for name, text in _TAGS.items()],
    )
    components = told.setdefault("components", {})
    components["securitySchemes"] = _SCHEMES
    schemas = components.setdefault("schemas", {})
    for name in ("HTTPValidationError", "ValidationError"):  # the framework's, which never go out here
        schemas.pop(name, None)
    schemas |= _problems() | _actions() | _bodies()
    for operation in (one for path in told["paths"].values() for one in path.values()):
        said = operation["responses"]
        if "401" in said:
            operation["security"] = [{name: []} for name in _SCHEMES]
        operation["responses"] = {
            status: answer | _PROBLEM if "HTTPValidationError" in str(answer) else answer
            for status, answer in said.items()
        }
    plain: dict[str, Any] = _plain(told)
    return plain


def _problems() -> dict[str, Any]:
    schema = ProblemDocument.model_json_schema(ref_template=_REF)
    inside = schema.pop("$defs")
    return {"ProblemDocument": schema, Finding.__name__: inside[Finding.__name__]}


def _actions() -> dict[str, Any]:
    """The feed's own objects, told apart by `do`."""
    schema = ACTIONS.json_schema(ref_template=_REF)
    inside: dict[str, Any] = schema.pop("$defs")
    return inside | {"Action": schema}


def _bodies() -> dict[str, Any]:
    """What people ask."""
    found: dict[str, Any] = {}
    for body in BODIES.values():
        schema = body.model_json_schema(ref_template=_REF)
        found |= schema.pop("$defs", {}) | {body.__name__: schema}
    return found


def _plain(told: Any) -> Any:
    """Code points in patterns as every language reads them: `\\u2028` instead of `\\x{2028}`."""
    match told:
        case dict():
            return {
                key: _pattern(value) if key == "pattern" else _plain(value) for key, value in told.items()
            }
        case list():
            return [_plain(value) for value in told]
        case _:
            return told


def _pattern(pattern: Any) -> Any:
    if not isinstance(pattern, str):
        return _plain(pattern)  # a field of that name
    return _CODE_POINT.sub(lambda found: f"\\u{int(found[1], 16):04x}", pattern)
