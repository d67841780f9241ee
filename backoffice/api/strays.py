"""Parameters that an endpoint does not know, or is given twice, are refused: a filter with a slip of the pen in its name would
show everything.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Annotated, Any

from fastapi import Depends, FastAPI, Request

from backoffice.api.problems import Finding, Kind, Problem


async def _refuse_strays(request: Request) -> None:
    known = _known(request.app)[request.method, request.scope["route"].path_format]
    given = [name for name, _ in request.query_params.multi_items()]
    findings = list(_strays(given, known))
    if findings:
        raise Problem(Kind.INVALID, f"{findings[0].field}: {findings[0].reason}", errors=findings[:10])


NoStrays = Annotated[None, Depends(_refuse_strays)]


def _strays(given: list[str], known: dict[str, bool]) -> Iterator[Finding]:
    for name in dict.fromkeys(given):
        if name not in known:
            shown = name if len(name) <= 64 and name.isprintable() else "?"
            yield Finding(field=shown, reason=f"there is no such parameter, but {', '.join(known) or 'none'}")
        elif given.count(name) > 1 and not known[name]:
            yield Finding(field=name, reason="it is given twice")


@lru_cache(maxsize=8)
def _known(app: FastAPI) -> dict[tuple[str, str], dict[str, bool]]:
    """The parameters of every endpoint in a query, as the API describes itself, and whether each may come several times."""
    return {
        (method.upper(), path): {
            parameter["name"]: _is_list(parameter["schema"])
            for parameter in endpoint.get("parameters", ())
            if parameter["in"] == "query"
        }
        for path, endpoints in app.openapi()["paths"].items()
        for method, endpoint in endpoints.items()
    }


def _is_list(schema: dict[str, Any]) -> bool:
    return schema.get("type") == "array" or any(map(_is_list, schema.get("anyOf", ())))
