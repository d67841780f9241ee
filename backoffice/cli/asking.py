"""A command of a person: handed in, and what became true told; or the reason why not."""

import sys
from datetime import UTC, datetime
from itertools import groupby, islice
from operator import attrgetter
from typing import Any

import typer
from pydantic import ValidationError
from uuid_utils.compat import uuid7

from backoffice.app.requests import Declined, Request
from backoffice.bootstrap import House
from backoffice.domain.cases.commands import StaffCommand
from backoffice.domain.staff import Person
from backoffice.domain.wallet.commands import RepayDebt
from backoffice.reports.decoding import decoded
from backoffice.reports.sentences import sentence

SENDER = "command line"


def ask(house: House, kind: type[StaffCommand] | type[RepayDebt], by: Person, **fields: Any) -> None:
    """Hand in what `by` asks, now. Tells what became of it, or ends with 1 and the reason why nothing did."""
    command = _command(kind, by, fields)
    with house.group_commit() as group:
        outcome = group.handle(Request(command, SENDER, actor=by.name))
    if isinstance(outcome, Declined):
        sys.stderr.write(f"refused: {outcome.reason}\n")
        raise typer.Exit(1)
    _tell(house, outcome.first_position)
    house.projector().catch_up()


def _command(
    kind: type[StaffCommand] | type[RepayDebt], by: Person, fields: dict[str, Any]
) -> StaffCommand | RepayDebt:
    try:
        return kind(id=str(uuid7()), at=datetime.now(UTC), by=by, **fields)
    except ValidationError as invalid:
        wrong = invalid.errors()[0]
        where = ".".join(map(str, wrong["loc"]))
        raise typer.BadParameter(f"{where}: {wrong['msg']}") from invalid


def _tell(house: House, first: int) -> None:
    """Everything that followed from the command, what was carried out at once too."""
    for _, facts in islice(groupby(house.log.read(after=first - 1), key=attrgetter("correlation")), 1):
        for recorded in facts:
            sys.stdout.write(f"{sentence(decoded(house.codec, recorded), '')}\n")
