"""`/problems/NAME`: what a problem's type means."""

from typing import Annotated

from fastapi import APIRouter, Path
from pydantic import BaseModel

from backoffice.api.problems import Kind, Problem, documented

router = APIRouter(tags=["problems"])


class Told(BaseModel):
    """A kind of problem."""

    type: str
    title: str
    status: int


@router.get("/problems/{name}", responses=documented(Kind.NOT_FOUND))
def tell_problem(name: Annotated[str, Path(max_length=64, examples=["refused"])]) -> Told:
    """What a problem's type means."""
    for kind in Kind:
        if kind.value.name == name:
            return Told(type=kind.type, title=kind.value.title, status=kind.value.status)
    raise Problem(Kind.NOT_FOUND, "there is no such problem")
