"""A command of a person: handed in, and what became true told; or the reason why not."""

import socket
import sys
from datetime import UTC, datetime
from getpass import getuser
from typing import Any

import typer
from pydantic import ValidationError
from uuid_utils.compat import uuid7

from backoffice.app.asking import request_of
from backoffice.app.requests import Declined, Request, Visit
from backoffice.bootstrap import House
from backoffice.domain.event import Command
from backoffice.domain.staff import Person
from backoffice.reports.telling import followed, sentences_of

SENDER = "command line"


def ask(house: House, kind: type[Command], by: Person, **fields: Any) -> None:
    """Hand in what `by` asks, now. Tells what became of it, or ends with 1 and the reason why nothing did."""
    request = _request(kind, by, fields)
    with house.group_commit() as group:
        outcome = group.handle(request)
    if isinstance(outcome, Declined):
        sys.stderr.write(f"refused: {outcome.reason}\n")
        raise typer.Exit(1)
    for told in sentences_of(house.codec, followed(house.log, outcome.first_position, outcome.last_position)):
        sys.stdout.write(f"{told}\n")
    house.projector().catch_up()


def visit() -> Visit:
    """From where the command line is called: the account and the machine."""
    try:
        account = getuser()
    except (KeyError, OSError):
        account = "nobody"
    return Visit(f"command line of {account} at {socket.gethostname()}")


def _request(kind: type[Command], by: Person, fields: dict[str, Any]) -> Request:
    try:
        return request_of(
            kind, by, fields, name=str(uuid7()), at=datetime.now(UTC), sender=SENDER, visit=visit()
        )
    except ValidationError as invalid:
        wrong = invalid.errors()[0]
        where = ".".join(map(str, wrong["loc"]))
        raise typer.BadParameter(f"{where}: {wrong['msg']}") from invalid
