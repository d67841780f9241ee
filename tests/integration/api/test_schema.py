"""The API keeps to its own description: schemathesis asks every endpoint of a live server in many ways, good and bad.

No answer may be a fault (5xx), of a status, type or shape that is not described; what is described as good must be
taken, and what is described as bad refused.
"""

from typing import Any

import httpx
import pytest
import schemathesis
from api_server import Server
from front_door import Engine, a_handler, action, deposit, opened, staff, take, tallinn
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis.errors import Unsatisfiable
from schemathesis import APIOperation, Case, GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.schemas import BaseSchema
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    ignored_auth,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

from backoffice.domain.cases.commands import Grounds, OpenCase
from backoffice.domain.staff import Role

CHECKS = [
    not_a_server_error,
    content_type_conformance,
    negative_data_rejection,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
    ignored_auth,
]
EXAMPLES = 12
"""For each endpoint, besides those that are written in the description."""


@pytest.fixture(scope="module")
def described(server: Server, books: Engine) -> BaseSchema:
    """The description of a server in whose books something stands to be found."""
    take(
        a_handler(books),
        deposit("p-1", "500.00"),
        opened("r-1"),
        action("ante", round="r-1", seat="1", **tallinn("p-1"), amount="20.00"),
        staff(OpenCase, "kim", **tallinn("p-1"), grounds=Grounds.GOODWILL, reason="a wait"),
    )
    return schemathesis.openapi.from_url(f"{server.url}/openapi.json")


@pytest.fixture(scope="module")
def somebody(server: Server) -> dict[str, str]:
    """Somebody who may do everything."""
    return {"Authorization": f"Bearer {server.token('everybody', *Role)}"}


@pytest.mark.parametrize("mode", GenerationMode)
def test_every_answer_is_as_the_api_describes_itself(
    described: BaseSchema, somebody: dict[str, str], mode: GenerationMode
) -> None:
    """Streams are left out: they do not end by themselves."""
    failures: list[Failure] = []
    for operation in described.exclude(path_regex="^/v1/streams/").get_all_operations():
        try:
            _ask(operation.ok(), somebody, mode)
        except FailureGroup as group:
            failures += group.exceptions
        except Unsatisfiable:
            assert mode is GenerationMode.NEGATIVE  # where nothing is sent nothing can be wrong
    assert not failures, "\n\n".join(map(str, failures))


def _ask(operation: APIOperation[Any, Any, Any, Any], somebody: dict[str, str], mode: GenerationMode) -> None:
    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(
        max_examples=EXAMPLES,
        deadline=None,
        derandomize=True,
        database=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    def ask(case: Case) -> None:
        if "wait" in (case.query or {}):
            case.query["wait"] = 0  # nobody has the time
        # In a list each action has its own answer: what is bad in it is told there.
        but_for = [negative_data_rejection] if case.path == "/v1/actions" else []
        case.call_and_validate(headers=somebody, checks=CHECKS, excluded_checks=but_for, timeout=30)

    ask()


def test_every_operation_is_told_whole(server: Server) -> None:
    """A summary, a tag, examples of what is sent, and problems described as problems."""
    told = server.client.get("/openapi.json").json()
    for path, methods in told["paths"].items():
        for method, operation in methods.items():
            assert operation["summary"], path
            assert operation["description"], path
            assert operation["tags"], path
            for status, answer in operation["responses"].items():
                assert answer["description"], (path, status)
                problems = [one for kind, one in answer.get("content", {}).items() if "problem" in kind]
                assert (len(problems) == 1) is (int(status) >= 400), (method, path, status)
            for parameter in operation.get("parameters", []):
                assert "schema" in parameter, path
            if body := operation.get("requestBody"):
                (content,) = body["content"].values()
                assert content.get("examples") or _has_examples(content["schema"], told), path


def test_the_written_examples_are_good(server: Server, somebody: dict[str, str]) -> None:
    """Whoever copies an example out of the description is told of cards and money, not of fields."""
    told = server.client.get("/openapi.json").json()
    client = httpx.Client(base_url=server.url, headers=somebody)
    with client:
        for path, methods in told["paths"].items():
            body = methods.get("post", {}).get("requestBody", {})
            for content in body.get("content", {}).values():
                for name, example in content.get("examples", {}).items():
                    key = {"Idempotency-Key": f"{path}-{name}".replace(" ", "-")}
                    answer = client.post(path, json=example["value"], headers=key)
                    assert answer.status_code in {200, 409}, (path, answer.text)


def _has_examples(schema: dict[str, Any], told: dict[str, Any]) -> bool:
    name = schema["$ref"].rpartition("/")[2]
    return bool(told["components"]["schemas"][name])
